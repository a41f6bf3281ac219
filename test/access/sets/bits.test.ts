// Sets that keep only some of their words, held to sets of numbers.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  add,
  allBits,
  and,
  areEqual,
  type Bits,
  bitsOf,
  copyOf,
  count,
  countCommon,
  has,
  hashOf,
  indexesIn,
  intersect,
  isEmpty,
  isSubset,
  minus,
  or,
  orAll,
  orAndInto,
  orMinusInto,
  remove,
  roomFor,
  textOf,
  trimmed,
  withOne,
  withoutOne,
} from '../../../src/access/sets/bits.ts';

const SIZE = 300;
const member = fc.oneof(fc.nat(SIZE - 1), fc.constantFrom(0, 31, 32, 63, SIZE - 1));
const members = fc.array(member, { maxLength: 12 });

// Words at the ends that hold no member any more must not count.
const written = fc.record({ added: members, removed: members });

function made({ added, removed }: { added: readonly number[]; removed: readonly number[] }) {
  const bits = bitsOf(added);
  for (const index of removed) remove(bits, index);
  return { bits, set: new Set(added).difference(new Set(removed)) };
}

const listed = (bits: Bits): number[] => [...indexesIn(bits)];
const sorted = (set: ReadonlySet<number>): number[] => [...set].sort((a, b) => a - b);

test('sets match plain sets of numbers after every operation', () => {
  fc.assert(
    fc.property(written, written, member, (left, right, index) => {
      const { bits: one, set } = made(left);
      const { bits: other, set: others } = made(right);
      expect(listed(one)).toEqual(sorted(set));
      expect(listed(and(one, other))).toEqual(sorted(set.intersection(others)));
      expect(listed(or(one, other))).toEqual(sorted(set.union(others)));
      expect(listed(orAll([roomFor(SIZE), one, other]))).toEqual(sorted(set.union(others)));
      expect(listed(trimmed(one))).toEqual(sorted(set));
      expect(listed(minus(one, other))).toEqual(sorted(set.difference(others)));
      expect(listed(withOne(one, index))).toEqual(sorted(set.union(new Set([index]))));
      expect(listed(withoutOne(one, index))).toEqual(sorted(set.difference(new Set([index]))));
      expect(has(one, index)).toBe(set.has(index));
      expect(isEmpty(one)).toBe(set.size === 0);
      expect(areEqual(one, other)).toBe(set.symmetricDifference(others).size === 0);
      expect(textOf(one) === textOf(other)).toBe(areEqual(one, other));
      expect(intersect(one, other)).toBe(!set.isDisjointFrom(others));
      expect(isSubset(one, other)).toBe(set.isSubsetOf(others));
      expect(count(one)).toBe(set.size);
      expect(countCommon(one, other)).toBe(set.intersection(others).size);
      // Nothing above changed them.
      expect([listed(one), listed(other)]).toEqual([sorted(set), sorted(others)]);
    }),
    { numRuns: 1_000, seed: 1 },
  );
});

test('a set is changed in place, and equal sets have the same hash and text, however they were built', () => {
  fc.assert(
    fc.property(written, written, written, (left, middle, right) => {
      const [one, some, others] = [left, middle, right].map(made) as [Made, Made, Made];
      const copy = copyOf(one.bits);
      orAndInto(copy, some.bits, others.bits);
      expect(listed(copy)).toEqual(sorted(one.set.union(some.set.intersection(others.set))));
      orMinusInto(copy, some.bits, others.bits);
      expect(listed(copy)).toEqual(sorted(one.set.union(some.set)));
      const again = bitsOf(sorted(one.set.union(some.set)));
      expect(areEqual(copy, again)).toBe(true);
      expect(hashOf(copy)).toBe(hashOf(again));
      expect(textOf(copy)).toBe(textOf(again));
      expect(listed(one.bits)).toEqual(sorted(one.set));
    }),
    { numRuns: 1_000, seed: 1 },
  );
});

type Made = ReturnType<typeof made>;

test('the set of all members has every member and no others', () => {
  for (const size of [0, 1, 31, 32, 33, 64, 100])
    expect(listed(allBits(size))).toEqual(Array.from({ length: size }, (_, index) => index));
  const all = allBits(40);
  add(all, 100);
  expect(count(all)).toBe(41);
});
