// Objects of a base with the name that a part of another object has, had, or gets.
import { describe, expect, test } from 'vitest';
import { changesOf, declaration, filesWith, kept, planned } from './partedPolicies.ts';

describe('an object of the base with the name of a part of another', () => {
  // Seen by the laws of parts, seed 4242: the plan deleted `p / a`, which the base declared by itself.
  test('stays if the files remove it without pruning, although its item is removed too', () => {
    const reads = [kept('1', 'p', ['a']), kept('2', 'p / a', ['a'])];
    const base = filesWith(declaration('p', ['a']), declaration('p / a', ['a']));
    const made = planned(filesWith(declaration('p', ['c'])), reads, { base });
    expect(changesOf(made)).toEqual([['update', 'p', '1']]);
  });

  // Seen by the laws of parts, seed 4242: the former part was taken for the new one, and stayed.
  test('is pruned, although a part with another item gets its name', () => {
    const reads = [
      kept('1', 'p / a / b', ['a / b']),
      kept('2', 'p / c', ['c']),
      kept('3', 'q / b', ['b']),
      kept('4', 'q / c', ['c']),
    ];
    const base = filesWith(declaration('p', ['a / b', 'c']), declaration('q', ['b', 'c']));
    const text = filesWith(declaration('p / a', ['b', 'c'], '    lifecycle: { was: q }\n'));
    const made = planned(text, reads, { base, prune: 'removed' });
    expect(made.changes.map(({ type, id }) => [type, id]).sort()).toEqual([
      ['delete', '1'],
      ['delete', '2'],
      ['update', '3'],
      ['update', '4'],
    ]);
    const sinces = made.changes.flatMap(({ fields }) => fields.map(({ since }) => since));
    expect(new Set(sinces)).toEqual(new Set(['pending']));
  });

  // Seen by the laws of parts, seed 77: `p / a / b` was taken for the former name of `q / b`, and stayed.
  test('is pruned, although a part with another item gets its former name', () => {
    const reads = [
      kept('1', 'p / a / b', ['a / b']),
      kept('2', 'p / c', ['c']),
      kept('3', 'p / a', ['b']),
    ];
    const base = filesWith(declaration('p', ['a / b', 'c']), declaration('p / a', ['b']));
    const text = filesWith(declaration('q', ['a', 'b'], '    lifecycle: { was: p / a }\n'));
    const made = planned(text, reads, { base, prune: 'removed' });
    expect(made.changes.map(({ type, id }) => [type, id]).sort()).toEqual([
      ['create', undefined],
      ['delete', '1'],
      ['delete', '2'],
      ['update', '3'],
    ]);
  });
});
