// Plans of a fleet that do the same are one group, whatever ids the objects have; plans that differ in anything that is written are not.
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../../src/model/plan.ts';
import { fleetPlanLine, groupsIn } from '../../../src/report/fleet/fleetPlan.ts';
import { planGroup } from '../../../src/report/fleet/planGroup.ts';
import { group, peer, planFor, policy, type Read } from '../../engine/planning.ts';
import { KINDS } from '../../support/files.ts';
import { fc } from '../../support/seeded.ts';
import { accountOf, plannedOf } from './planned.ts';

const groupOf = (plan: Plan, name = 'acme') => planGroup(plan, KINDS, { name });

/** The reads of an account whose ids have this prefix, in any order. */
const reads = (id: string, isReversed = false): Read[] => {
  const all = [
    group(`${id}1`, 'servers', { peers: [{ id: `${id}7`, name: 'db' }] }),
    group(`${id}2`, 'staff'),
    peer(`${id}7`, 'db'),
    policy(`${id}4`, 'old', [`${id}1`], [`${id}2`]),
    policy(`${id}5`, 'web', [`${id}2`], [`${id}1`]),
  ];
  return isReversed ? all.toReversed() : all;
};

const FILES = `
groups: [{ name: servers }, { name: staff }, { name: on-call, peers: [db] }]
policies: [{ name: web, rules: [{ name: all, sources: [staff, on-call], destinations: [servers], protocol: tcp, ports: ["443"] }] }]`;

const planOf = (id: string, files = FILES, isReversed = false): Plan =>
  planFor(files, reads(id, isReversed), { prune: 'unmanaged', behind: `${id}0` });

test('accounts whose objects have different ids are one group', () => {
  const known = groupOf(planOf('a'));
  expect(groupOf(planOf('zz', FILES, true))).toBe(known);
  const record = {
    revision: 'f00',
    madeAt: '2026-01-01T00:00:00Z',
    server: 'https://other',
    folder: 'x',
  };
  expect(groupOf({ ...planOf('a'), ...record })).toBe(known);
});

test('machines that are identified by id are compared by name', () => {
  const twins = (one: string, other: string, first = 'laptop'): Plan => {
    const files = `groups: [{ name: staff, peers: ["id:${one}", "id:${other}"] }]`;
    const plan = planFor(files, [peer(one, first), peer(other, 'laptop'), group('g', 'staff')]);
    const called = [one, other].map((id, i) => ({ kind: 'peer', id, name: i ? 'laptop' : first }));
    return { ...plan, called: called as unknown as NonNullable<Plan['called']> };
  };
  const known = groupOf(twins('d1', 'd2'));
  expect(groupOf(twins('x8', 'x9'))).toBe(known);
  expect(groupOf(twins('x8', 'x9', 'phone'))).not.toBe(known);
});

describe('the name of the account', () => {
  const named = (name: string, text = name): string =>
    groupOf(planFor(`groups: [{ name: "${text}-servers" }, { name: all ${text} }]`, []), name);

  test('makes no difference if it is a word', () => {
    expect(named('acme')).toBe(named('beta.example'));
    expect(named('acme')).not.toBe(named('beta', 'acme'));
    expect(named('acme')).not.toBe(named('beta', 'gamma'));
    expect(named('acme', 'acmes')).not.toBe(named('beta', 'betas'));
  });

  test('stays in a field with values from its schema, and if it is too short to be a name', () => {
    const rule = (protocol: string, name: string) =>
      groupOf(
        planFor(
          `policies: [{ name: web, rules: [{ name: r, sources: [All], destinations: [All], protocol: ${protocol}, ports: ["1"] }] }]`,
          [group('1', 'All')],
        ),
        name,
      );
    expect(rule('tcp', 'tcp')).not.toBe(rule('udp', 'udp'));
    expect(named('ab')).not.toBe(named('cd'));
  });

  test('cannot be imitated by a text', () => {
    const sign = '\uffff1';
    const described = (text: string, name: string) =>
      groupOf(planFor(`networks: [{ name: n, description: ${JSON.stringify(text)} }]`, []), name);
    expect(described(sign, 'beta')).not.toBe(described('acme', 'acme'));
    expect(described('beta', 'beta')).toBe(described('acme', 'acme'));
  });
});

