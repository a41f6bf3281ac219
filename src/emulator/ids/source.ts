// Generates ids in the server's form (docs/server-behaviour.md#ids).

import { type Clock, type Random, randomBelow } from '../environment.ts';
import { INSTALLATION } from '../store/account.ts';
import type { Rows } from '../store/store.ts';
import { openTable } from '../store/table.ts';

const COUNTER_END = 2 ** 24;
const START_END = 2 ** 24;
const ONLY = 'starts';

/**
 * A source of ids: 20 lower-case characters that sort by time. They encode seconds, 16 random bits, the number of the emulator's
 * start on its store, and a counter. So no start repeats the ids of another, whatever the clock and the random source return.
 */
export function newIds(clock: Clock, random: Random, start: number): () => string {
  const maker =
    BigInt(randomBelow(random, 2 ** 16)) * BigInt(START_END) + BigInt(start % START_END);
  let counter = randomBelow(random, COUNTER_END);
  return () => {
    counter = (counter + 1) % COUNTER_END;
    const seconds = BigInt(Math.floor(clock().getTime() / 1000)) & 0xffffffffn;
    const value = (seconds << 64n) | (maker << 24n) | BigInt(counter);
    // The 96 bits fill 19 characters of 5 bits and one bit of the last character. The other 4 bits stay zero.
    return (value << 4n).toString(32).padStart(20, '0');
  };
}

/** Counts the starts of an emulator on its store, and returns the number of this start. */
export function countStart(rows: Rows): number {
  const starts = openTable<{ readonly id: string; readonly count: number }>(
    rows,
    INSTALLATION,
    'starts',
  );
  const count = (starts.get(ONLY)?.count ?? 0) + 1;
  starts.put({ id: ONLY, count });
  return count;
}

/** A UUID, the form of the ids of service users. */
export function newUuid(random: Random): string {
  const digits = Array.from({ length: 32 }, () => randomBelow(random, 16).toString(16));
  const variant = (8 + randomBelow(random, 4)).toString(16);
  const text = [...digits.slice(0, 12), '4', ...digits.slice(13, 16), variant, ...digits.slice(17)];
  return text.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
