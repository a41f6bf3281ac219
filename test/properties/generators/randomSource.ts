// A random source for generators: a sequence of numbers. A shorter sequence, or smaller numbers, generates a simpler value.
import fc from 'fast-check';

/** Makes choices from the numbers, in order. After the last number it continues with zeros: the simplest choice of every kind. */
export class RandomSource {
  readonly #numbers: readonly number[];
  #at = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  /** A whole number from 0 up to, but not including, `end`. */
  below(end: number): number {
    const number = this.#numbers[this.#at++] ?? 0;
    return end < 1 ? 0 : number % end;
  }

  /** True in `share` of the cases; never after the last number. */
  chance(share: number): boolean {
    return this.below(100) >= 100 * (1 - share);
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }

  /** `count` different members in random order, or all of them if there are fewer. */
  some<T>(choices: readonly T[], count: number): T[] {
    const bag = [...choices];
    const wanted = Math.min(count, bag.length);
    return Array.from({ length: wanted }, () => bag.splice(this.below(bag.length), 1)).flat();
  }

  /** All members, in another order. */
  shuffled<T>(members: readonly T[]): T[] {
    return this.some(members, members.length);
  }
}

const LONGEST = 400;

/** Random sources. fast-check shrinks them towards short sequences of small numbers. */
export const randomSources: fc.Arbitrary<RandomSource> = fc
  .array(fc.nat({ max: 9999 }), { maxLength: LONGEST, size: 'max' })
  .map(numbers => new RandomSource(numbers));
