// The hazard of access that a plan removes and that is in use.
import { describe, expect, test } from 'vitest';
import { reachesOf } from '../../../src/access/flows/reaches.ts';
import type { Evaluation } from '../../../src/access/gates/evaluation.ts';
import { usedFindings } from '../../../src/access/gates/usedFindings.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import type { AccessState } from '../../../src/access/state/accessState.ts';
import { worldsOf } from '../../../src/access/world/world.ts';
import { hazardsIn } from '../../../src/model/access/accessFindings.ts';
import { repeatedFlows } from '../../../src/usage/attribution/flowCount.ts';
import { unexplainedAmong } from '../../../src/usage/attribution/unexplained.ts';
import { usedDaysAmong } from '../../../src/usage/attribution/usedDays.ts';
import type { Endpoint } from '../../../src/usage/observed.ts';
import {
  account,
  address,
  flow,
  machine,
  observed,
  onDays,
  policy,
  resource,
  route,
} from '../../usage/observations.ts';
import { stateOf } from '../names.ts';

/** What the gate reads of an evaluation of two states. */
function between(stateBefore: AccessState, stateAfter: AccessState): Evaluation {
  const pool = rowPool();
  const [before, after] = worldsOf([stateBefore, stateAfter]).map(world => reachesOf(world, pool));
  const states = { stateBefore, stateAfter, before, after, isSame: () => false };
  return {
    states,
    access: { status: 'complete' },
    causesOf: () => ['policy/laptops to servers'],
  } as unknown as Evaluation;
}

const FLOWS = [
  flow(machine('p1'), machine('p3')),
  flow(machine('p1'), machine('p3'), { direction: 'out', reporters: ['p1'] }),
  flow(machine('p2'), machine('p3'), { days: onDays(0, 3) }),
  flow(machine('p2'), machine('p4')),
  flow(machine('p1'), machine('p5')),
];
const used = { flows: repeatedFlows(FLOWS, usedDaysAmong(FLOWS)), since: '2026-10-01' };

test('the message says which flows are affected, how many, and of how many machines', () => {
  const less = account({ policies: [policy('q1', 'laptops to servers', ['g5'], ['g2'])] });
  const found = usedFindings(between(stateOf(account()), stateOf(less)), used);
  expect(found).toEqual([
    {
      gate: 'use',
      code: 'CUTS_USED_ACCESS',
      what: 'lost',
      who: 'peer/mia',
      where: 'peer/web-1',
      detail: '1 flow of 1 machine since 2026-10-01',
      pairs: 1,
      causes: ['policy/laptops to servers'],
    },
  ]);
  const nothing = usedFindings(
    between(stateOf(account()), stateOf(account({ policies: [] }))),
    used,
  );
  expect(hazardsIn(nothing)).toEqual([
    {
      code: 'CUTS_USED_ACCESS',
      message:
        'the plan removes access that is in use: it would have stopped 4 flows of 2 machines since 2026-10-01: peer/mia → peer/web-1, peer/noor → peer/web-1, peer/noor → peer/web-2',
      flows: ['peer/mia → peer/web-1', 'peer/noor → peer/web-1', 'peer/noor → peer/web-2'],
      pairs: 3,
      allowed: false,
    },
  ]);
});

test('access that another rule keeps is not lost, and losing unused access is not a hazard', () => {
  const other = account({ policies: [policy('q9', 'all', ['g0'], ['g2'])] });
  expect(usedFindings(between(stateOf(account()), stateOf(other)), used)).toEqual([]);
  const none = { ...used, flows: [] };
  expect(
    usedFindings(between(stateOf(account()), stateOf(account({ policies: [] }))), none),
  ).toEqual([]);
});

test('access counts as lost if only expiring objects still give it, unless they gave it before', () => {
  const both = account({
    policies: [
      policy('q1', 'laptops to servers', ['g1', 'g5'], ['g2']),
      policy('q9', 'for a day', ['g0'], ['g2']),
    ],
  });
  const left = account({ policies: [policy('q9', 'for a day', ['g0'], ['g2'])] });
  const states = between(stateOf(both), stateOf(left));
  expect(usedFindings(states, used)).toEqual([]);
  const isDay = ({ key }: { readonly key: string }) => key === 'for a day';
  expect(usedFindings(states, used, isDay).length).toBeGreaterThan(0);
  expect(usedFindings(states, used, () => true)).toEqual([]);
});

