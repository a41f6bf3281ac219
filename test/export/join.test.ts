// Policies that a server keeps one rule each in: when an export says them as one policy, and when as they are.
import { describe, expect, test } from 'vitest';
import { compare } from '../../src/export/adoption/compare.ts';
import { joinedAsDeclared } from '../../src/export/joinFiles.ts';
import { mergedFiles } from '../../src/export/merge.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { group, live, policy, type Read } from '../engine/planning.ts';
import { desiredOf, KINDS } from '../support/files.ts';
import { modelOf, NOW, textOf } from './exported.ts';

/** A policy of one rule. */
function part(id: string, name: string, rule: string, more: JsonObject = {}): Read {
  const [kind, body] = policy(id, name, ['g'], ['g'], more);
  const rules = Array.isArray(body.rules) ? body.rules : [];
  return [kind, { ...body, rules: rules.map(one => ({ ...one, name: rule })) }];
}

const namesIn = (reads: readonly Read[]): readonly string[] =>
  modelOf([group('g', 'g'), ...reads], 'netbird')
    .objects.filter(({ kind }) => kind.parts)
    .map(({ name }) => name);

describe('policies named like their rules after one prefix', () => {
  test('are one policy', () => {
    const reads = [group('g', 'g'), part('1', 'p / b', 'b'), part('2', 'p / a', 'a')];
    expect(textOf(reads, 'netbird')).toBe(`groups:
  - name: g

policies:
  - name: p
    rules:
      - name: a
        protocol: all
        sources: [g]
        destinations: [g]
      - name: b
        protocol: all
        sources: [g]
        destinations: [g]
`);
  });

  test('are separate if the export is limited to some of them', () => {
    const reads = [group('g', 'g'), part('1', 'p / b', 'b'), part('2', 'p / a', 'a')];
    const limited = (...ids: string[]) =>
      modelOf(reads, 'netbird', { isExported: (_, id) => ids.includes(id) }).objects;
    expect(limited('2').map(({ name, joined }) => [name, joined])).toEqual([['p / a', undefined]]);
    expect(limited('1', '2').map(({ name }) => name)).toEqual(['p']);
  });

  test('are separate on a server that keeps several rules in one', () => {
    const reads = [group('g', 'g'), part('1', 'p / b', 'b'), part('2', 'p / a', 'a')];
    expect(textOf(reads, 'spec')).toContain('- name: p / b\n');
  });

  test.each<[string, Read[], string[]]>([
    ['where there is only one', [part('1', 'p / a', 'a')], ['p / a']],
    [
      'where a rule is named otherwise',
      [part('1', 'p / a', 'a'), part('2', 'p / b', 'x')],
      ['p / a', 'p / b'],
    ],
    [
      'where one is described otherwise',
      [part('1', 'p / a', 'a'), part('2', 'p / b', 'b', { description: 'x' })],
      ['p / a', 'p / b'],
    ],
    [
      'where one is switched off',
      [
        part('1', 'p / a', 'a'),
        part('2', 'p / b', 'b', { enabled: false }),
        part('3', 'p / c', 'c'),
      ],
      ['p / a', 'p / b', 'p / c'],
    ],
    [
      'where another policy has the prefix for a name',
      [part('1', 'p / a', 'a'), part('2', 'p / b', 'b'), part('3', 'p', 'c')],
      ['p', 'p / a', 'p / b'],
    ],
    [
      'where two have one name',
      [part('1', 'p / a', 'a'), part('2', 'p / a', 'a'), part('3', 'p / b', 'b')],
      ['p / a', 'p / a', 'p / b'],
    ],
    [
      'where nothing is before the rule',
      [part('1', ' / a', 'a'), part('2', ' / b', 'b')],
      [' / a', ' / b'],
    ],
  ])('are separate %s', (_, reads, names) => {
    expect(namesIn(reads)).toEqual(names);
  });

  test('may have separators in the names of rules', () => {
    expect(namesIn([part('1', 'p / a / b', 'a / b'), part('2', 'p / c', 'c')])).toEqual(['p']);
  });
});

describe('into files that declare a policy of several rules', () => {
  const rule = (name: string) =>
    `      - { name: ${name}, protocol: all, sources: [g], destinations: [g] }`;
  const text = (...rules: string[]) =>
    `groups: [{ name: g }]\npolicies:\n  - name: p # ours\n    rules:\n${rules.map(rule).join('\n')}\n`;

  function into(before: string, reads: readonly Read[]) {
    const objects = live([group('g', 'g'), ...reads]);
    const comparison = compare({
      kinds: KINDS,
      desired: desiredOf(before),
      folder: '',
      dialect: 'netbird',
      now: NOW,
      snapshot: { objects, unavailable: new Map(), requests: 0 },
    });
    const model = modelOf([group('g', 'g'), ...reads], 'netbird');
    const joining = { kinds: KINDS, live: objects, dialect: 'netbird' } as const;
    const { objects: found, unchanged } = joinedAsDeclared(model.objects, comparison, joining);
    return mergedFiles({
      kinds: KINDS,
      model: { ...model, objects: found },
      comparison,
      unchanged,
      files: [{ file: 'network.yaml', text: before }],
      newFileFor: () => 'new.yaml',
    });
  }

  test('nothing changes if the account matches them', () => {
    const before = text('a', 'b');
    const found = into(before, [part('1', 'p / a', 'a'), part('2', 'p / b', 'b')]);
    expect(found).toMatchObject({ files: [], added: 0, updated: 0, unchanged: [] });
  });

  test('a rule is added, and another removed', () => {
    const parts = [part('1', 'p / a', 'a'), part('2', 'p / c', 'c')];
    const { files, unchanged } = into(text('a', 'b'), parts);
    expect(unchanged).toEqual([]);
    expect(files).toHaveLength(1);
    expect(desiredOf(files[0]?.text ?? '')).toMatchObject([
      {},
      { key: 'p', fields: { rules: [{ name: 'a' }, { name: 'c' }] } },
    ]);
    expect(files[0]?.text).toContain('# ours');
  });

  test.each<[string, Read[]]>([
    ['one part is there', [part('1', 'p / a', 'a')]],
    ['parts differ', [part('1', 'p / a', 'a'), part('2', 'p / b', 'b', { enabled: false })]],
    // Seen by the laws of parts: with two rules in one declaration, a plan would rename `p` to `p / c`.
    [
      'one part has the name of a part, the other that of the whole policy',
      [part('1', 'p / a', 'a'), part('2', 'p', 'c')],
    ],
  ])('a policy that the files cannot express is reported if only %s', (_, parts) => {
    const { files, unchanged } = into(text('a', 'b'), parts);
    expect(files).toEqual([]);
    expect(unchanged).toMatchObject([{ at: { line: 3 } }]);
  });
});
