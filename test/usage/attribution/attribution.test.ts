// Which rules and routes a flow is use of.
import { describe, expect, test } from 'vitest';
import { attribute } from '../../../src/usage/attribution/attributedFlows.ts';
import { summaryOf } from '../../../src/usage/attribution/summary.ts';
import { usedDaysAmong } from '../../../src/usage/attribution/usedDays.ts';
import type { Attribution } from '../../../src/usage/attribution/uses.ts';
import type { Observed } from '../../../src/usage/observed.ts';
import {
  account,
  address,
  FIRST_DAY,
  flow,
  machine,
  observed,
  onDays,
  policy,
  resource,
  route,
} from '../observations.ts';

/** The rules in use, each with its groups; `<` marks reverse use. */
const used = ({ rules }: Attribution) =>
  rules.flatMap(({ policy: { key }, uses }) =>
    uses.map(
      ({ isReverse, sourceGroups, destinationGroups }) =>
        `${key}${isReverse ? ' <' : ''}: ${sourceGroups.join()} → ${destinationGroups.join()}`,
    ),
  );
const usedRoutes = ({ routes }: Attribution) =>
  routes.flatMap(({ route: { networkId }, uses }) =>
    uses.map(({ accessControl }) => `${networkId}: ${accessControl.join()}`),
  );
const unexplained = (found: Attribution) => found.unexplained.map(({ reason }) => reason);

const attributed = (given: Observed) => attribute(given);

