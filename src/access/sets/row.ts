// Who may send which traffic to one destination: what rules accept, minus what rules drop.
import { and, areEqual, type Bits, has, isEmpty, minusInto, noBits, orInto } from './bits.ts';
import { cutsOf, type Interval, joined, protocolAt, type Traffic } from './traffic.ts';

/** What one rule says at a destination. */
export interface Entry {
  readonly isDrop: boolean;
  readonly traffic: Traffic;
  readonly sources: Bits;
}

/** An interval of traffic and the sources that may send it. */
interface Segment extends Interval {
  readonly sources: Bits;
}

/** Segments by their place on the axis of traffic, those without a source left out. */
export type Row = readonly Segment[];

/** The row that these entries add up to. A drop wins over every accept, whatever their order. */
export function rowOf(entries: readonly Entry[], size: number): Row {
  const cuts = cutsOf(entries.map(({ traffic }) => traffic));
  const row: Segment[] = [];
  for (const [at, from] of cuts.entries()) {
    const next = cuts[at + 1];
    if (next === undefined) break;
    const sources = sourcesAt(entries, from, size);
    if (isEmpty(sources)) continue;
    const last = row.at(-1);
    if (last && continues(last, from) && areEqual(last.sources, sources))
      row[row.length - 1] = { ...last, to: next - 1 };
    else row.push({ from, to: next - 1, sources });
  }
  return row;
}

function sourcesAt(entries: readonly Entry[], point: number, size: number): Bits {
  const sources = noBits(size);
  const covering = entries.filter(({ traffic }) => isAt(traffic, point));
  for (const { isDrop, sources: accepted } of covering) if (!isDrop) orInto(sources, accepted);
  for (const { isDrop, sources: dropped } of covering) if (isDrop) minusInto(sources, dropped);
  return sources;
}

// Protocols lie next to each other on the axis, and stay apart.
const continues = (last: Segment, from: number): boolean =>
  last.to === from - 1 && protocolAt(last.to) === protocolAt(from);

const isAt = (traffic: Traffic, point: number): boolean =>
  traffic.some(({ from, to }) => from <= point && point <= to);

/** The same row for some of its sources only. */
export function among(row: Row, sources: Bits): Row {
  return row.flatMap(segment => {
    const some = and(segment.sources, sources);
    return isEmpty(some) ? [] : [{ ...segment, sources: some }];
  });
}

/** What any of several rows allows. */
export function unionOf(rows: readonly Row[], size: number): Row {
  const [only, ...others] = rows;
  if (only !== undefined && others.length === 0) return only;
  const entries = rows.flat().map(({ from, to, sources }) => ({
    isDrop: false,
    traffic: [{ from, to }],
    sources,
  }));
  return rowOf(entries, size);
}

/** The traffic that one source may send. */
export function trafficFrom(row: Row, source: number): Traffic {
  return joined(row.filter(({ sources }) => has(sources, source)));
}
