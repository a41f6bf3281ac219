// Posture checks on the way from one account to another: what a machine of which nothing is known passes before a check is
// redefined says nothing about what it passes afterwards.
import { describe, expect, test } from 'vitest';
import { orderedPlan } from '../../../src/access/replay/planOrder.ts';
import { planned } from '../../../src/engine/plan/plan.ts';
import { live } from '../../engine/planning.ts';
import { desiredOf, KINDS } from '../../support/files.ts';
import { fileOf, readsOf } from '../plan/planInputs.ts';
import type { Account, Check, Peer, Policy, Rule } from '../slow/account.ts';

const group = (id: string, ...peers: readonly string[]) => ({
  id,
  name: id,
  peers: peers.map(peer => ({ id: peer })),
});

const peer = (id: string, more: Partial<Peer> = {}): Peer => ({
  id,
  name: id,
  approval_required: false,
  login_expired: false,
  ...more,
});

const rule = (id: string, ports: readonly string[], more: Partial<Rule> = {}): Rule => ({
  id,
  name: id,
  enabled: true,
  action: 'accept',
  protocol: 'tcp',
  bidirectional: false,
  ports,
  sources: [{ id: 'dev' }],
  destinations: [{ id: 'db' }],
  ...more,
});

const policy = (id: string, checks: readonly string[], ...rules: readonly Rule[]): Policy => ({
  id,
  name: id,
  enabled: true,
  source_posture_checks: checks,
  rules,
});

const agent = (version: string): Check => ({
  id: 'agent',
  name: 'agent',
  checks: { nb_version_check: { min_version: version } },
});

const account = (
  policies: readonly Policy[],
  posture_checks: readonly Check[],
  peers: readonly Peer[] = [peer('server')],
): Account => ({
  peers,
  groups: [group('All', ...peers.map(({ id }) => id)), group('dev'), group('db', 'server')],
  policies,
  posture_checks,
  routes: [],
  networks: [],
});

function stepsBetween(before: Account, after: Account) {
  const objects = live(readsOf(before));
  const settings = { dialect: 'spec', prune: 'unmanaged', allow: [], thresholds: {} } as const;
  const made = planned({
    kinds: KINDS,
    desired: desiredOf(fileOf(after)),
    base: [],
    snapshot: { objects, unavailable: new Map(), requests: 0 },
    settings,
    folder: 'test',
  });
  const replayed = { kinds: KINDS, live: objects, unavailable: new Map(), plan: made.plan };
  const { actions, access } = orderedPlan(replayed, made.rearrange);
  return {
    actions: actions.map(({ verb, address }) => `${verb} ${address}`),
    steps: access.steps.map(({ code, from, to, ports }) => `${code} ${from} → ${to} ${ports}`),
    status: access.order?.status,
  };
}

describe('a check that is redefined beside a rule that is narrowed', () => {
  const before = account([policy('ssh', ['agent'], rule('r', ['22', '443']))], [agent('0.60.0')]);

  test('loosened: the rule is narrowed first', () => {
    const after = account([policy('ssh', ['agent'], rule('r', ['443']))], [agent('0.50.0')]);
    expect(stepsBetween(before, after)).toEqual({
      actions: ['update policy.ssh', 'update posture_check.agent'],
      steps: [],
      status: 'in_bounds',
    });
  });

  test('loosened beside another rule that is widened: the narrowing still comes first', () => {
    const two = (ports: readonly string[], others: readonly string[]) => [
      policy('p', ['agent'], rule('r', ports)),
      policy('q', ['agent'], rule('s', others)),
    ];
    const after = account(two(['443'], ['80', '8080']), [agent('0.50.0')]);
    const made = stepsBetween(account(two(['22', '443'], ['80']), [agent('0.60.0')]), after);
    expect(made.steps).toEqual([]);
    expect(made.actions.indexOf('update policy.p')).toBeLessThan(
      made.actions.indexOf('update posture_check.agent'),
    );
  });
});