describe('between machines', () => {
  test('a flow uses every rule that admits it, by each of its groups', () => {
    const policies = [
      policy('q1', 'laptops to servers', ['g1', 'g5'], ['g2']),
      policy('q2', 'all to servers', ['g0'], ['g2'], { protocol: 'all', ports: [] }),
      policy('q3', 'other port', ['g1'], ['g2'], { ports: ['80'] }),
      policy('q4', 'off', ['g1'], ['g2'], { enabled: false }),
    ];
    const found = attributed(
      observed({ 0: account({ policies }) }, [flow(machine('p2'), machine('p3'))]),
    );
    expect(used(found)).toEqual([
      'laptops to servers: laptops,contractors → servers',
      'all to servers: All → servers',
    ]);
    expect(found.rules).toHaveLength(4);
    expect(unexplained(found)).toEqual([]);
  });

  test('a flow in the opposite direction uses a bidirectional rule in reverse, and no other rule', () => {
    const back = flow(machine('p3'), machine('p1'));
    const one = observed({ 0: account() }, [back]);
    expect(used(attributed(one))).toEqual([]);
    expect(unexplained(attributed(one))).toEqual(['no-rule']);
    const policies = [policy('q1', 'both', ['g1'], ['g2'], { bidirectional: true })];
    const both = attributed(observed({ 0: account({ policies }) }, [back]));
    expect(used(both)).toEqual(['both <: laptops → servers']);
    const uses = both.rules[0]?.uses ?? [];
    const summary = summaryOf(uses, usedDaysAmong([back]));
    expect(uses.map(({ isReverse }) => isReverse)).toEqual([true]);
    expect(summary).toMatchObject({ sources: 1, flows: 1 });
  });

  test('a flow that a drop rule refuses uses no rule', () => {
    const policies = [
      policy('q1', 'in', ['g1'], ['g2']),
      policy('q2', 'never', ['g5'], ['g2'], { action: 'drop' }),
    ];
    const flows = [flow(machine('p1'), machine('p3')), flow(machine('p2'), machine('p3'))];
    const found = attributed(observed({ 0: account({ policies }) }, flows));
    expect(used(found)).toEqual(['in: laptops → servers']);
    expect(unexplained(found)).toEqual(['no-rule']);
  });

  test('a flow without a port may use any port, and other protocols only rules for all protocols', () => {
    const policies = [
      policy('q1', 'https', ['g1'], ['g2']),
      policy('q2', 'ping', ['g1'], ['g2'], { protocol: 'icmp', ports: [] }),
      policy('q3', 'any', ['g1'], ['g2'], { protocol: 'all', ports: [] }),
    ];
    const between = (protocol: number, port: number | null) =>
      used(
        attributed(
          observed({ 0: account({ policies }) }, [
            flow(machine('p1'), machine('p3'), { protocol, port }),
          ]),
        ),
      ).map(text => text.split(':')[0]);
    expect(between(6, null)).toEqual(['https', 'any']);
    expect(between(17, 443)).toEqual(['any']);
    expect(between(1, 8)).toEqual(['ping', 'any']);
    expect(between(58, 128)).toEqual(['ping', 'any']);
    expect(between(47, null)).toEqual(['any']);
  });

  test('a flow to the second port of SSH counts as use of the rules for SSH', () => {
    const policies = [
      policy('q1', 'ssh', ['g1'], ['g2'], { protocol: 'netbird-ssh', ports: ['22'] }),
      policy('q2', 'shells', ['g1'], ['g2'], { ports: ['22'] }),
      policy('q3', 'https', ['g1'], ['g2']),
    ];
    const flows = [flow(machine('p1'), machine('p3'), { port: 22022 })];
    const found = attributed(observed({ 0: account({ policies }) }, flows));
    expect(used(found).map(text => text.split(':')[0])).toEqual(['ssh', 'shells']);
    expect(found.unexplained).toEqual([]);
  });

  test('a flow that took place although nothing admits it may be use of each rule between its ends', () => {
    const policies = [
      policy('q1', 'https', ['g1'], ['g2']),
      policy('q2', 'back', ['g2'], ['g1'], { bidirectional: true }),
      policy('q3', 'there', ['g2'], ['g1']),
      policy('q4', 'archive', ['g1'], ['g4']),
    ];
    const of = (reporters: readonly string[], to = machine('p3')) =>
      attributed(
        observed({ 0: account({ policies }) }, [
          flow(machine('p1'), to, { port: 8080, reporters }),
        ]),
      )
        .rules.filter(({ unknown }) => unknown.length > 0)
        .map(({ rule }) => rule.name);
    expect(of(['p3'])).toEqual(['https', 'back', 'there']);
    expect(of(['p1'])).toEqual([]);
    // A name that leads to no network resource by its id.
    expect(of(['p5'], resource(''))).toEqual(['archive']);
  });

  describe('a flow with an end that no state has', () => {
    const policies = [
      policy('q1', 'https', ['g1'], ['g2']),
      policy('q2', 'both ways', ['g2'], ['g3'], { bidirectional: true }),
      policy('q3', 'shells', ['g1'], ['g2'], { ports: ['22'] }),
      policy('q5', 'archive', ['g1'], ['g4']),
      policy('q6', 'to laptops', ['g3'], ['g1']),
    ];
    const may = (...ends: Parameters<typeof flow>) =>
      attributed(observed({ 0: account({ policies }) }, [flow(...ends)]))
        .rules.filter(({ unknown }) => unknown.length > 0)
        .map(({ rule }) => rule.name);

    test('may be use of each rule for its port that leads to its destination', () => {
      const expected = ['https', 'both ways'];
      expect(may(machine('p77'), machine('p3'))).toEqual(expected);
      expect(may(address('100.64.0.77'), machine('p3'))).toEqual(expected);
      expect(may(machine('p77'), resource('r1'))).toEqual(['archive']);
    });

    test('may be use of each rule for its port from its source, whoever reported it', () => {
      const expected = ['https', 'archive'];
      expect(may(machine('p1'), machine('p77'))).toEqual(expected);
      expect(may(machine('p1'), machine('p77'), { reporters: ['p1'] })).toEqual(expected);
    });

    test('may be use of each rule for its port, if neither end is known', () => {
      expect(may(machine('p77'), machine('p78'), { port: 22 })).toEqual(['shells']);
    });

    test('may be use of each rule for its port that leads to its destination, even if no state at all is known', () => {
      expect(may(machine('p77'), machine('p3'), { states: [] })).toEqual(['https', 'both ways']);
    });

    test('may have come by each route to its destination, along the rules that distribute the route', () => {
      const routes = [route('open', { network: '192.168.8.0/24', peer: 'p6', groups: ['g1'] })];
      const edges = [
        policy('q1', 'https', ['g1'], ['g2']),
        policy('q2', 'to gateways', ['g1'], ['g3'], { protocol: 'icmp', ports: [] }),
      ];
      const found = attributed(
        observed({ 0: account({ routes, policies: edges, networks: [] }) }, [
          flow(machine('p77'), address('192.168.8.0/24'), { reporters: ['p6'] }),
        ]),
      );
      expect(found.routes.map(({ unknown }) => unknown.length)).toEqual([1]);
      expect(found.rules.map(({ unknown }) => unknown.length)).toEqual([0, 1]);
    });
  });

  test('a flow that took place may be use of the rules for its port at either end: a machine may have been in a group for a short time', () => {
    const policies = [
      policy('q1', 'https', ['g1'], ['g2']),
      policy('q2', 'shells', ['g1'], ['g2'], { ports: ['22'] }),
      policy('q3', 'to laptops', ['g3'], ['g1']),
      policy('q4', 'archive', ['g1'], ['g4']),
    ];
    const found = attributed(
      observed({ 0: account({ policies }) }, [flow(machine('p5'), machine('p3'))]),
    );
    expect(found.rules.map(({ unknown }) => unknown.length)).toEqual([1, 0, 1, 0]);
  });

  test('a machine that fails the checks is not a source of the rule, unless nothing else explains the flow', () => {
    const check = { nb_version_check: { min_version: '9.0.0' } };
    const checked = {
      ...policy('q1', 'new agents', ['g1'], ['g2']),
      source_posture_checks: ['c1'],
    };
    const posture_checks = [{ id: 'c1', name: 'new', checks: check }];
    const flows = [flow(machine('p1'), machine('p3'))];
    const others = [checked, policy('q2', 'all', ['g0'], ['g2'])];
    expect(
      used(attributed(observed({ 0: account({ posture_checks, policies: others }) }, flows))),
    ).toEqual(['all: All → servers']);
    expect(
      used(attributed(observed({ 0: account({ posture_checks, policies: [checked] }) }, flows))),
    ).toEqual(['new agents: laptops → servers']);
  });
});

