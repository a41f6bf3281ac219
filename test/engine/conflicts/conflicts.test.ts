// Where the files and the account both moved since the base: nothing is overwritten before a person says whose change stands.
import { describe, expect, test } from 'vitest';
import { substituted } from '../../../src/engine/conflicts/substitution.ts';
import type { Resolution } from '../../../src/engine/types/settings.ts';
import type { Json, JsonObject } from '../../../src/model/value.ts';
import { kindOf } from '../../apply/plans.ts';
import { group, network, type Options, planFor, policy, type Read } from '../planning.ts';

const rule = (name: string, more: JsonObject = {}): JsonObject => ({
  id: `p1-${name}`,
  name,
  description: '',
  enabled: true,
  action: 'accept',
  bidirectional: false,
  protocol: 'tcp',
  ports: [],
  sources: ['ga'],
  destinations: ['ga'],
  ...more,
});
const files = (description: string, ports: string, more = '') => `{
  groups: [{ name: a }],
  policies: [{ name: p, description: ${description}, rules: [
    { name: web, protocol: tcp, ports: ${ports}, sources: [a], destinations: [a] }${more}
  ] }],
}`;
const account = (description: string, ports: string[], ...rules: JsonObject[]) => [
  group('ga', 'a'),
  policy('p1', 'p', [], [], { description, rules: [rule('web', { ports }), ...rules] }),
];
const BASE = files('base', "['80']");

function outcome(desired: string, live: readonly Read[], options: Options = {}) {
  const plan = planFor(desired, live, { base: BASE, ...options });
  return {
    changes: plan.changes.flatMap(({ fields }) =>
      fields.map(({ path, since }) => `${path.join('.')} ${since}`),
    ),
    hazards: plan.actions.flatMap(({ hazards }) =>
      hazards.map(({ code, allowed, message }) => `${allowed ? '' : '!'}${code} ${message}`),
    ),
    warnings: plan.diagnostics.map(({ code, message }) => `${code} ${message}`),
    sent: plan.actions.flatMap(action => (action.verb === 'update' ? [action.fields] : [])),
  };
}
const resolved = (side: Resolution['side'], object?: string): Options => ({
  resolve: [{ side, ...(object !== undefined && { object }) }],
});

describe('a field changed differently on both sides', () => {
  const desired = files('ours', "['443']");
  const live = account('theirs', ['80']);
  const reported =
    '`description` of policy.p was changed in the account and in the files since the base';

  test('is not silently overwritten', () => {
    expect(outcome(desired, live)).toMatchObject({
      changes: ['description conflict', 'rules.web.ports pending'],
      hazards: [`!CONFLICT ${reported}`],
    });
  });

  test.each([
    ['for all', resolved('desired')],
    ['by name', resolved('desired', 'policy/p')],
    ['as a hazard', { allow: [{ code: 'CONFLICT' } as const] }],
  ])('is overwritten with --resolve files, %s', (_, options) => {
    expect(outcome(desired, live, options).hazards).toEqual([`CONFLICT ${reported}`]);
  });

  test('is not overwritten by a flag for another object', () => {
    expect(outcome(desired, live, resolved('desired', 'policy/q')).hazards).toEqual([
      `!CONFLICT ${reported}`,
    ]);
  });

  test('keeps the account’s value with --resolve live, and everything else is applied', () => {
    const { changes, hazards, warnings, sent } = outcome(desired, live, resolved('live'));
    expect({ changes, hazards }).toEqual({ changes: ['rules.web.ports pending'], hazards: [] });
    expect(warnings).toEqual([
      'CONFLICT_KEPT `description` of policy.p keeps the value of the account, although the files declare a different value',
    ]);
    expect(sent).toMatchObject([{ description: 'theirs', rules: [{ ports: ['443'] }] }]);
  });

  test('follows a flag for one object before a flag for all', () => {
    const resolve: Resolution[] = [{ side: 'desired' }, { side: 'live', object: 'policy/p' }];
    expect(outcome(desired, live, { resolve }).changes).toEqual(['rules.web.ports pending']);
  });

  test('is not a difference if both sides have the same value', () => {
    expect(outcome(files('both', "['80']"), account('both', ['80']))).toMatchObject({
      changes: [],
      hazards: [],
    });
  });
});

