// Sets of small numbers as bits: which machines, which destinations. Sets of one world all have the same length.

/**
 * A set of indexes. `add`, `remove` and functions whose names end in `Into` change their first argument; the others return a
 * new set.
 */
export type Bits = Uint32Array;

/** The empty set of a world with `size` members. */
export function noBits(size: number): Bits {
  return new Uint32Array((size + 31) >>> 5);
}

/** The set of all `size` members. */
export function allBits(size: number): Bits {
  const bits = noBits(size).fill(0xffffffff);
  const rest = size & 31;
  if (rest > 0) bits[bits.length - 1] = (1 << rest) - 1;
  return bits;
}

/** The set of these indexes. */
export function bitsOf(size: number, indexes: Iterable<number>): Bits {
  const bits = noBits(size);
  for (const index of indexes) add(bits, index);
  return bits;
}

export function has(bits: Bits, index: number): boolean {
  return (((bits[index >>> 5] ?? 0) >>> (index & 31)) & 1) === 1;
}

export function add(bits: Bits, index: number): void {
  const word = index >>> 5;
  bits[word] = (bits[word] ?? 0) | (1 << (index & 31));
}

export function remove(bits: Bits, index: number): void {
  const word = index >>> 5;
  bits[word] = (bits[word] ?? 0) & ~(1 << (index & 31));
}

export function orInto(bits: Bits, other: Bits): void {
  for (let word = 0; word < bits.length; word++)
    bits[word] = (bits[word] ?? 0) | (other[word] ?? 0);
}

/** Adds the intersection of the other sets. */
export function orAndInto(bits: Bits, some: Bits, others: Bits): void {
  for (let word = 0; word < bits.length; word++)
    bits[word] = (bits[word] ?? 0) | ((some[word] ?? 0) & (others[word] ?? 0));
}

/** Adds the members of `some` that are not in `others`. */
export function orMinusInto(bits: Bits, some: Bits, others: Bits): void {
  for (let word = 0; word < bits.length; word++)
    bits[word] = (bits[word] ?? 0) | ((some[word] ?? 0) & ~(others[word] ?? 0));
}

export function minusInto(bits: Bits, other: Bits): void {
  for (let word = 0; word < bits.length; word++)
    bits[word] = (bits[word] ?? 0) & ~(other[word] ?? 0);
}

export function or(one: Bits, other: Bits): Bits {
  const result = one.slice();
  orInto(result, other);
  return result;
}

function andInto(bits: Bits, other: Bits): void {
  for (let word = 0; word < bits.length; word++)
    bits[word] = (bits[word] ?? 0) & (other[word] ?? 0);
}

export function and(one: Bits, other: Bits): Bits {
  const result = one.slice();
  andInto(result, other);
  return result;
}

export function minus(one: Bits, other: Bits): Bits {
  const result = one.slice();
  minusInto(result, other);
  return result;
}

/** The set with an additional member. */
export function withOne(bits: Bits, index: number): Bits {
  const result = bits.slice();
  add(result, index);
  return result;
}

/** The set without a member. */
export function withoutOne(bits: Bits, index: number): Bits {
  const result = bits.slice();
  remove(result, index);
  return result;
}

export function isEmpty(bits: Bits): boolean {
  for (let word = 0; word < bits.length; word++) if (bits[word] !== 0) return false;
  return true;
}

export function areEqual(one: Bits, other: Bits): boolean {
  if (one === other) return true;
  for (let word = 0; word < one.length; word++) if (one[word] !== other[word]) return false;
  return true;
}

export function intersect(one: Bits, other: Bits): boolean {
  for (let word = 0; word < one.length; word++)
    if (((one[word] ?? 0) & (other[word] ?? 0)) !== 0) return true;
  return false;
}

/** Whether a set is a subset of another. */
export function isSubset(one: Bits, other: Bits): boolean {
  for (let word = 0; word < one.length; word++)
    if (((one[word] ?? 0) & ~(other[word] ?? 0)) !== 0) return false;
  return true;
}

/** The number of members. */
export function count(bits: Bits): number {
  let sum = 0;
  for (let word = 0; word < bits.length; word++) sum += ones(bits[word] ?? 0);
  return sum;
}

/** The number of members that two sets have in common. */
export function countCommon(one: Bits, other: Bits): number {
  let sum = 0;
  for (let word = 0; word < one.length; word++) sum += ones((one[word] ?? 0) & (other[word] ?? 0));
  return sum;
}

/** The members, lowest first. */
export function* indexesIn(bits: Bits): Generator<number> {
  for (let word = 0; word < bits.length; word++) {
    let rest = bits[word] ?? 0;
    while (rest !== 0) {
      yield word * 32 + (31 - Math.clz32(rest & -rest));
      rest &= rest - 1;
    }
  }
}

function ones(word: number): number {
  let rest = word - ((word >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