test('a posture check that the only sources fail cuts access', () => {
  const strict = account();
  const checked = {
    ...strict,
    policies: strict.policies.map(one => ({ ...one, source_posture_checks: ['c1'] })),
    posture_checks: [
      { id: 'c1', name: 'new agents', checks: { nb_version_check: { min_version: '0.99.0' } } },
    ],
  };
  expect(usedFindings(between(stateOf(strict), stateOf(checked)), used).length).toBeGreaterThan(0);
  expect(usedFindings(between(stateOf(checked), stateOf(checked)), used)).toEqual([]);
});

test('a posture check whose result is unknown may cut access, unless it was there before', () => {
  const checks = { peer_network_range_check: { ranges: ['10.0.0.0/8'], action: 'allow' } };
  const plain = account();
  const checked = {
    ...plain,
    policies: plain.policies.map(one => ({ ...one, source_posture_checks: ['c1'] })),
    posture_checks: [{ id: 'c1', name: 'office', checks }],
  };
  expect(usedFindings(between(stateOf(plain), stateOf(checked)), used).length).toBeGreaterThan(0);
  expect(usedFindings(between(stateOf(checked), stateOf(checked)), used)).toEqual([]);
  expect(usedFindings(between(stateOf(checked), stateOf(plain)), used)).toEqual([]);
});

describe('routes to the same address', () => {
  const edges = [policy('q1', 'to gateways', ['g1'], ['g3'], { protocol: 'icmp', ports: [] })];
  const routed = (...routes: ReturnType<typeof route>[]) =>
    stateOf(account({ routes, policies: edges, networks: [] }));
  const narrow = route('narrow', { network: '10.96.0.0/16', peer: 'p5', groups: ['g1'] });
  const wide = route('wide', { network: '10.0.0.0/8', peer: 'p6', groups: ['g1'] });
  const exit = route('exit', { network: '0.0.0.0/0', peer: 'p6', groups: ['g1'] });
  const flows = [flow(machine('p1'), address('10.96.0.5'))];
  const seen = { flows: repeatedFlows(flows, usedDaysAmong(flows)), since: '2026-10-01' };
  const cut = (before: AccessState, after: AccessState) =>
    usedFindings(between(before, after), seen).length;

  test('an exit node does not take the place of a removed route', () => {
    expect(cut(routed(narrow, exit), routed(exit))).toBe(1);
    expect(cut(routed(narrow, wide), routed(wide))).toBe(0);
    expect(cut(routed(exit), routed(exit, wide))).toBe(0);
  });

  test('a new narrower route may take the traffic of a wider one, and refuse it', () => {
    const controlled = { ...narrow, access_control_groups: ['g4'] };
    expect(cut(routed(wide), routed(wide, controlled))).toBe(1);
    expect(cut(routed(wide), routed(wide, narrow))).toBe(0);
    expect(cut(routed(wide, controlled), routed(wide, controlled))).toBe(0);
    expect(cut(routed(wide), routed(wide, { ...controlled, groups: ['g2'] }))).toBe(0);
    // A flow is stored with the range that was declared.
    const ranges = [flow(machine('p1'), address('10.0.0.0/8'))];
    const toRange = { ...seen, flows: repeatedFlows(ranges, usedDaysAmong(ranges)) };
    expect(usedFindings(between(routed(wide), routed(wide, controlled)), toRange)).toHaveLength(1);
  });
});

