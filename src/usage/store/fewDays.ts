// The counts of a flow by day. Most flows have few days, and a store has a million flows: a `Map` for each would take most of the
// memory.
import type { Counts, Day } from '../observed.ts';

/** The numbers of a day: the day, starts, drops. */
const WIDTH = 3;

/** A map of days in little memory. */
export class FewDays implements ReadonlyMap<Day, Counts> {
  readonly #numbers: number[];

  constructor(day: Day, { starts, drops }: Counts) {
    this.#numbers = [day, starts, drops];
  }

  /** Adds to the counts of a day. */
  add(day: Day, { starts, drops }: Counts): void {
    const numbers = this.#numbers;
    const at = this.#placeOf(day);
    if (at < 0) {
      numbers.push(day, starts, drops);
      return;
    }
    numbers[at + 1] = (numbers[at + 1] ?? 0) + starts;
    numbers[at + 2] = (numbers[at + 2] ?? 0) + drops;
  }

  get size(): number {
    return this.#numbers.length / WIDTH;
  }

  get(day: Day): Counts | undefined {
    const at = this.#placeOf(day);
    return at < 0 ? undefined : this.#countsAt(at);
  }

  has(day: Day): boolean {
    return this.#placeOf(day) >= 0;
  }

  *[Symbol.iterator](): MapIterator<[Day, Counts]> {
    for (let at = 0; at < this.#numbers.length; at += WIDTH)
      yield [this.#numbers[at] ?? 0, this.#countsAt(at)];
  }

  entries(): MapIterator<[Day, Counts]> {
    return this[Symbol.iterator]();
  }

  *keys(): MapIterator<Day> {
    for (const [day] of this) yield day;
  }

  *values(): MapIterator<Counts> {
    for (const [, counts] of this) yield counts;
  }

  forEach(use: (counts: Counts, day: Day, map: ReadonlyMap<Day, Counts>) => void): void {
    for (const [day, counts] of this) use(counts, day, this);
  }

  // Days are added in order, and the last one is looked up most often.
  #placeOf(day: Day): number {
    for (let at = this.#numbers.length - WIDTH; at >= 0; at -= WIDTH)
      if (this.#numbers[at] === day) return at;
    return -1;
  }

  #countsAt(at: number): Counts {
    return { starts: this.#numbers[at + 1] ?? 0, drops: this.#numbers[at + 2] ?? 0 };
  }
}