describe('behind routing machines', () => {
  test('a network resource by its id, by its range and by an address in it', () => {
    for (const to of [
      resource('r1'),
      resource('r1', '10.20.0.7'),
      address('10.20.0.7'),
      address('10.20.0.0/24'),
    ])
      expect(used(attributed(observed({ 0: account() }, [flow(machine('p1'), to)])))).toEqual([
        'laptops to archives: laptops → archives',
      ]);
  });

  test('a flow to a resource within a wider one uses the rules of both, and a flow to the wider one its own rules only', () => {
    const resources = [
      { id: 'r1', name: 'net', address: '10.20.0.0/24', enabled: true, groups: [{ id: 'g4' }] },
      { id: 'r2', name: 'db', address: '10.20.0.5', enabled: true, groups: [{ id: 'g2' }] },
    ];
    const networks = [
      {
        id: 'n1',
        name: 'office',
        resources,
        routers: [{ id: 'x1', enabled: true, peer_groups: ['g3'] }],
      },
    ];
    const of = (...ends: Parameters<typeof flow>) =>
      used(attributed(observed({ 0: account({ networks }) }, [flow(...ends)])));
    expect(of(machine('p1'), resource('r2', '10.20.0.5'))).toEqual([
      'laptops to servers: laptops → servers',
      'laptops to archives: laptops → archives',
    ]);
    expect(of(machine('p1'), address('10.20.0.0/24'))).toEqual([
      'laptops to archives: laptops → archives',
    ]);
  });

  test('a route with access control: the route, the rules of its groups, and the groups', () => {
    const routes = [
      route('old', { peer: 'p5', groups: ['g1'], access_control_groups: ['g4', 'g2'] }),
      route('open', { network: '192.168.8.0/24', peer: 'p6', groups: ['g1'] }),
      route('idle', { network: '192.168.9.0/24', peer: 'p6', groups: ['g1'] }),
    ];
    // Routes go to machines that a rule connects with the routing machine.
    const policies = [
      policy('q1', 'to gateways', ['g1'], ['g3'], { protocol: 'icmp', ports: [] }),
      policy('q2', 'archives', ['g1'], ['g4']),
      policy('q3', 'servers', ['g1'], ['g2'], { ports: ['22'] }),
    ];
    const found = attributed(
      observed({ 0: account({ routes, policies, networks: [] }) }, [
        flow(machine('p1'), address('192.168.7.0/24')),
        flow(machine('p1'), address('192.168.8.0/24')),
        flow(machine('p3'), address('192.168.8.0/24')),
      ]),
    );
    expect(usedRoutes(found)).toEqual(['old: archives', 'open: ']);
    expect(used(found)).toEqual(['archives: laptops → archives']);
    expect(unexplained(found)).toEqual(['no-rule']);
  });

  test('a flow through an exit node may be use of a domain that one of its reporters routes', () => {
    const resources = [
      { id: 'r1', name: 'wiki', address: '*.corp.test', enabled: true, groups: [{ id: 'g4' }] },
    ];
    const routers = [{ id: 'x1', enabled: true, peer: 'p5' }];
    const given = account({
      networks: [{ id: 'n1', name: 'office', resources, routers }],
      routes: [
        route('exit', { network: '0.0.0.0/0', peer: 'p6', groups: ['g1'] }),
        // The API shows a placeholder as the network of domains.
        route('names', {
          network: '192.0.2.0/32',
          domains: ['corp2.test'],
          peer: 'p5',
          groups: ['g1'],
        } as object),
      ],
      policies: [
        policy('q1', 'wiki', ['g1'], ['g4']),
        policy('q2', 'wiki shells', ['g1'], ['g4'], { ports: ['22'] }),
        policy('q3', 'to gateways', ['g1'], ['g3'], { protocol: 'icmp', ports: [] }),
      ],
    });
    const of = (...reporters: readonly string[]) => {
      const found = attributed(
        observed({ 0: given }, [flow(machine('p1'), address('0.0.0.0/0'), { reporters })]),
      );
      expect(usedRoutes(found)).toEqual(['exit: ']);
      return [
        ...found.rules.filter(({ unknown }) => unknown.length > 0).map(({ rule }) => rule.name),
        ...found.routes.filter(({ unknown }) => unknown.length > 0).map(one => one.route.networkId),
      ];
    };
    expect(of('p1', 'p6')).toEqual([]);
    expect(of('p1', 'p5')).toEqual(['wiki', 'names']);
    // Also by a machine that came and went, or that was in the group for a short time.
    for (const id of ['p77', 'p3']) {
      const { rules } = attributed(
        observed({ 0: given }, [flow(machine(id), address('0.0.0.0/0'), { reporters: ['p5'] })]),
      );
      expect(rules.filter(({ unknown }) => unknown.length > 0).map(one => one.rule.name)).toContain(
        'wiki',
      );
    }
  });

  test('an exit node does not lead to machines or to private ranges', () => {
    const routes = [route('exit', { network: '0.0.0.0/0', peer: 'p5', groups: ['g1'] })];
    const policies = [policy('q1', 'to gateways', ['g1'], ['g3'], { protocol: 'icmp', ports: [] })];
    const of = (to: ReturnType<typeof address>) =>
      attributed(
        observed({ 0: account({ routes, policies, networks: [] }) }, [flow(machine('p1'), to)]),
      );
    expect(usedRoutes(of(address('0.0.0.0/0')))).toEqual(['exit: ']);
    expect(usedRoutes(of(address('198.51.100.7')))).toEqual(['exit: ']);
    expect(usedRoutes(of(machine('p3')))).toEqual([]);
  });
});

