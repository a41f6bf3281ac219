import { describe, expect, test } from 'vitest';
import { accepted, missingAllowances } from '../../../src/engine/checks/hazards.ts';
import { HAZARD_CODES, type HazardCode } from '../../../src/model/codes.ts';
import { present } from '../../../src/model/errors.ts';
import type { Threshold } from '../../../src/model/guards.ts';
import { group, network, type Options, planFor, policy, type Read, resource } from '../planning.ts';

const groups = (count: number): Read[] =>
  Array.from({ length: count }, (_, i) => group(`g${i}`, `g${i}`));

/** `code object` of every hazard, with `!` where nobody allowed it. */
function hazards(files: string, reads: readonly Read[], options: Options) {
  const { actions } = planFor(files, reads, { prune: 'unmanaged', ...options });
  return actions.flatMap(({ key, hazards: found }) =>
    found.map(({ code, allowed }) => `${allowed ? '' : '!'}${code} ${key}`),
  );
}

describe('a hazard is allowed', () => {
  const DELETE = { code: 'DELETES_OBJECT' } as const;
  const reads = groups(3);

  test('everywhere, by its code', () => {
    expect(hazards('groups: [{ name: g0 }]', reads, { allow: [DELETE] })).toEqual([
      'DELETES_OBJECT g1',
      'DELETES_OBJECT g2',
    ]);
  });

  test('a hazard is allowed for one object by its code and the object', () => {
    const allow = [{ ...DELETE, object: 'group/g1' }];
    expect(hazards('groups: [{ name: g0 }]', reads, { allow })).toEqual([
      'DELETES_OBJECT g1',
      '!DELETES_OBJECT g2',
    ]);
  });

  const action = (code: HazardCode) => {
    const [found] = planFor('groups: [{ name: g0 }]', reads, { prune: 'unmanaged' }).actions;
    const hazard = { code, message: 'something is dangerous', allowed: false };
    return { ...present(found, 'an action'), hazards: [hazard] };
  };

  test.each(Object.keys(HAZARD_CODES) as HazardCode[])('%s by its own code alone', code => {
    const one = action(code);
    expect(missingAllowances([one]).map(missing => missing.code)).toEqual([code]);
    const others = (Object.keys(HAZARD_CODES) as HazardCode[]).filter(other => other !== code);
    const allow = others.map(other => ({ code: other }));
    expect(missingAllowances([accepted(one, { allow, hasSink: false })])).toHaveLength(1);
    expect(missingAllowances([accepted(one, { allow: [{ code }], hasSink: false })])).toEqual([]);
  });

  test('a hazard is not allowed by any other flag', () => {
    const plan = planFor('groups: [{ name: g0 }]', reads, {
      prune: 'unmanaged',
      allow: [{ code: 'GAP' }],
    });
    expect(missingAllowances(plan.actions).map(({ code, action }) => [code, action.key])).toEqual([
      ['DELETES_OBJECT', 'g1'],
      ['DELETES_OBJECT', 'g2'],
    ]);
  });
});

describe('a replacement', () => {
  const files =
    'networks: [{ name: n }, { name: m, resources: [{ name: db, address: 10.0.0.1, groups: [], lifecycle: { was: n/db } }] }]';
  const reads = [network('n1', 'n'), network('n2', 'm'), resource('r1', 'n1', 'db')];

  test('is a hazard, and a gap if the new object has to wait', () => {
    expect(hazards(files, reads, {})).toEqual(['!REPLACES_OBJECT m/db', '!GAP m/db']);
    expect(hazards(files, reads, { dialect: 'netbird' })).toEqual([]);
  });
});

