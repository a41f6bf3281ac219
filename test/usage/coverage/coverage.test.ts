// Whether the log would have shown a use: who would admit it, and whether these reported whenever they were connected.
import { describe, expect, test } from 'vitest';
import { attribute } from '../../../src/usage/attribution/attributedFlows.ts';
import { coverageOf } from '../../../src/usage/coverage/coverage.ts';
import { reasonText } from '../../../src/usage/coverage/gapReasons.ts';
import type { Observed, ObservedFlow } from '../../../src/usage/observed.ts';
import type { Account } from '../../access/slow/account.ts';
import {
  account,
  FIRST_DAY,
  flow,
  machine,
  observed,
  onDays,
  policy,
  reporting,
  route,
} from '../observations.ts';

const ALL = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'];
const everybody = (days: number, except: Readonly<Record<string, readonly number[]>> = {}) =>
  Object.fromEntries(ALL.map(id => [id, reporting(days, except[id])]));

/** The coverage of the first rule. */
const ofFirst = (given: Observed, part = {}) => {
  const [rule] = attribute(given).rules;
  if (rule === undefined) throw new Error('no rule');
  return coverageOf(given).ofRule(rule, part);
};
const seen = (one: Account = account(), except: Readonly<Record<string, readonly number[]>> = {}) =>
  observed({ 0: one }, [], { machines: everybody(45, except) });
const first = (given: Parameters<typeof policy>) => account({ policies: [policy(...given)] });

describe('which machines would admit the access', () => {
  const of = (one: Account, part = {}) => ofFirst(seen(one), part).machines;

  test('the destinations', () => {
    expect(of(account())).toEqual(['p3', 'p4']);
    expect(ofFirst(seen())).toMatchObject({ isCovered: true, days: 45, reasons: [] });
  });

  test('the sources of a bidirectional rule would admit the access too', () => {
    const both = first(['q1', 'both', ['g1', 'g5'], ['g2'], { bidirectional: true }]);
    expect(of(both)).toEqual(['p1', 'p2', 'p3', 'p4']);
    expect(of(both, { sourceGroups: ['contractors'] })).toEqual(['p2', 'p3', 'p4']);
  });

  test('all routing machines of a network resource would admit the access', () => {
    expect(of(first(['q1', 'archive', ['g1'], ['g4']]))).toEqual(['p5', 'p6']);
  });

  test('only the members of a destination group would admit the access', () => {
    const two = first(['q1', 'two', ['g1'], ['g2', 'g4']]);
    expect(of(two)).toEqual(['p3', 'p4', 'p5', 'p6']);
    expect(of(two, { destinationGroups: ['archives'] })).toEqual(['p5', 'p6']);
    expect(of(two, { destinationGroups: ['servers'] })).toEqual(['p3', 'p4']);
  });

  test('the routing machines of a route with access control groups would admit the access', () => {
    const routes = [
      route('old', { peer_groups: ['g3'], groups: ['g1'], access_control_groups: ['g4'] }),
    ];
    const one = account({
      routes,
      networks: [],
      policies: [policy('q1', 'archive', ['g1'], ['g4'])],
    });
    expect(of(one)).toEqual(['p5', 'p6']);
    const given = seen(one, { p6: [3] });
    const [old] = attribute(given).routes;
    expect(old && coverageOf(given).ofRoute(old.route)).toMatchObject({
      machines: ['p5', 'p6'],
      reasons: [{ type: 'silent', machine: 'p6', days: [FIRST_DAY + 3] }],
    });
  });
});

