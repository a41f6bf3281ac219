// The life of one object of every kind, as the contract has it: made, read, listed, changed, kept over a restart, removed.
// What is particular to a kind stands in a test of its own.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  child,
  children,
  isNodeObject,
  loadContract,
  nodeAt,
  type Operation,
} from '../../../src/contract/index.ts';
import { memoryStore } from '../../../src/emulator/index.ts';
import { present } from '../../../src/model/errors.ts';
import { type Emulated, emulated, standing } from '../emulated.ts';
import { type Fixture, startFixture } from '../fixture.ts';
import { type Family, families } from './families.ts';

const contract = loadContract();
const all = families();

/** What is shown once, where it is made: what it reads as afterwards, if it reads at all. */
const SHOWN_ONCE: Readonly<Record<string, object>> = {
  User: { password: undefined },
  UserInvite: { invite_token: undefined },
  SetupKey: { key: expect.stringMatching(/^.{5}\*{4}$/) },
  ScimIntegration: { auth_token: expect.stringMatching(/^nbs_.\*{4}$/) },
};

/** What one server alone answers at first (docs/server-behaviour.md#event-streams). */
const AFTERWARDS: Readonly<Record<string, object>> = { EventStream: { enabled: true } };

const store = memoryStore();
let api: Emulated;
let fixture: Fixture;
let end: () => Promise<void>;
beforeAll(async () => {
  ({ api, end } = await standing({ store, shuffle: false }));
  fixture = await startFixture(api);
});
afterAll(() => end());

interface Made {
  readonly family: Family;
  /** As its creation answered it. */
  readonly object: Readonly<Record<string, unknown>>;
  readonly path: string;
}

async function made(family: Family): Promise<Made> {
  await fixture.restore(family.create);
  const collection = fixture.path(family.create);
  const answer = Object(await api.post(collection, fixture.body(family.create)));
  const object = family.name === 'Token' ? answer.personal_access_token : answer;
  const path = family.list === undefined ? collection : `${collection}/${object.id}`;
  return { family, object, path };
}

/** The object as it is read: by itself, or out of its list. */
async function read(one: Made, by = api): Promise<unknown> {
  return one.family.get === undefined ? listed(one, by) : by.get(one.path);
}

async function listed({ family, object }: Made, by = api): Promise<unknown> {
  const members = [await by.get(fixture.path(family.create))].flat();
  return members.find(member => Object(member).id === object.id);
}

it('every resource of the specification is covered', () => {
  expect(all.map(({ name }) => name)).toEqual([
    'Token',
    'User',
    'UserInvite',
    'Network',
    'NetworkResource',
    'NetworkRouter',
    'Job',
    'IngressPortAllocation',
    'IngressPeer',
    'Group',
    'Route',
    'SetupKey',
    'IdentityProvider',
    'Policy',
    'PostureCheck',
    'MspTenant',
    'EdrProviderA',
    'EdrProviderB',
    'EdrProviderC',
    'EdrProviderD',
    'ScimIntegration',
    'DirectorySyncA',
    'DirectorySyncB',
    'NotificationChannel',
    'EventStream',
  ]);
});

describe.each(all)('$name', family => {
  const once = SHOWN_ONCE[family.name] ?? {};

  it('is read as it was created, except secrets, by itself and in its list', async () => {
    const one = await made(family);
    const expected = { ...one.object, ...once };
    expect(await read(one)).toEqual(expected);
    if (family.list !== undefined) expect(await listed(one)).toEqual(expected);
  });

  it('has the given values', async () => {
    const { object } = await made(family);
    for (const [name, value] of Object.entries(fixture.body(family.create) ?? {}))
      if (reads(family.create, name) && typeof value !== 'object')
        expect(object, name).toMatchObject({ [name]: value, ...AFTERWARDS[family.name] });
  });

  it('never shows write-only fields', async () => {
    const secret = 'c2VjcmV0LW1hcms=';
    await fixture.restore(family.create);
    const written = writeOnly(family.create);
    const more = Object.fromEntries(written.map(name => [name, secret]));
    const body = { ...fixture.body(family.create), ...more };
    const answer = await api.post(fixture.path(family.create), body);
    const texts = [answer, await api.get(fixture.path(family.create))];
    expect(JSON.stringify(texts)).not.toContain(secret);
    for (const name of written) expect(JSON.stringify(texts)).not.toContain(`"${name}"`);
  });

  it('survives a restart, and is invisible in another account', async () => {
    const one = await made(family);
    const before = await read(one);
    const next = await emulated({ store, shuffle: false });
    expect(await read(one, next)).toEqual(before);
    const { token } = Object(await next.control('POST', '/emulator/accounts', {}));
    const path = family.get === undefined ? fixture.path(family.create) : one.path;
    const { status, text } = await next.call('GET', path, undefined, `Token ${token}`);
    if (family.get !== undefined) expect(status).toBe(404);
    expect(text).not.toContain(`"id":"${one.object.id}"`);
  });
});

describe.each(all.filter(({ update }) => update !== undefined))('$name', family => {
  it('has the values of a PUT', async () => {
    const one = await made(family);
    const update = present(family.update, 'the update');
    const body = fixture.body(update);
    const answer = await api.put(one.path, body);
    expect(Object(answer).id).toBe(one.object.id);
    expect(await read(one)).toEqual(answer);
    for (const [name, value] of Object.entries(body ?? {}))
      if (reads(update, name) && typeof value !== 'object')
        expect(answer, name).toMatchObject({ [name]: value });
  });
});

describe.each(all.filter(({ remove }) => remove !== undefined))('$name', family => {
  it('cannot be read, listed or deleted again after its deletion', async () => {
    const one = await made(family);
    await api.remove(one.path);
    if (family.get !== undefined)
      expect(await api.refusal('GET', one.path)).toEqual([404, expect.any(String)]);
    if (family.list !== undefined) expect(await listed(one)).toBeUndefined();
    const again = family.name === 'Group' ? 400 : 404;
    expect(await api.refusal('DELETE', one.path)).toEqual([again, expect.any(String)]);
  });
});

/** The fields of a body that are written and never read, as the contract marks them. */
function writeOnly({ request = '' }: Operation): readonly string[] {
  const properties = childOf(request, 'properties');
  return properties
    .filter(([, node]) => isNodeObject(node.node) && node.node.writeOnly === true)
    .map(([name]) => name);
}

/** Whether a field that is written is one that the answer has as well. */
function reads({ replies }: Operation, name: string): boolean {
  const pointer = replies.find(({ status }) => status === '200')?.schema ?? '';
  return childOf(pointer, 'properties').some(([field]) => field === name);
}

function childOf(pointer: string, name: string) {
  const node = nodeAt(contract.document, pointer);
  const found = node && child(contract.document, node, name);
  return found === undefined ? [] : children(contract.document, found);
}
