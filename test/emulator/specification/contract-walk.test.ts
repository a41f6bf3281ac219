// Every operation of the contract, one by one: the documented answer to a good request, and a refusal in the error shape
// to a bad one. Where a server of this API answers otherwise than one would think, the tables say so.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadContract } from '../../../src/contract/index.ts';
import { HANDLERS } from '../../../src/emulator/resources/index.ts';
import { PUBLIC_HANDLERS } from '../../../src/emulator/resources/public-invites.ts';
import { type Emulated, standing } from '../emulated.ts';
import { type Fixture, startFixture } from '../fixture.ts';

const contract = loadContract();
const { operations } = contract;

let api: Emulated;
let fixture: Fixture;
let end: () => Promise<void>;
beforeAll(async () => {
  ({ api, end } = await standing());
  fixture = await startFixture(api);
});
afterAll(() => end());

/**
 * The response to an unknown id where that is not a 404 (docs/server-behaviour.md#groups,
 * docs/server-behaviour.md#network-resources).
 */
const UNKNOWN_IDS: Readonly<Record<string, number>> = {
  deleteGroup: 400,
  acceptUserInvite: 422,
  changePassword: 422,
  getUserInvite: 422,
  listAccessiblePeers: 200,
  listNetworkResources: 200,
  listNetworkRouters: 200,
};

/** The refusal of a missing field, where the contract does not decide it (docs/server-behaviour.md#users). */
const MISSING_FIELDS: Readonly<Record<string, readonly [number, string]>> = {
  'updateUser auto_groups': [400, "auto_groups field can't be absent"],
};

/** What a user without any right may call all the same, about themself (docs/server-behaviour.md#roles). */
const FOR_EVERYBODY = ['listUsers', 'getCurrentUser', 'listPeers'];

/**
 * Their refusal where it is not a matter of rights: nobody changes the password of another
 * (docs/server-behaviour.md#users).
 */
const OTHERWISE: Readonly<Record<string, number>> = { changePassword: 422 };

describe('the emulator', () => {
  it('has a handler for every operation, and for nothing else', () => {
    const ids = [...operations, ...contract.netbirdOperations].map(({ id }) => id);
    const handled = [...Object.keys(HANDLERS), ...Object.keys(PUBLIC_HANDLERS)];
    expect(handled.toSorted()).toEqual(ids.toSorted());
    expect(ids).toHaveLength(142 + 36);
  });
});

describe.each(operations)('$id', operation => {
  const { method } = operation;
  beforeEach(() => fixture.restore(operation));

  it('responds to a valid request as documented', async () => {
    const answer = await api.call(method, fixture.path(operation), fixture.body(operation));
    expect(answer.status, answer.text).toBe(200);
  });
});

describe.each(operations.filter(operation => operation.public))('$id', operation => {
  beforeEach(() => fixture.restore(operation));

  it('needs no credentials', async () => {
    const path = fixture.path(operation);
    const answer = await api.call(operation.method, path, fixture.body(operation), '');
    expect(answer.status, answer.text).toBe(200);
  });
});

describe.each(operations.filter(operation => !operation.public))('$id', operation => {
  const { method } = operation;
  beforeEach(() => fixture.restore(operation));

  it('answers 401 without credentials', async () => {
    const answer = await api.call(method, operation.path, undefined, '');
    expect(answer).toMatchObject({ status: 401, body: { code: 401 } });
  });

  it('answers 403 to a user without any permission, whatever is requested', async () => {
    const as = `Token ${fixture.outsider}`;
    const answer = await api.call(method, fixture.path(operation), fixture.body(operation), as);
    const isOpen = FOR_EVERYBODY.includes(operation.id);
    expect(answer.status, answer.text).toBe(isOpen ? 200 : (OTHERWISE[operation.id] ?? 403));
  });
});

describe.each(operations.filter(({ path }) => path.includes('{')))('$id', operation => {
  beforeEach(() => fixture.restore(operation));

  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
  it.each(names)('refuses an unknown %s', async name => {
    const target = fixture.path(operation, { [name]: 'none' });
    const answer = await api.call(operation.method, target, fixture.body(operation));
    const isOwn = name === names.at(-1);
    const status = isOwn ? UNKNOWN_IDS[operation.id] : undefined;
    expect(answer.status, answer.text).toBe(status ?? 404);
  });
});

describe.each(operations.filter(({ request }) => request !== undefined))('$id', operation => {
  const { method } = operation;
  beforeEach(() => fixture.restore(operation));

  it('refuses malformed JSON and values of the wrong type', async () => {
    const path = fixture.path(operation);
    expect(await api.refusal(method, path, '{"')).toMatchObject([400, expect.any(String)]);
    for (const name of Object.keys(Object(fixture.body(operation)))) {
      const wrong = { ...fixture.body(operation), [name]: [{}, 1] };
      const [status] = await api.refusal(method, path, wrong);
      expect(status, name).toBe(400);
    }
  });

  it('refuses a body without a required field', async () => {
    const required = contract.checkRequest(operation, {}).map(({ at }) => at.slice(1));
    for (const name of required) {
      const lacking = { ...fixture.body(operation), [name]: undefined };
      const answer = await api.refusal(method, fixture.path(operation), lacking);
      const reported = MISSING_FIELDS[`${operation.id} ${name}`];
      expect(answer).toEqual(reported ?? [422, `${name.toLowerCase()} is required`]);
    }
    const isPartial = /^update(Scim|Directory)|^regenerateUserInvite/.test(operation.id);
    expect(required.length === 0).toBe(isPartial);
  });
});