describe('a domain beside an exit node', () => {
  const resources = [
    { id: 'r1', name: 'wiki', address: 'wiki.test', enabled: true, groups: [{ id: 'g4' }] },
  ];
  const exitAt = (peer: string) => route('exit', { network: '0.0.0.0/0', peer, groups: ['g1'] });
  const names = route('names', {
    network: undefined,
    domains: ['names.test'],
    peer: 'p5',
    groups: ['g1'],
  } as object);
  const edge = policy('q1', 'to gateways', ['g0'], ['g3'], { protocol: 'icmp', ports: [] });
  const wiki = policy('q2', 'wiki', ['g1'], ['g4']);
  const wide = route('wide', { network: '10.0.0.0/8', peer: 'p6', groups: ['g1'] });
  const state = (policies: ReturnType<typeof policy>[], ...routes: ReturnType<typeof route>[]) =>
    stateOf(
      account({
        networks: [
          {
            id: 'n1',
            name: 'office',
            resources,
            routers: [{ id: 'x1', enabled: true, peer: 'p5' }],
          },
        ],
        policies: [edge].concat(policies),
        routes,
      }),
    );
  const cut = (
    before: AccessState,
    after: AccessState,
    reporters: readonly string[] = ['p1', 'p5'],
    [from, to]: readonly [Endpoint, Endpoint] = [machine('p1'), address('0.0.0.0/0')],
  ) => {
    const flows = [flow(from, to, { reporters })];
    const given = observed({ 0: before }, flows);
    return usedFindings(between(before, after), {
      flows: repeatedFlows(flows, usedDaysAmong(flows)),
      since: '2026-10-01',
      unexplainedAmong: texts => unexplainedAmong(given, texts),
    }).map(({ detail }) => detail);
  };
  const possibly =
    '1 flow of 1 machine since 2026-10-01 (possibly: it is unknown what admitted them)';

  test('is in use if its routing machine reported the flow', () => {
    const before = state([wiki], exitAt('p6'), names);
    expect(cut(before, state([], exitAt('p6'), names))).toEqual([possibly]);
    expect(cut(before, state([wiki], exitAt('p6')))).toEqual([possibly]);
    expect(cut(before, state([], exitAt('p6'), names), ['p1', 'p6'])).toEqual([]);
    expect(cut(before, state([], exitAt('p6'), names), ['p1'])).toEqual([]);
    const other = policy('q2', 'wiki', ['g1'], ['g4'], { ports: ['22'] });
    expect(cut(state([other], exitAt('p6')), state([], exitAt('p6')))).toEqual([]);
  });

  test('is not cut if another rule admits the flow to it, or a route through the same machine', () => {
    const all = policy('q9', 'all', ['g0'], ['g4'], { protocol: 'all', ports: [] });
    expect(cut(state([wiki], exitAt('p6')), state([all], exitAt('p6')))).toEqual([]);
    expect(cut(state([wiki], exitAt('p5')), state([], exitAt('p5')))).toEqual([]);
    expect(cut(state([wiki], exitAt('p5')), state([], exitAt('p6')))).toEqual([possibly]);
    const toOffice = [machine('p1'), address('10.0.0.0/8')] as const;
    expect(cut(state([wiki], wide), state([], wide), ['p1', 'p5'], toOffice)).toEqual([]);
  });

  test('is in use by a machine that came and went, or was in the group for a short time', () => {
    const before = state([wiki], exitAt('p6'));
    const after = state([], exitAt('p6'));
    const from = (id: string) => cut(before, after, ['p5'], [machine(id), address('0.0.0.0/0')]);
    expect(from('p77')).toEqual([possibly]);
    expect(from('p3')).toEqual([possibly]);
  });

  test('is in use beside a wide resource of another routing machine', () => {
    const office = (policies: ReturnType<typeof policy>[]) =>
      stateOf(
        account({
          networks: [
            {
              id: 'n1',
              name: 'names',
              resources,
              routers: [{ id: 'x1', enabled: true, peer: 'p5' }],
            },
            {
              id: 'n2',
              name: 'all',
              resources: [
                {
                  id: 'r2',
                  name: 'net',
                  address: '0.0.0.0/0',
                  enabled: true,
                  groups: [{ id: 'g5' }],
                },
              ],
              routers: [{ id: 'x2', enabled: true, peer: 'p6' }],
            },
          ],
          policies: [policy('q3', 'net', ['g1'], ['g5'])].concat(policies),
        }),
      );
    const of = (...reporters: readonly string[]) =>
      cut(office([wiki]), office([]), reporters, [machine('p1'), resource('r2')]);
    expect(of('p5')).toEqual([possibly]);
    expect(of('p6')).toEqual([]);
  });
});

