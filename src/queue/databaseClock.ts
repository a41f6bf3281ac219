// The clock of the database. The workers of a fleet share it: the bake time of a wave may begin on one machine and end on
// another, and the clocks of the machines may differ.
import type { Statements } from './database.ts';

/** A clock that continues from its last reading by the monotonic clock of this machine. */
export class DatabaseClock {
  readonly #monotonic: () => number;
  /** The time of the database at 0 of the monotonic clock, in milliseconds since 1970. */
  #zero: number;

  /** `now` is in milliseconds since 1970, and counts until the database is first read. */
  constructor({ now, monotonic }: { readonly now: number; readonly monotonic: () => number }) {
    this.#monotonic = monotonic;
    this.#zero = now - monotonic();
  }

  /** Milliseconds since 1970, as a whole number. */
  readonly now = (): number => Math.round(this.#zero + this.#monotonic());

  /** Reads the time of the database. Rejects if it does not answer; the clock then continues as before. */
  async read({ query }: Statements): Promise<void> {
    const sent = this.#monotonic();
    const [row] = await query<{ now: number }>(
      'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
    );
    // The database read its clock between the question and the answer.
    const between = (sent + this.#monotonic()) / 2;
    if (row) this.#zero = row.now - between;
  }
}
