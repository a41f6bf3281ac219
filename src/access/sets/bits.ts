// Sets of small numbers as bits, for machines and destinations. A set stores only the words between
// its first and its last member, because a large account has tens of thousands of sets with only a
// few members.

/**
 * A set of indexes. `add`, `remove` and functions whose names end in `Into` change their first argument; all other functions
 * return a new set.
 */
export interface Bits {
  /** The position of the first stored word. All other words that are not stored are zero. */
  first: number;
  words: Uint32Array;
}

const NO_WORDS = new Uint32Array();

/** The empty set. */
export function noBits(): Bits {
  return { first: 0, words: NO_WORDS };
}

/** An empty set with room for all numbers below `size`, to which many other sets can be added. */
export const roomFor = (size: number): Bits => ({
  first: 0,
  words: new Uint32Array((size + 31) >>> 5),
});

/** The set of all numbers below `size`. */
export function allBits(size: number): Bits {
  const words = new Uint32Array((size + 31) >>> 5).fill(0xffffffff);
  const rest = size & 31;
  if (rest > 0) words[words.length - 1] = (1 << rest) - 1;
  return { first: 0, words };
}

/** The set of these indexes. */
export function bitsOf(indexes: Iterable<number>): Bits {
  const bits = noBits();
  for (const index of indexes) add(bits, index);
  return bits;
}

/** A copy of the set that may be changed. */
export function copyOf({ first, words }: Bits): Bits {
  return { first, words: words.length === 0 ? NO_WORDS : words.slice() };
}

/**
 * The same set without zero words at its start and end, so that comparing a few members of a large
 * set is cheap.
 */
export function trimmed({ first, words }: Bits): Bits {
  const from = words.findIndex(word => word !== 0);
  if (from < 0) return noBits();
  const end = words.findLastIndex(word => word !== 0) + 1;
  return { first: first + from, words: words.slice(from, end) };
}

export function has(bits: Bits, index: number): boolean {
  return ((wordAt(bits, index >>> 5) >>> (index & 31)) & 1) === 1;
}

export function add(bits: Bits, index: number): void {
  const word = index >>> 5;
  if (word < bits.first || word >= endOf(bits)) {
    // Leaves room for more members on the same side, to avoid a copy for each new member of a
    // growing set.
    const room = bits.words.length;
    if (room === 0) widen(bits, word, word + 1);
    else if (word < bits.first) widen(bits, Math.max(0, word - room), word);
    else widen(bits, word, word + 1 + room);
  }
  const at = word - bits.first;
  bits.words[at] = (bits.words[at] ?? 0) | (1 << (index & 31));
}

export function remove({ first, words }: Bits, index: number): void {
  const at = (index >>> 5) - first;
  if (at >= 0 && at < words.length) words[at] = (words[at] ?? 0) & ~(1 << (index & 31));
}

export function orInto(bits: Bits, other: Bits): void {
  const { words, first } = other;
  if (words.length === 0) return;
  widen(bits, first, endOf(other));
  const shift = first - bits.first;
  const into = bits.words;
  for (let at = 0; at < words.length; at++)
    into[at + shift] = (into[at + shift] ?? 0) | (words[at] ?? 0);
}

/** Adds the intersection of the other sets. */
export function orAndInto(bits: Bits, some: Bits, others: Bits): void {
  const first = Math.max(some.first, others.first);
  const end = Math.min(endOf(some), endOf(others));
  if (end <= first) return;
  widen(bits, first, end);
  const { words } = bits;
  const [one, other, into] = [some, others, bits].map(set => first - set.first) as Offsets;
  for (let at = 0; at < end - first; at++)
    words[at + into] =
      (words[at + into] ?? 0) | ((some.words[at + one] ?? 0) & (others.words[at + other] ?? 0));
}

type Offsets = [number, number, number];

/** Adds the members of `some` that are not in `others`. */
export function orMinusInto(bits: Bits, some: Bits, others: Bits): void {
  orInto(bits, minus(some, others));
}

export function minusInto(bits: Bits, other: Bits): void {
  const end = Math.min(endOf(bits), endOf(other));
  for (let word = Math.max(bits.first, other.first); word < end; word++) {
    const at = word - bits.first;
    bits.words[at] = (bits.words[at] ?? 0) & ~(other.words[word - other.first] ?? 0);
  }
}

export function or(one: Bits, other: Bits): Bits {
  return orAll([one, other]);
}

/**
 * The members of any of the sets. The words are allocated only once; growing a set step by step
 * would copy it at each step.
 */
