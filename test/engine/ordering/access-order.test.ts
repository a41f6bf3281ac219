// A plan orders its actions so that access stays between the old and the new.
import { describe, expect, test } from 'vitest';
import { planned } from '../../../src/engine/plan/plan.ts';
import { actionId } from '../../../src/model/names.ts';
import { group, network, peer, planFor, planInput, policy, resource } from '../planning.ts';
import { order, rules } from './actionOrder.ts';

describe('the order that keeps access during an apply', () => {
  const GROUPS = [group('g1', 'a'), group('g2', 'b')];
  const declare = (text: string) => `{ groups: [{ name: a }, { name: b }], ${text} }`;

  test('new objects are created before old objects are deleted', () => {
    const files = declare(rules('sources: [a], destinations: [b]'));
    expect(order(files, [...GROUPS, policy('p1', 'old', ['g1'], ['g2'])])).toEqual([
      'create policy.p',
      'delete policy.old',
    ]);
  });

  test('a rule is narrowed before its groups gain members', () => {
    const reads = [...GROUPS, network('n1', 'n'), policy('p1', 'p', ['g1'], ['g2'])];
    const resources =
      'networks: [{ name: n, resources: [{ name: db, address: 10.0.0.1, groups: [b] }] }]';
    const narrow = rules('sources: [a], destinations: [b], ports: ["22"]');
    expect(order(declare(`${narrow}, ${resources}`), reads)).toEqual([
      'update policy.p',
      'create network_resource.n/db',
    ]);
  });

  test('the groups of a rule lose members before the rule is widened', () => {
    const reads = [
      ...GROUPS,
      peer('x', 'x'),
      group('g3', 'c', { peers: [{ id: 'x', name: 'x' }] }),
      policy('p1', 'p', ['g1'], ['g3']),
    ];
    const shrunk = '{ name: c, lifecycle: { exact: [peers] }, peers: [] }';
    const files = `{ groups: [{ name: a }, { name: b }, ${shrunk}], ${rules('sources: [a, b], destinations: [c]')} }`;
    expect(order(files, reads)).toEqual(['update group.c', 'update policy.p']);
  });

  test('two actions that share several groups get one constraint', () => {
    const reads = [
      ...GROUPS,
      group('g3', 'c'),
      network('n1', 'n'),
      resource('r1', 'n1', 'db'),
      policy('p1', 'p', ['g1'], ['g2', 'g3']),
    ];
    const files = `{
      groups: [{ name: a }, { name: b }, { name: c }],
      networks: [{ name: n, resources: [{ name: db, address: 10.0.0.1, groups: [b, c] }] }],
      ${rules('sources: [a], destinations: [b, c], ports: ["22"]')}
    }`;
    const { rearrange } = planned(planInput(files, reads, { prune: 'unmanaged' }));
    const narrowing = {
      earlier: actionId('update policy.p'),
      later: actionId('update network_resource.n/db'),
    };
    const { earlier, later } = narrowing;
    expect(rearrange([{ earlier: later, later: earlier }])?.givenUp).toEqual([narrowing]);
  });

  test('actions that share no group do not wait for each other', () => {
    const { actions } = planFor(declare(''), [...GROUPS, policy('p1', 'old', [], [])], {
      prune: 'unmanaged',
    });
    expect(actions.flatMap(({ after }) => after)).toEqual([]);
  });

  test('a group that every action refers to orders only actions that share another group', () => {
    const names = Array.from({ length: 30 }, (_, i) => `x${i}`);
    const groups = names.map(name => group(name, name));
    const old = names.map(name => policy(`p-${name}`, `old ${name}`, ['g1'], [name]));
    const fresh = names.map(
      name =>
        `{ name: new ${name}, rules: [{ name: all, protocol: all, sources: [a], destinations: [${name}] }] }`,
    );
    const files = `{ groups: [{ name: a }, ${names.map(name => `{ name: ${name} }`)}], policies: [${fresh}] }`;
    const { actions } = planFor(files, [group('g1', 'a'), ...groups, ...old], {
      prune: 'unmanaged',
      thresholds: {},
    });
    const waits = actions
      .filter(({ verb }) => verb === 'delete')
      .map(({ id, after }) => [id, after]);
    expect(Object.fromEntries(waits)).toMatchObject({
      'delete policy["old x7"]': ['create policy["new x7"]'],
    });
  });
});

describe('a large number of actions', () => {
  const many = Array.from({ length: 60 }, (_, i) => String(i).padStart(2, '0'));
  const reads = [
    group('ga', 'a'),
    group('gb', 'b'),
    ...many.map(i => policy(`p${i}`, `old ${i}`, ['ga'], ['gb'])),
  ];
  const rule = '{ name: all, protocol: all, sources: [a], destinations: [b] }';
  const policies = many.map(i => `{ name: new ${i}, rules: [${rule}] }`);
  const files = `{ groups: [{ name: a }, { name: b }], policies: [${policies.join(', ')}] }`;
  const { actions } = planFor(files, reads, { prune: 'unmanaged', thresholds: { default: {} } });

  test('creates all new objects before it deletes an old object', () => {
    const before = new Map<string, ReadonlySet<string>>();
    for (const { id, after } of actions) {
      const earlier = after.flatMap(one => [one, ...(before.get(one) ?? [])]);
      before.set(id, new Set(earlier));
    }
    const made = actions.flatMap(({ id, verb }) => (verb === 'create' ? id : []));
    const gone = actions.flatMap(({ id, verb }) => (verb === 'delete' ? id : []));
    expect([made.length, gone.length]).toEqual([60, 60]);
    for (const id of gone) expect(made.filter(one => !before.get(id)?.has(one))).toEqual([]);
  });

  test('is not reported pair by pair', () => {
    const edges = actions.reduce((sum, { after }) => sum + after.length, 0);
    expect(edges).toBeLessThan(2 * actions.length);
  });
});