const word = fc.constantFrom('staff', 'servers', 'on-call', 'id:a1', 'id:zz1', 'acme', 'beta');
const drawn = fc.record({
  groups: fc.uniqueArray(word, { maxLength: 3 }),
  ports: fc.uniqueArray(fc.constantFrom('22', '443', '8080'), { minLength: 1, maxLength: 2 }),
  protocol: fc.constantFrom('tcp', 'udp'),
  description: word,
  enabled: fc.boolean(),
});
type Drawn = Readonly<{
  groups: readonly string[];
  ports: readonly string[];
  protocol: string;
  description: string;
  enabled: boolean;
}>;

const drawnPlan = (id: string, { groups, ports, protocol, description, enabled }: Drawn): Plan => {
  const names = ['servers', 'staff', 'on-call', ...groups].filter(
    (name, i, all) => all.indexOf(name) === i,
  );
  const files = JSON.stringify({
    groups: names.filter(name => !name.startsWith('id:')).map(name => ({ name })),
    networks: [{ name: 'n', description }],
    policies: [
      {
        name: 'web',
        enabled,
        rules: [{ name: 'all', sources: ['staff'], destinations: ['servers'], protocol, ports }],
      },
    ],
  });
  return planOf(id, files);
};

/** What a plan writes, by its actions. */
const written = ({ actions }: Plan): string =>
  JSON.stringify(
    actions.map(action => [action.id, action.verb === 'delete' ? null : action.fields]),
  );

test('two plans with different actions are never one group, and two similar accounts always are', () => {
  fc.assert(
    fc.property(drawn, drawn, (one, other) => {
      const [first, second] = [one, other].map(files => drawnPlan('a', files));
      if (first === undefined || second === undefined) throw new Error('no plans');
      const isSame = written(first) === written(second);
      expect(groupOf(first, 'nobody') === groupOf(second, 'nobody')).toBe(isSame);
      expect(groupOf(drawnPlan('zz', one))).toBe(groupOf(first));
    }),
    { numRuns: 60 },
  );
});

test('each value that an action writes is part of the group', () => {
  const plan = planOf('a');
  const known = groupOf(plan);
  const leaves = plan.actions.flatMap((action, i) =>
    action.verb === 'delete' ? [] : leavesOf(action.fields).map(path => ({ i, path })),
  );
  expect(leaves.length).toBeGreaterThan(10);
  for (const { i, path } of leaves) {
    const actions = plan.actions.map((action, at) =>
      at === i && action.verb !== 'delete'
        ? { ...action, fields: changed(action.fields, path) }
        : action,
    );
    expect(groupOf({ ...plan, actions: actions as Plan['actions'] }), path.join('.')).not.toBe(
      known,
    );
  }
});

type Path = readonly string[];

function leavesOf(value: unknown): Path[] {
  if (typeof value !== 'object' || value === null) return [[]];
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item).map(rest => [key, ...rest]));
}

function changed(value: unknown, [step, ...rest]: Path): unknown {
  if (step === undefined) return typeof value === 'boolean' ? !value : `${value} other`;
  if (Array.isArray(value))
    return value.map((item, i) => (String(i) === step ? changed(item, rest) : item));
  const object = value as Record<string, unknown>;
  return { ...object, [step]: changed(object[step], rest) };
}

test('the largest group is first, unusual groups are last, then accounts without changes, and failed accounts are listed', () => {
  const alike = planFor('groups: [{ name: new }]', []);
  const odd = planFor('groups: [{ name: other }]', []);
  const none = planFor([], []);
  const names = Array.from({ length: 30 }, (_, i) => `customer-${String(i).padStart(2, '0')}`);
  const plans = new Map(names.map((name, i) => [name, i === 0 ? odd : i < 3 ? none : alike]));
  const planned = [...plans].map(([name, plan]) => plannedOf(accountOf(name), plan)).toReversed();
  const unplanned = [{ account: accountOf('zeta'), code: 5, text: 'no' }];
  const report = { planned, unplanned, rates: new Map(), kinds: KINDS };
  expect(fleetPlanLine(report)).toBe(
    '31 accounts: 27 with one plan, 1 with other plans in 1 group, 2 without changes, 1 could not be planned',
  );
  expect(groupsIn(report).map(({ is, first }) => [is, first.account.name])).toEqual([
    ['common', 'customer-03'],
    ['odd', 'customer-00'],
    ['unchanged', 'customer-01'],
  ]);
});
