// Rows as sets of pairs of a source and a point of traffic.
import { and, type Bits, isEmpty, minus, noBits, or, withoutOne } from '../sets/bits.ts';
import type { Row } from '../sets/row.ts';
import { cutsOf } from '../sets/traffic.ts';

/** The traffic that both rows allow. */
export const common = (one: Row, other: Row): Row => combined(one, other, and);

/** The traffic that only the first row allows. */
export const onlyIn = (one: Row, other: Row): Row =>
  other.length === 0 ? one : combined(one, other, minus);

/** The traffic that either row allows. */
export const either = (one: Row, other: Row): Row => {
  if (one.length === 0) return other;
  return other.length === 0 ? one : combined(one, other, or);
};

/** The row without one of its sources. */
export function withoutSource(row: Row, index: number): Row {
  return row.flatMap(segment => {
    const sources = withoutOne(segment.sources, index);
    return isEmpty(sources) ? [] : [{ ...segment, sources }];
  });
}

function combined(one: Row, other: Row, by: (a: Bits, b: Bits) => Bits): Row {
  const cuts = cutsOf([...one, ...other].map(segment => [segment]));
  const inOne = readerOf(one);
  const inOther = readerOf(other);
  return cuts.flatMap((from, at) => {
    const next = cuts[at + 1];
    if (next === undefined) return [];
    const sources = by(inOne(from), inOther(from));
    return isEmpty(sources) ? [] : [{ from, to: next - 1, sources }];
  });
}

// Returns a function that finds the sources at a point. Points must be requested in ascending
// order, so that the row is read only once.
function readerOf(row: Row): (point: number) => Bits {
  const nobody = noBits();
  let at = 0;
  return point => {
    while ((row[at]?.to ?? point) < point) at++;
    const segment = row[at];
    return segment && segment.from <= point ? segment.sources : nobody;
  };
}
