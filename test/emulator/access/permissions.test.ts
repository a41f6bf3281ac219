// Who may do what: the table of roles (docs/server-behaviour.md#roles), held against every operation.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadContract, type Operation } from '../../../src/contract/index.ts';
import { type Emulated, standing } from '../emulated.ts';
import { type Fixture, startFixture } from '../fixture.ts';
import { type Person, person, robot, statusFor } from '../people/people.ts';

type Extent = 'all' | 'read' | '–';

const ROLES = ['admin', 'network_admin', 'auditor', 'user', 'billing_admin'] as const;
type Role = (typeof ROLES)[number];

/** The table, a row for the tags of each module. Rights that are not public are our assumption: like remote jobs. */
const TABLE: readonly [tags: readonly string[], row: Readonly<Record<Role, Extent>>][] = [
  [
    ['Groups', 'Policies', 'Posture checks', 'Networks', 'Routes', 'Tokens'],
    { admin: 'all', network_admin: 'all', auditor: 'read', user: '–', billing_admin: '–' },
  ],
  [
    ['Setup keys', 'Peers', 'Users', 'Invites', 'Event logs', 'Identity providers'],
    { admin: 'all', network_admin: 'read', auditor: 'read', user: '–', billing_admin: '–' },
  ],
  [
    [
      'Jobs',
      'Ingress',
      'MSP tenants',
      'Endpoint detection',
      'Directory sync',
      'Notifications',
      'Event streaming',
    ],
    { admin: 'all', network_admin: '–', auditor: 'read', user: '–', billing_admin: '–' },
  ],
];

/** What everybody may read of themself, or after a look at whose it is. */
const OF_EVERYBODY = ['listUsers', 'getCurrentUser', 'listPeers'];
/** Besides the table, tokens are for their owner, or for owner and admin if a service user has them. */
const ONLY_ADMINS = ['listTokens', 'getToken', 'createToken', 'deleteToken'];

const offered = loadContract().operations.filter(one => !one.public);

let api: Emulated;
let fixture: Fixture;
let end: () => Promise<void>;
const people = new Map<string, Person>();
beforeAll(async () => {
  ({ api, end } = await standing());
  for (const role of ROLES) people.set(role, await person(api, role));
  people.set('service user', await robot(api, 'user'));
  fixture = await startFixture(api);
});
afterAll(() => end());

/** What is answered to those who ask for what is nobody's but another's. */
const OWN_MATTERS: Readonly<Record<string, number>> = {
  changePassword: 422,
  // Only the owner of the invited account can answer.
  answerMspTenantInvite: 403,
};

/** What a successful write before may have changed. */
let isTouched = true;

async function mayCall(operation: Operation, who: string): Promise<boolean> {
  if (isTouched || operation.id.startsWith('createEdr')) await fixture.restore(operation);
  const caller = people.get(who) ?? { id: '', as: '' };
  const target = fixture.path(operation);
  const status = await statusFor(api, caller, operation.method, target, fixture.body(operation));
  expect([200, 403, OWN_MATTERS[operation.id]]).toContain(status);
  isTouched =
    operation.method !== 'GET' && (status === 200 || operation.id.startsWith('createEdr'));
  return status === 200;
}

function allows({ id, tag, method }: Operation, role: Role): boolean {
  const [, row] = TABLE.find(([tags]) => tags.includes(tag)) ?? [];
  const extent = row?.[role];
  if (id in OWN_MATTERS) return false;
  if (OF_EVERYBODY.includes(id)) return role !== 'billing_admin';
  if (ONLY_ADMINS.includes(id)) return role === 'admin';
  return extent === 'all' || (extent === 'read' && method === 'GET');
}

it('every tag has its row, and only once', () => {
  const tags = TABLE.flatMap(([some]) => some);
  expect(tags.toSorted()).toEqual(
    [...new Set(loadContract().operations.map(({ tag }) => tag))].toSorted(),
  );
});

describe.each(ROLES)('a user who is %s', role => {
  it.each(offered)('$id', async operation => {
    expect(await mayCall(operation, role)).toBe(allows(operation, role));
  });
});

describe('a service user of the smallest role', () => {
  it.each(offered)('may read everything and write nothing: $id', async operation => {
    const isOwnMatter = [...ONLY_ADMINS, 'getCurrentUser'].includes(operation.id);
    const may = operation.method === 'GET' && !isOwnMatter;
    expect(await mayCall(operation, 'service user')).toBe(may);
  });
});