test.each([
  ['10.0.0.1/32', '10.0.0.2/32', true],
  ['10.0.0.0/24', '10.0.0.128/25', true],
  ['10.0.0.0/24', '10.0.0.0/16', false],
  ['one.example.org', 'two.example.org', true],
  ['one.example.org', '*.example.org', false],
])(
  'a changed address of a used network resource, %s to %s, takes used access: %s',
  (was, is, isCut) => {
    const state = (address: string) => {
      const networks = account().networks.map(one => ({
        ...one,
        resources: one.resources.map(own => ({ ...own, address })),
      }));
      return stateOf(account({ networks }));
    };
    const to = [flow(machine('p1'), resource('r1'))];
    const seen = { flows: repeatedFlows(to, usedDaysAmong(to)), since: '2026-10-01' };
    expect(usedFindings(between(state(was), state(is)), seen)).toHaveLength(isCut ? 1 : 0);
  },
);

describe('a flow whose permitting rule is unknown', () => {
  const flows = [
    flow(machine('p77'), machine('p3'), { days: onDays(0, 3) }),
    flow(machine('p5'), machine('p4')),
  ];
  const seen = {
    flows: repeatedFlows(flows, usedDaysAmong(flows)),
    since: '2026-10-01',
    unexplainedAmong: (texts: ReadonlySet<string>) =>
      unexplainedAmong(observed({ 0: account() }, flows), texts),
  };
  const found = (policies: ReturnType<typeof policy>[], given = seen) =>
    usedFindings(between(stateOf(account()), stateOf(account({ policies }))), given);
  const archives = policy('q2', 'laptops to archives', ['g1'], ['g4']);

  test('may be stopped if the plan removes a rule that it may have used', () => {
    expect(hazardsIn(found([archives]))).toMatchObject([
      {
        code: 'CUTS_USED_ACCESS',
        message:
          'the plan removes access that is in use: it would have stopped 3 flows of 2 machines since 2026-10-01 (possibly: it is unknown what admitted them): peer/gate-1 → peer/web-2, peer/id:p77 → peer/web-1',
      },
    ]);
    const both = [...flows, flow(machine('p1'), machine('p3'))];
    const mixed = { ...seen, flows: repeatedFlows(both, usedDaysAmong(both)) };
    expect(found([archives], mixed)[0]?.detail).toBe(
      '4 flows of 3 machines since 2026-10-01 (3 flows possibly: it is unknown what admitted them)',
    );
  });

  test('may be stopped if one of its groups, or its port, is removed from the rule', () => {
    const narrow = policy('q1', 'laptops to servers', ['g5'], ['g2']);
    expect(found([narrow, archives])).toHaveLength(2);
    const port = policy('q1', 'laptops to servers', ['g1', 'g5'], ['g2'], { ports: ['22'] });
    expect(found([port, archives])).toHaveLength(2);
  });

  test('is not stopped if all that it may have used stays', () => {
    const wider = policy('q1', 'laptops to servers', ['g1', 'g5'], ['g2'], {
      protocol: 'all',
      ports: [],
    });
    expect(found([wider])).toEqual([]);
  });

  test('is not stopped if the rule that admitted it then does not exist any more', () => {
    const states = { 0: account({ policies: [policy('q9', 'once', ['g0'], ['g2'])] }) };
    const gone = [flow(machine('p5'), machine('p4'))];
    const known = {
      flows: repeatedFlows(gone, usedDaysAmong(gone)),
      since: '2026-10-01',
      unexplainedAmong: (texts: ReadonlySet<string>) =>
        unexplainedAmong(observed(states, gone), texts),
    };
    expect(found([archives], known)).toEqual([]);
  });
});

test('unreadable lists make the use unknown', () => {
  const unread = { ...stateOf(account()), unread: new Map([['groups', 'HTTP 403'] as const]) };
  expect(usedFindings(between(unread, unread), used)).toMatchObject([{ what: 'unread' }]);
});