describe('coverage', () => {
  test('is missing if a machine was connected and silent on one day', () => {
    expect(ofFirst(seen(account(), { p4: [7, 8], p1: [3] }))).toMatchObject({
      isCovered: false,
      reasons: [{ type: 'silent', machine: 'p4', days: [FIRST_DAY + 7, FIRST_DAY + 8] }],
    });
  });

  test('is missing if a machine that would admit it was never seen, or not near the begin or the end', () => {
    const { p4: _, ...others } = everybody(45);
    const without = (p4?: ReturnType<typeof reporting>, flows: readonly ObservedFlow[] = []) =>
      ofFirst(observed({ 0: account() }, flows, { machines: p4 ? { ...others, p4 } : others }))
        .reasons;
    const on = (...days: readonly number[]) => {
      const some = new Set(days.map(day => FIRST_DAY + day));
      return { connected: some, reported: some, isUserSpace: true };
    };
    expect(without()).toEqual([{ type: 'unseen', machine: 'p4', when: 'ever' }]);
    expect(without(on(0, 30))).toEqual([{ type: 'unseen', machine: 'p4', when: 'end' }]);
    expect(without(on(14, 44))).toEqual([{ type: 'unseen', machine: 'p4', when: 'begin' }]);
    expect(without(on(13, 31))).toEqual([]);
    const met = flow(machine('p1'), machine('p4'), { days: onDays(20), reporters: ['p1'] });
    expect(without(on(13, 31), [met])).toEqual([
      { type: 'met', machine: 'p4', days: [FIRST_DAY + 20] },
    ]);
  });

  test('is complete if a machine was not connected on that day, or is in kernel mode', () => {
    const days = [...reporting(20).reported, FIRST_DAY + 40];
    const p4 = { connected: new Set(days), reported: new Set(days), isUserSpace: false };
    const machines = { ...everybody(45), p4 };
    expect(ofFirst(observed({ 0: account() }, [], { machines }))).toMatchObject({
      isCovered: true,
      inKernel: ['p4'],
    });
  });

  test('ignores the day on which the window ends', () => {
    const machines = { ...everybody(46), p4: reporting(46, [45]) };
    expect(ofFirst(observed({ 0: account() }, [], { machines })).isCovered).toBe(true);
  });

  test('is missing for the rules of groups of a machine whose traffic was deleted', () => {
    const { window, ...rest } = seen();
    const deleted = (group: string, until = window.from + 1) =>
      ofFirst({ ...rest, window, forgotten: [{ machine: 'x', groups: [group], until }] }).reasons;
    expect(deleted('g5')).toEqual([{ type: 'forgotten', until: window.from + 1 }]);
    expect(deleted('g3')).toEqual([]);
    expect(deleted('g5', window.from - 1)).toEqual([]);
  });

  test('needs a window of thirty days without a gap', () => {
    const days = (count: number) =>
      ofFirst(observed({ 0: account() }, [], { days: count, machines: everybody(count) }));
    expect(days(30).isCovered).toBe(true);
    expect(days(29).reasons).toEqual([{ type: 'window', days: 29 }]);
    const { window } = seen();
    const gap = { from: window.from + 1000, to: window.from + 2000, reason: 'the log was full' };
    expect(
      ofFirst(observed({ 0: account() }, [], { machines: everybody(45), gaps: [gap] })).reasons,
    ).toEqual([{ type: 'gap', gap }]);
  });

  test('needs no gap in the records of a machine that would admit the access; those of others do not matter', () => {
    const { window, machines } = seen();
    const among = (machine: string) => {
      const gap = { from: window.from + 1000, to: window.to, reason: 'it had no time', machine };
      const given = { machines: everybody(45), gaps: [gap] };
      return { gap, reasons: ofFirst(observed({ 0: account() }, [], given)).reasons };
    };
    const [own = ''] = ofFirst(
      observed({ 0: account() }, [], { machines: everybody(45) }),
    ).machines;
    const { gap, reasons } = among(own);
    expect(reasons).toEqual([{ type: 'gap', gap }]);
    expect([...machines.keys()]).toContain('p6');
    expect(among('a-machine-elsewhere').reasons).toEqual([]);
  });

  test('is missing for a machine outside the groups to which the log was limited for a time', () => {
    const { window } = seen();
    const limited = (outside: readonly string[], states = { 0: account() }) => {
      const gap = { from: window.from + 1000, to: window.from + 2000, reason: 'limited', outside };
      const given = observed(states, [], { machines: everybody(45), gaps: [gap] });
      return ofFirst(given).reasons.length;
    };
    expect(limited(['g2'])).toBe(0);
    expect(limited(['g1', 'g9'])).toBe(1);
    // The rule is for the servers p3 and p4.
    const groups = account().groups.map(one =>
      one.id === 'g2' ? { ...one, peers: [{ id: 'p3' }] } : one,
    );
    const later = observed({ 0: account({ groups }), 1: account() }, [], {
      machines: everybody(45),
    });
    const gap = { from: window.from + 1000, to: window.to, reason: 'limited', outside: ['g2'] };
    expect(ofFirst({ ...later, gaps: [gap] }).reasons).toContainEqual({ type: 'gap', gap });
  });

  test('needs a state that is known for thirty days', () => {
    const one = observed({ 20: account() }, [], { machines: everybody(45) });
    expect(ofFirst(one).reasons).toEqual([{ type: 'window', days: 25 }]);
  });
});