describe('too many deletes of a kind', () => {
  const over = (all: number, kept: number, thresholds: Record<string, Threshold> = {}) => {
    const files = `groups: [${groups(kept).map(([, { name }]) => `{ name: ${name} }`)}]`;
    return hazards(files, groups(all), { thresholds }).filter(text => text.includes('OVER'));
  };

  test('are reported once, on the first of them', () => {
    expect(over(10, 6)).toEqual(['!OVER_THRESHOLD g6']);
  });

  test('are more than three of ten by default', () => {
    expect(over(10, 7)).toEqual([]);
    expect(over(9, 1)).toEqual([]);
  });

  test('are more than the limit in the project file', () => {
    expect(over(9, 7, { groups: { deletes: 1 } })).toHaveLength(1);
    expect(over(9, 8, { groups: { deletes: 1 } })).toEqual([]);
    expect(over(10, 1, { groups: { deletes: 9 } })).toEqual([]);
    expect(over(20, 18, { groups: { share: 0.05 } })).toHaveLength(1);
    expect(over(9, 7, { default: { deletes: 1 } })).toHaveLength(1);
    expect(over(9, 7, { groups: { deletes: 5 }, default: { deletes: 1 } })).toEqual([]);
  });

  test('include children that are deleted too, under their own kind', () => {
    const reads = [
      network('n1', 'n'),
      network('n2', 'm'),
      resource('r1', 'n1', 'a'),
      resource('r2', 'n1', 'b'),
    ];
    const thresholds = { 'networks.resources': { deletes: 1 } };
    expect(hazards('networks: [{ name: m }]', reads, { thresholds })).toEqual([
      '!DELETES_OBJECT n',
      '!OVER_THRESHOLD n',
    ]);
  });
});

describe('a break-glass object', () => {
  const rule = (more = '') =>
    `{ name: all, protocol: all, sources: [a], destinations: [a]${more} }`;
  const files = (more = '', rules = rule(), lifecycle = '{ break_glass: true }') =>
    `{ groups: [{ name: a }], policies: [{ name: p, rules: [${rules}]${more}, lifecycle: ${lifecycle} }] }`;
  const reads = [group('ga', 'a'), policy('p1', 'p', ['ga'], ['ga'])];
  const gone = 'groups: [{ name: a }]';

  test.each([
    ['switched off', files(', enabled: false')],
    ['switched off in a part', files('', rule(', enabled: false'))],
    [
      'switched off as the mark is taken away',
      files(', enabled: false', rule(), '{ ignore: [description] }'),
    ],
  ])('is not %s without its own --allow code', (_, text) => {
    const options: Options = { prune: 'none', base: files() };
    expect(hazards(text, reads, options)).toEqual(['!DISABLES_BREAK_GLASS p']);
    const allow = [{ code: 'DISABLES_BREAK_GLASS', object: 'policy/p' }] as const;
    expect(hazards(text, reads, { ...options, allow })).toEqual(['DISABLES_BREAK_GLASS p']);
  });

  test('is not deleted without its own --allow code', () => {
    const options: Options = { prune: 'removed', base: files() };
    expect(hazards(gone, reads, options)).toEqual(['!DELETES_OBJECT p', '!DISABLES_BREAK_GLASS p']);
  });

  test('does not lose a part without its own --allow code', () => {
    const two = policy('p1', 'p', ['ga'], ['ga'], {
      rules: ['all', 'more'].map(name => ({
        id: `p1-${name}`,
        name,
        description: '',
        enabled: true,
        action: 'accept',
        bidirectional: false,
        protocol: 'all',
        sources: ['ga'],
        destinations: ['ga'],
      })),
    });
    expect(hazards(files(), [group('ga', 'a'), two], {})).toEqual(['!DISABLES_BREAK_GLASS p']);
  });

  test('may change, and be enabled', () => {
    expect(hazards(files(', description: the last way in'), reads, {})).toEqual([]);
    const off = [group('ga', 'a'), policy('p1', 'p', ['ga'], ['ga'], { enabled: false })];
    expect(hazards(files(), off, {})).toEqual([]);
  });

  test('is an object that is marked as one, and no other', () => {
    const text = files(', enabled: false', rule(), '{ protect: true }');
    expect(hazards(text, reads, { prune: 'none' })).toEqual([]);
  });
});
