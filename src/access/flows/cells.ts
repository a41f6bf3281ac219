// Cells: sources for which several rows allow the same traffic.
import { and, type Bits, isEmpty, minus } from '../sets/bits.ts';
import { type Row, sourcesAt } from '../sets/row.ts';
import { cutsOf, type Interval, joinedIntervals, type Traffic } from '../sets/traffic.ts';

export interface Cell {
  readonly sources: Bits;
  /** The traffic that each of the sources may send, by row. */
  readonly allowed: readonly Traffic[];
}

interface Open {
  readonly sources: Bits;
  readonly allowed: readonly (readonly Interval[])[];
}

/** Splits `scope` into cells. Every source is in exactly one of them. */
export function cellsOf(rows: readonly Row[], scope: Bits): readonly Cell[] {
  let cells: readonly Open[] = [{ sources: scope, allowed: rows.map(() => []) }];
  const cuts = cutsOf(rows.flat().map(segment => [segment]));
  for (const [at, from] of cuts.entries()) {
    const next = cuts[at + 1];
    if (next === undefined) break;
    for (const [layer, row] of rows.entries()) {
      const sources = sourcesAt(row, from);
      if (sources)
        cells = cells.flatMap(cell => split(cell, sources, layer, { from, to: next - 1 }));
    }
  }
  return cells.map(({ sources, allowed }) => ({ sources, allowed: allowed.map(joinedIntervals) }));
}

function split(cell: Open, sources: Bits, layer: number, interval: Interval): readonly Open[] {
  const inside = and(cell.sources, sources);
  if (isEmpty(inside)) return [cell];
  const grown = cell.allowed.map((list, at) => (at === layer ? [...list, interval] : list));
  const outside = minus(cell.sources, sources);
  const within = { sources: inside, allowed: grown };
  return isEmpty(outside) ? [within] : [{ ...cell, sources: outside }, within];
}

/** A row limited to an interval of traffic. */
export function within(row: Row, { from, to }: Interval): Row {
  return row
    .filter(segment => segment.from <= to && segment.to >= from)
    .map(segment => ({
      ...segment,
      from: Math.max(segment.from, from),
      to: Math.min(segment.to, to),
    }));
}