describe('new in the window is', () => {
  const since = (FIRST_DAY + 10) * 86_400_000;
  const changed = (before: Account, after: Account = account()) =>
    ofFirst(observed({ 0: before, 10: after }, [], { machines: everybody(45) })).reasons;

  test('nothing, if only names changed', () => {
    const renamed = account({
      groups: account().groups.map(one => ({ ...one, name: `${one.name}-x` })),
      policies: account().policies.map(one => ({ ...one, name: 'x' })),
    });
    expect(changed(renamed)).toEqual([]);
  });

  test('a rule, even if it was disabled or had fewer ports', () => {
    const rule = [{ type: 'new', what: 'the rule', name: 'laptops to servers', since }];
    expect(changed(account({ policies: [] }))).toEqual(rule);
    expect(changed(first(['q1', 'x', ['g1', 'g5'], ['g2'], { enabled: false }]))).toEqual(rule);
    expect(changed(first(['q1', 'x', ['g1', 'g5'], ['g2'], { ports: ['80'] }]))).toEqual(rule);
    expect(changed(first(['q1', 'x', ['g1', 'g5'], ['g2'], { ports: ['80', '443'] }]))).toEqual([]);
  });

  test('a group of the rule, and a machine behind it', () => {
    expect(changed(first(['q1', 'x', ['g1'], ['g2']]))).toEqual([
      { type: 'new', what: 'a group', name: 'contractors', since },
    ]);
    const { peers } = account();
    expect(changed(account({ peers: peers.filter(({ id }) => id !== 'p4') }))).toEqual([
      { type: 'new', what: 'a machine', name: 'p4', since },
    ]);
    expect(changed(account({ peers: peers.filter(({ id }) => id !== 'p1') }))).toEqual([]);
  });

  test('a machine in a destination group, behind a bidirectional rule, or among the routing machines', () => {
    const withMembers = (group: string, ...peers: readonly string[]) =>
      account().groups.map(one =>
        one.id === group ? { ...one, peers: peers.map(id => ({ id })) } : one,
      );
    const admits = (name: string) => [{ type: 'admits', what: 'a machine', name, since }];
    expect(changed(account({ groups: withMembers('g2', 'p3') }))).toEqual(admits('p4'));
    expect(changed(account({ groups: withMembers('g1', 'p1') }))).toEqual([]);
    const both = (one: Account) => ({
      ...one,
      policies: [policy('q1', 'both', ['g1'], ['g2'], { bidirectional: true })],
    });
    expect(changed(both(account({ groups: withMembers('g1', 'p1') })), both(account()))).toEqual(
      admits('p2'),
    );
    const archive = (one: Account) => ({
      ...one,
      policies: [policy('q1', 'archive', ['g1'], ['g4'])],
    });
    const gates = account({ groups: withMembers('g3', 'p5') });
    expect(changed(archive(gates), archive(account()))).toEqual(admits('p6'));
  });

  test('a network resource that had another address, was disabled, or was not in the group', () => {
    const archive = (given: object) => {
      const [network] = account().networks;
      const resources = network?.resources.map(one => ({ ...one, ...given })) ?? [];
      return account({
        policies: [policy('q1', 'archive', ['g1'], ['g4'])],
        networks: network ? [{ ...network, resources }] : [],
      });
    };
    const admits = [{ type: 'admits', what: 'a network resource', name: 'office/archive', since }];
    expect(changed(archive({ address: '10.21.0.0/24' }), archive({}))).toEqual(admits);
    expect(changed(archive({ enabled: false }), archive({}))[0]).toEqual(admits[0]);
    expect(changed(archive({ groups: [{ id: 'g5' }] }), archive({}))[0]).toEqual(admits[0]);
  });

  test('the use of a source group without machines, or whose machines failed the posture checks', () => {
    const groups = account().groups.map(one => (one.id === 'g5' ? { ...one, peers: [] } : one));
    const unusable = (name?: string) => [{ type: 'unusable', ...(name && { name }), since }];
    expect(changed(account({ groups }))).toEqual(unusable('contractors'));
    const checked = (least: string) =>
      account({
        policies: [{ ...policy('q1', 'x', ['g1'], ['g2']), source_posture_checks: ['c1'] }],
        posture_checks: [
          { id: 'c1', name: 'new', checks: { nb_version_check: { min_version: least } } },
        ],
      });
    expect(changed(checked('0.99.0'), checked('0.60.0'))).toEqual(unusable());
    expect(changed(checked('0.50.0'), checked('0.60.0'))).toEqual([]);
    expect(ofFirst(seen(checked('0.99.0'))).reasons).toEqual([{ type: 'unusable', since: null }]);
  });

  test('flows that a drop rule refused', () => {
    const dropped = (ports: readonly string[], ...sources: readonly string[]) =>
      account({
        policies: [
          ...account().policies,
          policy('q9', 'stop', sources, ['g2'], { action: 'drop', ports: [...ports] }),
        ],
      });
    const refused = [{ type: 'refused', name: 'stop', since }];
    expect(changed(dropped(['443'], 'g1'))).toEqual(refused);
    expect(changed(dropped(['80'], 'g1'))).toEqual([]);
    expect(changed(dropped(['443'], 'g3'))).toEqual([]);
    expect(changed(dropped(['443'], 'g1'), dropped(['443'], 'g1'))).toEqual([]);
  });

  test('flows that a drop rule refused in the other direction', () => {
    const accountOf = (rule: object, drop?: object) =>
      account({
        policies: [
          policy('q1', 'one', ['g1'], ['g2'], rule),
          ...(drop ? [policy('q9', 'stop', ['g2'], ['g1'], { action: 'drop', ...drop })] : []),
        ],
      });
    const both = { bidirectional: true };
    const refused = [{ type: 'refused', name: 'stop', since }];
    expect(changed(accountOf({}, both), accountOf({}))).toEqual(refused);
    expect(changed(accountOf({}, {}), accountOf({}))).toEqual([]);
    expect(changed(accountOf(both, {}), accountOf(both))).toEqual(refused);
    expect(changed(accountOf({}, both), accountOf({}, {}))).toEqual(refused);
  });

  test('flows that a drop rule refused to a group or a machine that has left it', () => {
    const stopping = (sources: readonly string[], groups = account().groups) =>
      account({
        groups,
        policies: [
          ...account().policies,
          policy('q9', 'stop', sources, ['g2'], { action: 'drop' }),
        ],
      });
    const refused = [{ type: 'refused', name: 'stop', since }];
    expect(changed(stopping(['g1', 'g5']), stopping(['g5']))).toEqual(refused);
    expect(changed(stopping(['g5']), stopping(['g1', 'g5']))).toEqual([]);
    const gates = (...peers: readonly string[]) =>
      account().groups.map(one =>
        one.id === 'g3' ? { ...one, peers: peers.map(id => ({ id })) } : one,
      );
    expect(changed(stopping(['g3'], gates('p1', 'p5')), stopping(['g3'], gates('p5')))).toEqual(
      refused,
    );
    expect(changed(stopping(['g3'], gates('p1')), stopping(['g3'], gates('p1', 'p5')))).toEqual([]);
  });

  test('a route with other addresses, other routing machines, or nobody who received it', () => {
    const routed = (given: object = {}, groups = account().groups) =>
      account({
        groups,
        networks: [],
        routes: [route('old', { peer_groups: ['g3'], groups: ['g1'], ...given })],
      });
    const ofRoute = (before: Account) => {
      const given = observed({ 0: before, 10: routed() }, [], { machines: everybody(45) });
      const [old] = attribute(given).routes;
      return old && coverageOf(given).ofRoute(old.route).reasons;
    };
    expect(ofRoute(routed())).toEqual([]);
    const own = [{ type: 'changed', what: 'a route', name: 'old', since }];
    const ofName = (reasons: ReturnType<typeof ofRoute>) =>
      reasons?.map(one => ('name' in one ? { ...one, name: 'old' } : one));
    expect(ofName(ofRoute(routed({ network: '192.168.8.0/24' })))).toEqual(own);
    expect(ofName(ofRoute(routed({ enabled: false })))?.[0]).toEqual(own[0]);
    const [all, laptops, servers, , ...rest] = account().groups;
    const gate = { id: 'g3', name: 'gateways', peers: [{ id: 'p5' }] };
    const others = [all, laptops, servers, gate, ...rest].flatMap(one => one ?? []);
    expect(ofRoute(routed({}, others))).toEqual([
      { type: 'admits', what: 'a machine', name: 'p6', since },
    ]);
    expect(ofName(ofRoute(routed({ groups: ['g4'] })))).toEqual([
      ...own,
      { type: 'unusable', since },
    ]);
    const changes = [
      { groups: ['g1', 'g5'] },
      { groups: ['g5'] },
      { access_control_groups: ['g4'] },
      { peer_groups: ['g3', 'g0'] },
    ];
    for (const was of changes) expect(ofName(ofRoute(routed(was)))).toEqual(own);
    expect(reasonText(own[0] as Parameters<typeof reasonText>[0], id => id)).toBe(
      'route old has been as it is now only since 2026-10-11',
    );
  });

  test('a rule for the access control group of a route whose groups were others', () => {
    const routed = (groups: readonly string[]) =>
      account({
        networks: [],
        policies: [policy('q1', 'archive', ['g1'], ['g4'])],
        routes: [route('old', { peer_groups: ['g3'], groups, access_control_groups: ['g4'] })],
      });
    expect(changed(routed(['g5']), routed(['g1']))).toMatchObject([
      { type: 'changed', what: 'a route', since },
    ]);
    expect(changed(routed(['g1']), routed(['g1']))).toEqual([]);
  });

  test('machines that awaited approval: they neither used nor admitted anything', () => {
    const awaiting = (...ids: readonly string[]) =>
      account({
        peers: account().peers.map(one => ({ ...one, approval_required: ids.includes(one.id) })),
      });
    expect(changed(awaiting('p1', 'p2'))).toEqual([{ type: 'unusable', since }]);
    expect(changed(awaiting('p2'))).toEqual([{ type: 'unusable', name: 'contractors', since }]);
    expect(changed(awaiting('p3'))).toEqual([
      { type: 'admits', what: 'a machine', name: 'p3', since },
    ]);
    expect(changed(awaiting('p6'))).toEqual([]);
  });

  test('a rule of files that the account never had', () => {
    const { current, rules } = attribute(seen(first(['q7', 'planned', ['g1'], ['g2']])));
    const [rule] = rules;
    const reasons = rule && coverageOf(seen(), current).ofRule(rule).reasons;
    expect(reasons).toEqual([{ type: 'new', what: 'the rule', name: 'planned', since: null }]);
    expect(reasons?.map(one => reasonText(one, id => id))).toEqual(['the rule was not observed']);
  });

  test('data that earlier states lacked, as clauses', () => {
    const texts = (before: Account) => changed(before).map(reason => reasonText(reason, id => id));
    const without = (group: string, ...peers: readonly string[]) =>
      account({
        groups: account().groups.map(one =>
          one.id === group ? { ...one, peers: peers.map(id => ({ id })) } : one,
        ),
      });
    expect(texts(without('g2', 'p3'))).toEqual([
      'machine p4 has been part of this access only since 2026-10-11',
    ]);
    expect(texts(without('g5'))).toEqual([
      'no machine of group contractors could use it before 2026-10-11',
    ]);
    const stop = policy('q9', 'stop', ['g1'], ['g2'], { action: 'drop' });
    expect(texts(account({ policies: [...account().policies, stop] }))).toEqual([
      'the drop rule of stop refused it before 2026-10-11',
    ]);
  });

  test('each reason is a clause', () => {
    const one = observed({ 0: account({ peers: account().peers.slice(0, 3) }), 3: account() }, [], {
      days: 20,
      machines: everybody(20, { p3: [4], p4: [5, 6] }),
    });
    expect(ofFirst(one).reasons.map(reason => reasonText(reason, id => `peer/${id}`))).toEqual([
      'observed for only 20 days instead of 30',
      'machine peer/p4 is new since 2026-10-04',
      'peer/p3 was connected but reported nothing on 2026-10-05',
      'peer/p4 was connected but reported nothing on 2 days',
    ]);
  });
});
