// "Did you mean …?" finds the same name as a comparison of every letter with every letter, without computing all of it.
import { describe, expect, test } from 'vitest';
import { didYouMean, nearest } from '../../src/model/text/nearest.ts';
import { fc } from '../support/seeded.ts';

/** The whole table of restricted edit distances. */
function distance(a: string, b: string): number {
  const at = (i: number, j: number): number => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
  const table: number[][] = [];
  for (let i = 0; i <= a.length; i++) {
    const row: number[] = [];
    table.push(row);
    for (let j = 0; j <= b.length; j++) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        i === 0 || j === 0
          ? i + j
          : Math.min(
              at(i - 1, j) + 1,
              at(i, j - 1) + 1,
              at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
              isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
            ),
      );
    }
  }
  return at(a.length, b.length);
}

function expected(written: string, names: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(written.length / 3));
  const [best] = names
    .map(name => ({ name, far: distance(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ far }) => far <= limit)
    .sort((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1));
  return best?.name;
}

describe('the nearest name', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'C', 'c'), maxLength: 12 });

  test('is the name with the smallest distance, and of those the first alphabetically', () => {
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 6 }), (written, names) => {
        expect(nearest(written, names)).toBe(expected(written, names));
      }),
      { numRuns: 2000 },
    );
  });

  test('swapping two neighbouring letters counts as one change, and a name that differs too much is not suggested', () => {
    expect(nearest('gruop', ['group', 'route'])).toBe('group');
    expect(nearest('ab', ['xy', ''])).toBeUndefined();
  });
});

test.each([
  ['route/r-cidr', 'did you mean `route/r-cidr 10.9.0.0\\/16 ops`?'],
  ['Engineer-of', 'did you mean `engineer-of-day` or `engineer-of-night`?'],
  ['route/', 'did you mean `route/a 1 x`, `route/b 2 y`, or another one of 3 that begin with it?'],
  ['en', undefined],
  ['other', undefined],
])('the prefix %s suggests the names that begin with it', (written, hint) => {
  const names = ['engineer-of-night', 'engineer-of-day', 'route/b 2 y', 'route/a 1 x'];
  expect(didYouMean(written, [...names, 'route/r-cidr 10.9.0.0\\/16 ops'])).toBe(hint);
});
