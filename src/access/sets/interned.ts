// Gives equal sets the same number, so that sets can be compared and looked up by number.
import { areEqual, type Bits, hashOf } from './bits.ts';

/** Returns the number of a set. Equal sets have equal numbers. */
export type Interner = (bits: Bits) => number;

/** An interner that knows no sets yet. */
export function interner(): Interner {
  const known = new Map<number, { readonly bits: Bits; readonly id: number }[]>();
  let next = 0;
  return bits => {
    const hash = hashOf(bits);
    const alike = known.get(hash) ?? [];
    const found = alike.find(one => areEqual(one.bits, bits));
    if (found) return found.id;
    known.set(hash, [...alike, { bits, id: next }]);
    return next++;
  };
}
