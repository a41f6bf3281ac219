// Choices as a tape of numbers: whatever is drawn from a shorter tape, or one with smaller numbers, is simpler.
import fc from 'fast-check';

/** Draws one choice after the other. Behind its end a tape holds zeros: the simplest choice of every kind. */
export class Tape {
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

  /** True in `share` of the cases; never behind the end. */
  chance(share: number): boolean {
    return this.below(100) >= 100 * (1 - share);
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }

  /** So many different members, in an order of their own; fewer where there are fewer. */
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

/** Tapes, to be shrunk towards short ones of small numbers. */
export const tapes: fc.Arbitrary<Tape> = fc
  .array(fc.nat({ max: 9999 }), { maxLength: LONGEST, size: 'max' })
  .map(numbers => new Tape(numbers));
