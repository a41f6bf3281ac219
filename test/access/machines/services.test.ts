// What a service opens of a network resource during an apply, where nobody knows the posture of the machines that route it.
import { expect, test } from 'vitest';
import { orderJudge } from '../../../src/access/replay/judgedOrder.ts';
import { planStates } from '../../../src/access/replay/planStates.ts';
import { idsIn, pointsOf } from '../plan/stepPoints.ts';
import { accountOf, planBetween, wayOf } from '../plan/wayOf.ts';
import type { Account } from '../slow/account.ts';
import { slowViolations } from '../slow/way.ts';

// Nothing is known about the machines.
const PEERS = ['p0', 'p1'].map(id => ({
  id,
  name: id,
  approval_required: false,
  login_expired: false,
}));

const routedBy = (group: string): Account => ({
  peers: PEERS,
  groups: [
    { id: 'gAll', name: 'All', peers: PEERS },
    { id: 'g0', name: 'g0', peers: PEERS.slice(0, 1) },
    { id: 'g1', name: 'g1', peers: PEERS.slice(1) },
  ],
  policies: [
    {
      id: 'q0',
      name: 'q0',
      enabled: true,
      source_posture_checks: ['c0'],
      rules: [
        {
          id: 'l0',
          name: 'rule',
          enabled: true,
          action: 'accept',
          bidirectional: false,
          protocol: 'tcp',
          ports: ['22'],
          sources: [{ id: 'g0' }, { id: 'g1' }],
          destinations: [{ id: 'g0' }],
        },
      ],
    },
  ],
  posture_checks: [
    { id: 'c0', name: 'c0', checks: { nb_version_check: { min_version: '0.60.0' } } },
  ],
  routes: [],
  networks: [
    {
      id: 'n0',
      name: 'network-0',
      resources: [
        {
          id: 'r00',
          name: 'resource',
          address: '10.0.0.5/32',
          enabled: true,
          groups: [{ id: 'g0' }],
        },
      ],
      routers: [{ id: `n0 ${group}`, enabled: true, peer_groups: [group] }],
    },
  ],
  services: [
    {
      id: 's0',
      name: 's0',
      domain: 's0.eu.proxy.test',
      enabled: true,
      targets: [
        { target_id: 'r00', target_type: 'host', protocol: 'http', port: 9000, enabled: true },
      ],
    },
  ],
});

test('a service is reported as missing while its network has no routing machine', () => {
  const [before, after] = ['g0', 'g1'].map(routedBy) as [Account, Account];
  const made = planBetween(before, after);
  if (made === undefined) throw new Error('a plan');
  const verbs = made.plan.actions.map(({ verb }) => verb);
  const actions = verbs[0] === 'delete' ? made.plan.actions : made.plan.actions.toReversed();
  const account = accountOf(made);
  const judge = orderJudge(account, planStates(account, actions));
  const ports = [22, 9000];
  const named = pointsOf(judge.judged(actions), judge.frame, idsIn(after), ports);
  const gap = 'gap 1 internet > resource n0 10.0.0.5/32 tcp 9000';
  expect([...slowViolations(wayOf(before, after, actions))]).toContain(gap);
  expect(named).toContain(gap);
});
