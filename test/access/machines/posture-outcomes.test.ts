// Posture checks on the way from one account to another: what a machine of which nothing is known passes before a check is
// redefined says nothing about what it passes afterwards.
import { describe, expect, test } from 'vitest';
import { reachesOf } from '../../../src/access/flows/reaches.ts';
import { outOfBounds } from '../../../src/access/replay/bounds.ts';
import { orderedPlan } from '../../../src/access/replay/planOrder.ts';
import { indexesIn } from '../../../src/access/sets/bits.ts';
import type { Row } from '../../../src/access/sets/row.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import { frameOf } from '../../../src/access/world/world.ts';
import { planned } from '../../../src/engine/plan/plan.ts';
import { live } from '../../engine/planning.ts';
import { desiredOf, KINDS } from '../../support/files.ts';
import { memberName, stateOf, targetName } from '../names.ts';
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

function outOfBoundsIn(first: Account, step: Account, last: Account) {
  const frame = frameOf(stateOf(first), stateOf(last));
  const pool = rowPool();
  const ends = { first: reachesOf(frame.first, pool), last: reachesOf(frame.last, pool) };
  return { frame, found: outOfBounds(reachesOf(frame.between(stateOf(step)), pool), ends) };
}

/** Who has too little and too much in a state between two others. */
function exceeding(first: Account, step: Account, last: Account): readonly string[] {
  const { frame, found } = outOfBoundsIn(first, step, last);
  const names = (row: Row) =>
    [...new Set(row.flatMap(({ sources }) => [...indexesIn(sources)]))].map(index =>
      memberName(index, [frame.first, frame.last]),
    );
  return [...(found ?? new Map<string, never>()).values()].flatMap(({ target, gap, opening }) =>
    [
      ...names(gap).map(name => `gap ${name}`),
      ...names(opening).map(name => `opening ${name}`),
    ].map(text => `${text} > ${targetName(target, [frame.first, frame.last])}`),
  );
}

const running = (id: string, path: string): Check => ({
  id,
  name: id,
  checks: { process_check: { processes: [{ linux_path: path }] } },
});

describe('an address behind routing machines', () => {
  const peers = [peer('a'), peer('b'), peer('laptop')];
  const behind = (
    policies: readonly Policy[],
    checks: readonly Check[],
    controlled: readonly string[] = [],
  ): Account => ({
    peers,
    groups: [
      group('All', 'a', 'b', 'laptop'),
      group('dev', 'laptop'),
      group('gw', 'a', 'b'),
      group('lan'),
    ],
    policies,
    posture_checks: checks,
    networks: [],
    routes: [
      {
        id: 'w',
        network_id: 'office',
        network: '172.16.0.0/24',
        enabled: true,
        peer_groups: ['gw'],
        groups: ['dev'],
        access_control_groups: controlled,
      },
    ],
  });

  test('each machine has its own posture checks: a different one delivers the traffic after the change', () => {
    const toDev = { sources: [{ id: 'gw' }], destinations: [{ id: 'dev' }] };
    const checks = [running('c0', '/a'), running('c1', '/b')];
    const by = (...required: readonly string[]) =>
      behind([policy('p', required, rule('r', ['22'], toDev))], checks);
    expect(exceeding(by('c0'), by('c0', 'c1'), by('c1'))).toContain(
      'gap machine laptop > route office 172.16.0.0/24',
    );
  });

  test('many conditions matter together, and some do not matter', () => {
    const checks = ['c0', 'c1', 'c2', 'c3', 'c4'].map(id => running(id, `/${id}`));
    const toLan = { destinations: [{ id: 'lan' }] };
    const drop = (id: string, check: string) =>
      policy(id, [check], rule(`r${id}`, ['22'], { ...toLan, action: 'drop' }));
    const always = [
      policy('edge', ['c0'], rule('re', ['1'], { destinations: [{ id: 'gw' }] })),
      policy('accept', ['c1'], rule('ra', ['22'], toLan)),
      drop('never', 'c4'),
    ];
    const state = (...more: readonly Policy[]) => behind([...always, ...more], checks, ['lan']);
    expect(exceeding(state(drop('d2', 'c2')), state(), state(drop('d3', 'c3')))).toContain(
      'opening machine laptop > route office 172.16.0.0/24',
    );
  });
});

test('too many outcomes to examine give no verdict', () => {
  const checks = Array.from({ length: 36 }, (_, at) => running(`c${at}`, `/${at}`));
  const each = (from: number, action: string) =>
    checks
      .slice(from, from + 12)
      .map(({ id }) => policy(id, [id], rule(`r${id}`, ['22'], { action })));
  const states = [each(0, 'drop'), each(12, 'accept'), each(24, 'drop')] as const;
  const accounts = states.map(policies => account([...policies], checks));
  const [first, step, last] = accounts;
  if (!first || !step || !last) throw new Error('three accounts');
  expect(outOfBoundsIn(first, step, last).found).toBeNull();
  const few = states.map(policies => account(policies.slice(0, 3), checks));
  expect(few.map(one => one.policies.length)).toEqual([3, 3, 3]);
  const [a = first, b = step, c = last] = few;
  expect(outOfBoundsIn(a, b, c).found?.size).toBeGreaterThan(0);
});

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
