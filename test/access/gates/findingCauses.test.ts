// What findings of guards and of access tests are because of: of a new network resource whose name a record leads to something guarded,
// the record is a cause as well, and a failed line names what breaks it.
import { expect, test } from 'vitest';
import { evaluatedPlan } from '../../../src/access/gates/evaluation.ts';
import { gatesOf } from '../../../src/access/gates/gates.ts';
import { accountOf, planBetween } from '../plan/wayOf.ts';
import type { Account, Policy } from '../slow/account.ts';
import { TEST, written } from './writtenTest.ts';

const DB = 'network_resource/prod/db';

const peer = (id: string) => ({
  id,
  name: id,
  approval_required: false,
  login_expired: false,
});

const rule = (id: string, source: string, destination: string): Policy => ({
  id,
  name: id,
  enabled: true,
  source_posture_checks: [],
  rules: [
    {
      id: `${id} rule`,
      name: id,
      enabled: true,
      action: 'accept',
      protocol: 'tcp',
      bidirectional: false,
      ports: ['443'],
      sources: [{ id: source }],
      destinations: [{ id: destination }],
    },
  ],
});

const group = (id: string, ...members: readonly string[]) => ({
  id,
  name: id,
  peers: members.map(one => ({ id: one })),
});

const network = (
  name: string,
  resource: string,
  address: string,
  ...groups: readonly string[]
) => ({
  id: name,
  name,
  resources: [
    {
      id: resource,
      name: resource,
      address,
      enabled: true,
      groups: groups.map(id => ({ id })),
    },
  ],
  routers: [{ id: `${name} router`, peer: 'gw', enabled: true, metric: 9999, masquerade: true }],
});

const PROD = network('prod', 'db', '10.20.0.5', 'dbs');

const account = (more: Partial<Account>): Account => ({
  peers: ['laptop', 'gw'].map(peer),
  groups: [group('All', 'laptop', 'gw'), group('dev', 'laptop'), group('dbs'), group('docs')],
  policies: [rule('docs', 'dev', 'docs')],
  posture_checks: [],
  routes: [],
  networks: [PROD],
  zones: [],
  ...more,
});

const zone = (content: string, type: string) => ({
  id: 'z',
  name: 'z',
  domain: 'z.test',
  enabled: true,
  distribution_groups: ['dev'],
  records: [{ id: 'a', name: 'a.z.test', type, content }],
});

function findingsBetween(before: Account, after: Account) {
  const made = planBetween(before, after);
  if (made === undefined) throw new Error('a plan was expected');
  const guards = { guarded: [{ to: DB }], noNewAccess: false };
  const tests = [
    { ...TEST, name: 'stays out', from: written('group/dev'), deny: [written(DB)] },
    { ...TEST, name: 'nobody else', to: written(DB), onlyFrom: [written('group/dbs')] },
    { ...TEST, name: 'reads docs', from: written('group/dev'), allow: [written('peer/gw')] },
  ];
  const { gates } = gatesOf(evaluatedPlan(accountOf(made), guards), {
    tests,
    areTestsJudged: true,
    guards,
    allowances: { byFlag: [], byProject: [] },
  });
  return (gates?.findings ?? []).map(({ gate, detail, causes }) => [
    gate === 'tests' ? detail : gate,
    causes.join(' '),
  ]);
}

const ROADS =
  'dns_record["z.test/a.z.test A 10.20.0.5"] dns_zone.z.test network.q network_resource.q/w network_router["q/peer=gw"]';

test('a DNS record that leads a new network resource to a guarded target is a cause', () => {
  const after = account({
    networks: [PROD, network('q', 'w', 'a.z.test', 'docs')],
    zones: [zone('10.20.0.5', 'A')],
  });
  const found = findingsBetween(account({ policies: [rule('docs', 'dev', 'docs')] }), after);
  expect(found).toContainEqual(['guarded', ROADS]);
  expect(found).toContainEqual(['deny of `stays out`', ROADS]);
  expect(found).toContainEqual(['only_from of `nobody else`', ROADS]);
  expect(found).toContainEqual(['allow of `reads docs`', '']);
});

function linesOf(one: Account, other: Account) {
  const made = planBetween(one, other);
  if (made === undefined) throw new Error('a plan was expected');
  const { access } = evaluatedPlan(accountOf(made), undefined);
  return {
    lines: access.changes.map(({ change, address, causes }) => [change, address, causes.join(' ')]),
    pairs: access.pairs,
    idle: access.without_effect,
  };
}

const OWN = 'network.q network_resource.q/w network_router["q/peer=gw"]';
const NAMED: Partial<Account> = {
  networks: [PROD, network('q', 'w', 'a.z.test', 'docs')],
  zones: [zone('10.20.0.5', 'A')],
};

test('if a new network resource has a new name, a line shows what the name leads to', () => {
  expect(linesOf(account({}), account(NAMED))).toEqual({
    lines: [
      ['gained', 'a.z.test', OWN],
      ['gained', '10.20.0.5', ROADS],
    ],
    pairs: { gained: 2, lost: 0 },
    idle: 0,
  });
});

test('if a network resource is deleted with its name, a line shows what the name led to', () => {
  // An empty list of zones deletes none.
  const other = { ...zone('10.9.9.9', 'A'), id: 'y', name: 'y', domain: 'y.test' };
  const stays = {
    ...other,
    records: [{ id: 'b', name: 'b.y.test', type: 'A', content: '10.9.9.9' }],
  };
  const { zones = [] } = NAMED;
  const { lines, ...rest } = linesOf(
    account({ ...NAMED, zones: [...zones, stays] }),
    account({ zones: [stays] }),
  );
  expect(lines).toEqual([
    ['lost', 'a.z.test', 'network.q'],
    ['lost', '10.20.0.5', 'dns_zone.z.test network.q'],
  ]);
  expect(rest).toEqual({ pairs: { gained: 0, lost: 2 }, idle: 0 });
});

test('a record that resolves the name to a different target is not a cause', () => {
  const after = account({
    networks: [PROD, network('q', 'w', '10.20.0.0/24', 'docs')],
    zones: [zone('10.9.9.9', 'A')],
  });
  const roads = 'network.q network_resource.q/w network_router["q/peer=gw"]';
  expect(findingsBetween(account({}), after)).toContainEqual(['guarded', roads]);
});

test('a line that requires access fails because of the change that removes the access', () => {
  const open = account({ policies: [rule('gw', 'dev', 'All'), rule('docs', 'dev', 'docs')] });
  expect(findingsBetween(open, account({}))).toContainEqual(['allow of `reads docs`', 'policy.gw']);
});