describe('over time', () => {
  const before = account();
  const renamed = account({
    groups: account().groups.map(one => (one.id === 'g1' ? { ...one, name: 'portables' } : one)),
    policies: [
      policy('q9', 'laptops to servers', ['g3'], ['g2']),
      { ...policy('q1', 'people to servers', ['g1', 'g5'], ['g2']), id: 'q1' },
    ],
  });

  test('use survives renames of policies, rules and groups: it does not move to an object that takes the name', () => {
    const found = attributed(
      observed({ 0: before, 20: renamed }, [flow(machine('p1'), machine('p3'))]),
    );
    expect(used(found)).toEqual(['people to servers: portables → servers']);
  });

  test('a flow whose window touches two states uses what either state admits', () => {
    const gone = account({ policies: [policy('q2', 'new', ['g1'], ['g2'])] });
    const both = flow(machine('p1'), machine('p3'), { states: [0, 1] });
    const later = flow(machine('p1'), machine('p3'), { states: [1] });
    const never = flow(machine('p1'), machine('p5'), { states: [0, 1] });
    const found = attributed(observed({ 0: before, 20: gone }, [both, later, never]));
    expect(found.rules[0]?.uses.map(use => use.flow)).toEqual([both, later]);
    expect(found.unexplained).toEqual([{ flow: never, reason: 'no-rule', isAttempt: false }]);
  });

  test('a deleted rule explains its flows', () => {
    const found = attributed(
      observed({ 0: before, 20: account({ policies: [] }) }, [flow(machine('p1'), machine('p3'))]),
    );
    expect(found).toMatchObject({ rules: [], unexplained: [] });
  });

  test('a flow without a state uses nothing, and makes what would admit it unknown', () => {
    const lost = flow(machine('p1'), machine('p3'), { states: [] });
    const found = attributed(observed({ 0: before }, [lost]));
    expect(used(found)).toEqual([]);
    expect(found.rules.map(({ unknown }) => unknown)).toEqual([[lost], []]);
    const unread = observed(
      {
        0: {
          ...attributed(observed({ 0: before }, [])).current,
          unread: new Map([['groups', 'HTTP 403'] as const]),
        },
      },
      [{ ...lost, states: [0] }],
    );
    expect(used(attributed(unread))).toEqual([]);
    expect(attributed(unread).rules.map(({ unknown }) => unknown.length)).toEqual([1, 0]);
  });
});

