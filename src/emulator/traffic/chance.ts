// Random values that depend only on a seed and a subject, not on earlier values. So a machine uses the same things tomorrow as
// today, even if other machines are added or removed in between.
import { type Random, randomBelow, seededRandom } from '../environment.ts';

/** Draws about a subject. */
export interface Draws {
  /** Returns true in this percentage of cases. */
  isWithin(percent: number): boolean;
  /** A whole number from 0 up to, but not including, `end`. */
  below(end: number): number;
  /** One member of a list; undefined if the list is empty. */
  one<T>(some: readonly T[]): T | undefined;
}

/** The draws about a subject, which the words name; equal words give equal draws. */
export function drawsAbout(seed: number, ...words: readonly (string | number)[]): Draws {
  const random: Random = seededRandom(hash(`${seed} ${words.join(' ')}`));
  return {
    isWithin: percent => random() * 100 < percent,
    below: end => randomBelow(random, end),
    one: some => some[randomBelow(random, some.length)],
  };
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value >>> 0;
}
