// The number of flows that a plan leaves as they are.
import { expect, test } from 'vitest';
import { comparison } from '../../../src/access/plan/comparison.ts';
import { planAccess } from '../../../src/access/plan/planAccess.ts';
import type { Account, Policy, Rule } from '../slow/account.ts';
import { accountOf, planBetween } from './wayOf.ts';

const peer = (id: string, version: string) => ({
  id,
  name: id,
  version,
  approval_required: false,
  login_expired: false,
});

const PEERS = [peer('mia', '0.55.0'), peer('db', '0.70.0'), peer('wiki', '0.70.0')];

/** The policies of an account in which `dev` has a machine, and `servers` two. */
function account(minimum: string, ...policies: readonly Policy[]): Account {
  const all = { id: 'All', name: 'All', peers: PEERS };
  const group = (id: string, ...members: readonly string[]) => ({
    id,
    name: id,
    peers: members.map(one => ({ id: one })),
  });
  return {
    peers: PEERS,
    groups: [all, group('dev', 'mia'), group('servers', 'db', 'wiki')],
    policies,
    posture_checks: [
      { id: 'recent', name: 'recent', checks: { nb_version_check: { min_version: minimum } } },
    ],
    routes: [],
    networks: [],
  };
}

const ssh = (id: string, sides: Partial<Rule>, ...checks: readonly string[]): Policy => ({
  id,
  name: id,
  enabled: true,
  source_posture_checks: checks,
  rules: [
    {
      id: `${id} rule`,
      name: id,
      enabled: true,
      action: 'accept',
      protocol: 'tcp',
      bidirectional: false,
      ports: ['22'],
      sources: [{ id: 'dev' }],
      ...sides,
    },
  ],
});

function accessBetween(before: Account, after: Account) {
  const made = planBetween(before, after);
  if (made === undefined) throw new Error('a plan was expected');
  const { changes, flows } = planAccess(made.plan, comparison(accountOf(made)));
  return { lines: changes.map(({ change }) => change), flows };
}

const SERVERS = { destinations: [{ id: 'servers' }] };
const MIA_TO_DB = {
  sources: [],
  sourceResource: { id: 'mia', type: 'peer' },
  destinationResource: { id: 'db', type: 'peer' },
};

test('a flow stays the same flow if another policy allows it as well', () => {
  const before = account('0.50.0', ssh('a', SERVERS));
  const after = account('0.50.0', ssh('a', SERVERS), ssh('b', MIA_TO_DB));
  // The machines of the servers and those that join them are reached alike.
  expect(accessBetween(before, after)).toEqual({ lines: [], flows: 1 });
});

test('a flow changes if its sources pass a check before the plan and fail it afterwards', () => {
  const before = account('0.50.0', ssh('a', SERVERS, 'recent'));
  const after = account('0.60.0', ssh('a', SERVERS, 'recent'));
  expect(accessBetween(before, after)).toEqual({ lines: ['lost'], flows: 0 });
});
