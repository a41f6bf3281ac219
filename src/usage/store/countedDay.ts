// The records of a day that are already counted, so that no record counts twice. For each record, a
// number derived from its identity, and its counts. The records are sorted by number and stored as
// differences, at about seven bytes a record.
import { createHash } from 'node:crypto';
import { type Counted, NOTHING } from '../records/growth.ts';

/**
 * The number of a record. With a million records, the probability that two of them have the same
 * number is 1 in 18,000.
 */
export function recordNumber(id: string): number {
  const digest = createHash('sha256').update(id).digest();
  return digest.readUIntBE(0, 6) * 32 + Math.floor(digest.readUInt8(6) / 8);
}

/** The counts of records, by the number of the record. */
export type CountedRecords = ReadonlyMap<number, Counted>;

/** The counted records of one day, sorted by number. */
export class CountedDay {
  readonly #numbers: Float64Array;
  /** Three counts for each number. */
  readonly #counts: Uint32Array;

  private constructor(numbers: Float64Array, counts: Uint32Array) {
    this.#numbers = numbers;
    this.#counts = counts;
  }

  /** A day without records. */
  static readonly empty = new CountedDay(new Float64Array(), new Uint32Array());

  get size(): number {
    return this.#numbers.length;
  }

  /** The counts of a record; undefined if it is new. */
  get(number: number): Counted | undefined {
    const at = this.#placeOf(number);
    return this.#numbers[at] === number ? this.#at(at) : undefined;
  }

  /** The day with these records added; they replace earlier counts. */
  with(more: CountedRecords): CountedDay {
    const all = new Map<number, Counted>();
    for (const [at, number] of this.#numbers.entries()) all.set(number, this.#at(at));
    for (const [number, counted] of more) all.set(number, counted);
    const numbers = Float64Array.from(all.keys()).sort();
    const counts = new Uint32Array(numbers.length * 3);
    for (const [at, number] of numbers.entries()) {
      const { starts, drops, others } = all.get(number) ?? NOTHING;
      counts.set([starts, drops, others], at * 3);
    }
    return new CountedDay(numbers, counts);
  }

  /** The day as the content of a file. */
  encoded(): Uint8Array {
    const bytes = new Writer(this.#numbers.length * 9 + 16);
    bytes.write(this.#numbers.length);
    let last = 0;
    for (const [at, number] of this.#numbers.entries()) {
      bytes.write(number - last);
      last = number;
      const { starts, drops, others } = this.#at(at);
      // Most flows start once and have at most one other sign: this is written as a single number.
      if (starts === 1 && drops === 0 && others < 2) bytes.write(others);
      else for (const count of [2, starts, drops, others]) bytes.write(count);
    }
    return bytes.written();
  }

  /** Reads what `encoded` returned; null if it is something else. */
  static decoded(bytes: Uint8Array): CountedDay | null {
    const reader = new Reader(bytes);
    const length = reader.read();
    if (length > bytes.length) return null;
    const numbers = new Float64Array(length);
    const counts = new Uint32Array(length * 3);
    let last = 0;
    for (let at = 0; at < length; at++) {
      last += reader.read();
      numbers[at] = last;
      const form = reader.read();
      counts.set(form < 2 ? [1, 0, form] : [reader.read(), reader.read(), reader.read()], at * 3);
    }
    return reader.isAtEnd ? new CountedDay(numbers, counts) : null;
  }

  #at(at: number): Counted {
    const [starts = 0, drops = 0, others = 0] = this.#counts.subarray(at * 3, at * 3 + 3);
    return { starts, drops, others };
  }

  // The index of the first number that is not smaller.
  #placeOf(number: number): number {
    let low = 0;
    let high = this.#numbers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#numbers[middle] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

// Writes numbers up to 2 ** 53, seven bits in each byte, the lowest first.
class Writer {
  #bytes: Uint8Array;
  #length = 0;

  constructor(size: number) {
    this.#bytes = new Uint8Array(size);
  }

  write(number: number): void {
    if (this.#length + 8 > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    let left = number;
    while (left >= 128) {
      this.#bytes[this.#length++] = (left % 128) + 128;
      left = Math.floor(left / 128);
    }
    this.#bytes[this.#length++] = left;
  }

  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  read(): number {
    let number = 0;
    for (let factor = 1; ; factor *= 128) {
      // Past the end, the missing bytes count as 0, and `isAtEnd` is false.
      const byte = this.#bytes[this.#at++] ?? 0;
      number += (byte % 128) * factor;
      if (byte < 128) return number;
    }
  }
}