describe('a nested field', () => {
  test('a nested field in a rule stays, and its neighbour is changed', () => {
    const desired = files('ours', "['443']");
    const { changes, sent } = outcome(desired, account('base', ['8080']), resolved('live'));
    expect(changes).toEqual(['description pending']);
    expect(sent).toMatchObject([{ description: 'ours', rules: [{ ports: ['8080'] }] }]);
  });

  test('is not a conflict without a base', () => {
    const { hazards } = outcome(files('ours', "['443']"), account('theirs', ['80']), { base: '' });
    expect(hazards).toEqual([]);
  });
});

describe('an object that the files no longer declare and that somebody changed in the account meanwhile', () => {
  const base = 'networks: [{ name: n, description: base }, { name: m }]';
  const desired = 'networks: [{ name: m }]';
  const changed: readonly Read[] = [
    ['network', { id: 'n1', name: 'n', description: 'theirs' }],
    network('n2', 'm'),
  ];
  const options: Options = { base, prune: 'removed' };
  const hazardsOf = (more: Options = {}) => outcome(desired, changed, { ...options, ...more });

  test('is not silently deleted', () => {
    expect(hazardsOf().hazards).toEqual([
      '!DELETES_OBJECT network.n is deleted',
      '!CONFLICT network.n was changed in the account since the base, and is deleted',
    ]);
  });

  test('is deleted, or stays, depending on the flag', () => {
    expect(hazardsOf(resolved('desired')).hazards).toContain(
      'CONFLICT network.n was changed in the account since the base, and is deleted',
    );
    expect(planFor(desired, changed, { ...options, ...resolved('live') })).toMatchObject({
      changes: [],
      leftAlone: [{ key: 'n', reason: 'unmanaged' }],
    });
  });

  test('is deleted normally if nobody changed it', () => {
    const same: Read[] = [
      ['network', { id: 'n1', name: 'n', description: 'base' }],
      network('n2', 'm'),
    ];
    expect(outcome(desired, same, options).hazards).toEqual([
      '!DELETES_OBJECT network.n is deleted',
    ]);
  });
});

describe('an adopted value', () => {
  const { shape } = kindOf('policy');
  const over = (ours: Json, theirs: Json, ...path: string[]) =>
    substituted(shape, ours, theirs, path);

  test.each<[string, JsonObject, JsonObject, string[], JsonObject]>([
    ['is theirs', { name: 'o' }, { name: 't' }, ['name'], { name: 't' }],
    [
      'is gone where they have none',
      { name: 'o', description: 'd' },
      { name: 't' },
      ['description'],
      { name: 'o' },
    ],
    [
      'comes where we have none',
      { name: 'o' },
      { description: 'd' },
      ['description'],
      { name: 'o', description: 'd' },
    ],
    [
      'is an item that we took away',
      { rules: [{ name: 'a' }] },
      { rules: [{ name: 'a' }, { name: 'b' }] },
      ['rules', 'b'],
      { rules: [{ name: 'a' }, { name: 'b' }] },
    ],
    [
      'is an item that they took away',
      { rules: [{ name: 'a' }, { name: 'b' }] },
      { rules: [{ name: 'a' }, { name: 'c' }] },
      ['rules', 'a', 'protocol'],
      { rules: [{ name: 'b' }, { name: 'a' }] },
    ],
    [
      'is found in an item of another name, where that is the one it stands for',
      { rules: [{ name: 'new', protocol: 'tcp' }] },
      { rules: [{ name: 'old', protocol: 'udp' }] },
      ['rules', 'new', 'protocol'],
      { rules: [{ name: 'new', protocol: 'udp' }] },
    ],
    [
      'is an entry of a map',
      { rules: [{ name: 'a', authorized_groups: { g: ['x'], h: [] } }] },
      { rules: [{ name: 'a', authorized_groups: { g: ['y'] } }] },
      ['rules', 'a', 'authorized_groups', 'g'],
      { rules: [{ name: 'a', authorized_groups: { h: [], g: ['y'] } }] },
    ],
  ])('%s', (_, ours, theirs, path, expected) => {
    expect(over(ours, theirs, ...path)).toEqual(expected);
  });
});
