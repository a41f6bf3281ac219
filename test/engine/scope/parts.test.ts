// Objects that the server keeps in parts: what a plan says of them beyond what the scenarios tell.
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../../src/model/plan.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import { group, type Options, planFor, policy, type Read } from '../planning.ts';

const rule = (name: string) =>
  `      - { name: ${name}, protocol: all, sources: [g], destinations: [g] }\n`;
const files = (rules: readonly string[], more = '', name = 'p'): string =>
  `groups: [{ name: g }]\npolicies:\n  - name: ${name}\n${more}    rules:\n${rules.map(rule).join('')}`;

/** A live policy with these rules. */
function kept(id: string, name: string, rules: readonly string[], more: JsonObject = {}): Read {
  const [kind, body] = policy(id, name, ['g'], ['g'], more);
  const [first] = Array.isArray(body.rules) ? body.rules : [];
  const items = rules.map((one, i) => ({ ...first, id: `${id}-${i}`, name: one }));
  return [kind, { ...body, rules: items }];
}

const planned = (text: string, reads: readonly Read[], options: Options = {}): Plan =>
  planFor(text, [group('g', 'g'), ...reads], { dialect: 'netbird', ...options });

const changesOf = ({ changes }: Plan) =>
  changes.map(({ key, type, id }) => [type, key, ...(id ? [id] : [])]);

describe('a live object with several items', () => {
  test('is replaced by its parts', () => {
    const made = planned(files(['a', 'b']), [kept('1', 'p', ['a', 'b'])]);
    expect(changesOf(made)).toEqual([
      ['replace', 'p / a', '1'],
      ['create', 'p / b'],
    ]);
    const codes = made.actions.flatMap(({ hazards }) => hazards.map(({ code }) => code));
    expect(codes).toContain('REPLACES_OBJECT');
  });

  test('is replaced where one item is declared', () => {
    const made = planned(files(['a']), [kept('1', 'p', ['a', 'b'])]);
    expect(changesOf(made)).toEqual([['replace', 'p', '1']]);
  });

  test('goes where all of it is declared to go', () => {
    const text = files(['a', 'b'], '    lifecycle: { delete: true }\n');
    expect(changesOf(planned(text, [kept('1', 'p', ['a', 'b'])]))).toEqual([
      ['delete', 'p / a', '1'],
    ]);
  });

  test('is no part of another', () => {
    const reads = [kept('1', 'p / a', ['x', 'y']), kept('2', 'p / b', ['b'])];
    expect(changesOf(planned(files(['a', 'b']), reads))).toEqual([['create', 'p / a']]);
  });
});

describe('a part whose item got another name in the account', () => {
  const reads = [kept('1', 'p / a', ['x']), kept('2', 'p / b', ['b'])];

  test('is taken for another object without a base', () => {
    const made = planned(files(['a', 'b']), reads);
    expect(changesOf(made)).toEqual([['create', 'p / a']]);
    expect(made.leftAlone).toMatchObject([{ id: '1', reason: 'unmanaged' }]);
  });

  test('is drift where the base declared it', () => {
    const made = planned(files(['a', 'b']), reads, { base: files(['a', 'b']) });
    expect(changesOf(made)).toEqual([['update', 'p / a', '1']]);
    expect(made.changes[0]?.fields).toMatchObject([{ since: 'drift' }]);
  });
});

describe('parts of one name', () => {
  test('cannot be told apart, and cannot be bound', () => {
    const reads = [kept('1', 'p / a', ['a']), kept('2', 'p / a', ['a'])];
    expect(planned(files(['a', 'b']), reads).diagnostics).toMatchObject([
      { code: 'PAIR_AMBIGUOUS', hint: expect.not.stringContaining('lifecycle.id') },
    ]);
  });
});

describe('what the base declared of an object that is in parts now', () => {
  test('is not drift before the change is applied', () => {
    const made = planned(files(['a', 'b']), [kept('1', 'p', ['a'])], { base: files(['a']) });
    expect(changesOf(made)).toEqual([
      ['update', 'p / a', '1'],
      ['create', 'p / b'],
    ]);
    const sinces = made.changes.flatMap(({ since, fields }) => [
      ...(since ? [since] : []),
      ...fields.flatMap(field => field.since ?? []),
    ]);
    expect(new Set(sinces)).toEqual(new Set(['pending']));
  });

  test('goes in every mode of pruning, but not from an object that no file declares', () => {
    const reads = [kept('1', 'p / a', ['a']), kept('2', 'p / b', ['b']), kept('3', 'p / c', ['c'])];
    const base = files(['a', 'b', 'c']);
    for (const prune of ['none', 'removed'] as const)
      expect(changesOf(planned(files(['a', 'b']), reads, { base, prune }))).toEqual([
        ['delete', 'p / c', '3'],
      ]);
    const other = files(['a'], '', 'q');
    expect(changesOf(planned(other, reads, { base }))).toEqual([['create', 'q']]);
  });

  test('stays where its object is not part of the run, is given up, or is protected', () => {
    const reads = [kept('1', 'p / a', ['a']), kept('2', 'p / b', ['b'])];
    const base = files(['a', 'b']);
    const text = files(['a']);
    const out = planned(text, reads, { base, select: { except: ['policy/p'] } });
    expect(changesOf(out)).toEqual([]);
    const forgotten = planned(text, reads, { base, forget: ['policy/p / b'] });
    expect(changesOf(forgotten)).toEqual([['update', 'p', '1']]);
    const { diagnostics } = planned(text, reads, { base, protect: ['policy/p'] });
    expect(diagnostics).toMatchObject([{ code: 'PROTECTED' }]);
  });

  test('goes with the name that its object has now', () => {
    const reads = [kept('1', 'p / a', ['a']), kept('2', 'p / b', ['b']), kept('3', 'p / c', ['c'])];
    const text = files(['a', 'b'], '    lifecycle: { was: p }\n', 'q');
    const options = { base: files(['a', 'b', 'c']), select: { only: ['policy/q'] } };
    const found = planned(text, reads, options).changes.map(one => [one.type, one.id, one.partOf]);
    expect(found.sort()).toEqual([
      ['delete', '3', 'q'],
      ['update', '1', 'q'],
      ['update', '2', 'q'],
    ]);
  });
});

test('an object in parts is declared once, and what is wrong with all of it is told once', () => {
  const text = files(['a', 'b'], '    source_posture_checks: [nowhere]\n');
  const { diagnostics, declared } = planned(text, []);
  expect(declared).toBe(2);
  expect(diagnostics).toMatchObject([{ code: 'REF_UNKNOWN', at: { line: 4 } }]);
});

test('what is wrong with an item is told where that item is', () => {
  const text = files(['b', 'a']).replace(/(name: a, .*sources: )\[g\]/, '$1[nowhere]');
  expect(planned(text, []).diagnostics).toMatchObject([{ code: 'REF_UNKNOWN', at: { line: 6 } }]);
});

describe('under names that a former one had', () => {
  test('a hint names the object and not its part', () => {
    const reads = [kept('1', 'p / a', ['a']), kept('2', 'p / b', ['b'])];
    const { changes } = planned(files(['a', 'b'], '', 'q'), reads, {
      ...{ base: files(['a', 'b']), prune: 'removed' },
    });
    const notes = changes.flatMap(({ notes: found }) => found);
    for (const note of notes.filter(text => text.startsWith('renamed?')))
      expect(note).toContain('`was: p`');
    const renamedItem = planned(files(['a', 'c']), reads);
    expect(renamedItem.changes.flatMap(({ notes: found }) => found)).toEqual([]);
  });
});