describe('according to the log', () => {
  const one = account();

  test('a refused attempt is not a use: the source does not know that it was refused', () => {
    const attempt = flow(machine('p1'), machine('p3'), {
      direction: 'out',
      reporters: ['p1'],
      days: onDays(0, 1),
    });
    const dropped = flow(machine('p1'), machine('p3'), {
      reporters: ['p3'],
      days: new Map([[FIRST_DAY, { starts: 0, drops: 3 }]]),
    });
    const { isUsed } = usedDaysAmong([attempt, dropped]);
    expect([attempt, dropped].map(isUsed)).toEqual([true, false]);
    expect(summaryOf([{ flow: attempt }], usedDaysAmong([attempt, dropped])).days).toEqual(
      new Set([FIRST_DAY + 1]),
    );
    const found = attributed(observed({ 0: one }, [attempt, dropped]));
    expect(found.rules[0]?.uses.map(use => use.flow)).toEqual([attempt]);
  });

  test('a flow that began on an earlier day counts on each day of its duration', () => {
    const long = flow(machine('p1'), machine('p3'), {
      days: new Map([
        [FIRST_DAY, { starts: 1, drops: 0 }],
        [FIRST_DAY + 1, { starts: 0, drops: 0 }],
      ]),
    });
    expect(summaryOf([{ flow: long }], usedDaysAmong([long]))).toMatchObject({
      flows: 1,
      days: new Set([FIRST_DAY, FIRST_DAY + 1]),
    });
  });

  test('an admitted flow counts, whatever else was refused on that day', () => {
    const mixed = flow(machine('p1'), machine('p3'), {
      reporters: ['p3'],
      days: new Map([[FIRST_DAY, { starts: 1, drops: 9 }]]),
    });
    expect(usedDaysAmong([mixed]).isUsed(mixed)).toBe(true);
  });

  test('an attempt that nothing admits may have been refused', () => {
    const attempt = flow(machine('p1'), machine('p5'), { direction: 'out', reporters: ['p1'] });
    expect(attributed(observed({ 0: one }, [attempt])).unexplained).toMatchObject([
      { reason: 'no-rule', isAttempt: true },
    ]);
  });

  test('unknown ends are distinguished', () => {
    const found = attributed(
      observed({ 0: one }, [
        flow(address('10.20.0.9'), machine('p3')),
        flow(machine('p77'), machine('p3')),
        flow(machine('p1'), resource('r77')),
      ]),
    );
    expect(unexplained(found)).toEqual(['no-machine', 'unknown-object', 'unknown-object']);
  });

  test('the policy that the server names is among those that admit the flow, or a contradiction', () => {
    const right = flow(machine('p1'), machine('p3'), { policies: ['q1'] });
    const wrong = flow(machine('p1'), machine('p3'), { policies: ['q2'], port: 443 });
    const found = attributed(observed({ 0: one }, [right, wrong]));
    expect(found.contradictions).toEqual([{ flow: wrong, policy: 'q2', admitted: ['q1'] }]);
    expect(found.rules.map(({ unknown }) => unknown)).toEqual([[], [wrong]]);
  });
});