export function orAll(sets: readonly Bits[]): Bits {
  let first = Number.POSITIVE_INFINITY;
  let end = 0;
  for (const one of sets) {
    if (one.words.length === 0) continue;
    first = Math.min(first, one.first);
    end = Math.max(end, endOf(one));
  }
  if (end === 0) return noBits();
  const union = { first, words: new Uint32Array(end - first) };
  for (const one of sets) orInto(union, one);
  return union;
}

export function and(one: Bits, other: Bits): Bits {
  // Most intersections in a large account are empty, and this check costs less than an allocation.
  if (!intersect(one, other)) return noBits();
  const first = Math.max(one.first, other.first);
  const end = Math.min(endOf(one), endOf(other));
  const words = one.words.slice(first - one.first, end - one.first);
  const shift = first - other.first;
  for (let at = 0; at < words.length; at++)
    words[at] = (words[at] ?? 0) & (other.words[at + shift] ?? 0);
  return { first, words };
}

export function minus(one: Bits, other: Bits): Bits {
  // Most differences in a large account are empty too.
  if (isSubset(one, other)) return noBits();
  const result = copyOf(one);
  minusInto(result, other);
  return result;
}

/** The set with an additional member. */
export function withOne(bits: Bits, index: number): Bits {
  const result = copyOf(bits);
  add(result, index);
  return result;
}

/** The set without a member. */
export function withoutOne(bits: Bits, index: number): Bits {
  const result = copyOf(bits);
  remove(result, index);
  return result;
}

export function isEmpty({ words }: Bits): boolean {
  for (let at = 0; at < words.length; at++) if (words[at] !== 0) return false;
  return true;
}

export function areEqual(one: Bits, other: Bits): boolean {
  if (one === other) return true;
  const end = Math.max(endOf(one), endOf(other));
  for (let word = Math.min(one.first, other.first); word < end; word++)
    if (wordAt(one, word) !== wordAt(other, word)) return false;
  return true;
}

export function intersect(one: Bits, other: Bits): boolean {
  const end = Math.min(endOf(one), endOf(other));
  for (let word = Math.max(one.first, other.first); word < end; word++)
    if ((wordAt(one, word) & wordAt(other, word)) !== 0) return true;
  return false;
}

/** Whether a set is a subset of another. */
export function isSubset(one: Bits, other: Bits): boolean {
  const end = endOf(one);
  for (let word = one.first; word < end; word++)
    if ((wordAt(one, word) & ~wordAt(other, word)) !== 0) return false;
  return true;
}

/** The number of members. */
export function count({ words }: Bits): number {
  let sum = 0;
  for (let at = 0; at < words.length; at++) sum += ones(words[at] ?? 0);
  return sum;
}

/** The number of members that two sets have in common. */
export function countCommon(one: Bits, other: Bits): number {
  let sum = 0;
  const end = Math.min(endOf(one), endOf(other));
  for (let word = Math.max(one.first, other.first); word < end; word++)
    sum += ones(wordAt(one, word) & wordAt(other, word));
  return sum;
}

/** The members, lowest first. */
export function* indexesIn({ first, words }: Bits): Generator<number> {
  for (let at = 0; at < words.length; at++) {
    let rest = words[at] ?? 0;
    while (rest !== 0) {
      yield (first + at) * 32 + (31 - Math.clz32(rest & -rest));
      rest &= rest - 1;
    }
  }
}

/** A hash of the members: FNV-1a over the words that are not zero, and their positions. */
export function hashOf({ first, words }: Bits): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? 0;
    if (word === 0) continue;
    hash = Math.imul(hash ^ word, 0x01000193) ^ (hash >>> 15);
    hash = Math.imul(hash ^ (first + at), 0x01000193) ^ (hash >>> 15);
  }
  return hash;
}

/** A string that is the same for equal sets. */
export function textOf({ first, words }: Bits): string {
  return [...words.entries()]
    .flatMap(([at, word]) => (word === 0 ? [] : [`${first + at}:${word}`]))
    .join();
}

const endOf = ({ first, words }: Bits): number => first + words.length;

function wordAt({ first, words }: Bits, word: number): number {
  const at = word - first;
  // An index outside the array would be looked up as a property, which is slow.
  return at >= 0 && at < words.length ? (words[at] ?? 0) : 0;
}

// Extends the stored words so that they cover `first` to `end`.
function widen(bits: Bits, first: number, end: number): void {
  const { first: kept, words } = bits;
  if (words.length > 0 && first >= kept && end <= endOf(bits)) return;
  const from = words.length === 0 ? first : Math.min(first, kept);
  const wider = new Uint32Array((words.length === 0 ? end : Math.max(end, endOf(bits))) - from);
  wider.set(words, Math.max(0, kept - from));
  bits.first = from;
  bits.words = wider;
}

function ones(word: number): number {
  let rest = word - ((word >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
