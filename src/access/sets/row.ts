// A row: the sources of one destination, and the traffic that each source may send. This is the
// traffic that rules accept, without the traffic that rules drop.
import { and, areEqual, type Bits, has, isEmpty, minusInto, noBits, orAll } from './bits.ts';
import { sweepOf } from './sweep.ts';
import {
  cutsOf,
  type Interval,
  joinedIntervals,
  PROTOCOLS,
  SPAN,
  type Traffic,
} from './traffic.ts';

/** The effect of a rule at a destination. */
export interface Entry {
  readonly isDrop: boolean;
  readonly traffic: Traffic;
  readonly sources: Bits;
}

/** An interval of traffic and the sources that may send it. */
interface Segment extends Interval {
  readonly sources: Bits;
}

/** Segments, sorted by their position on the traffic axis. Segments without sources are left out. */
export type Row = readonly Segment[];

/**
 * The row for these entries. A drop takes precedence over every accept, whatever the order of the
 * entries.
 */
export function rowOf(entries: readonly Entry[]): Row {
  return PROTOCOLS.flatMap(protocol => rowWithin(entries, SPAN[protocol]));
}

// Most rules apply to all ports of a protocol or to a few ports. So the rules for all ports are combined only once.
function rowWithin(entries: readonly Entry[], span: Interval): Row {
  const wide = entries.filter(({ traffic }) => traffic.some(one => covers(one, span)));
  const narrow = entries.filter(
    ({ traffic }) =>
      traffic.some(one => touches(one, span)) && !traffic.some(one => covers(one, span)),
  );
  const drops = wide.filter(({ isDrop }) => isDrop);
  const always = sourcesOf(wide);
  const points = cutsOf([[span], ...narrow.map(({ traffic }) => traffic)]);
  const cuts = points.filter(point => span.from <= point && point <= span.to + 1);
  const countingAt = sweepOf(narrow);
  const row: Segment[] = [];
  for (const [at, from] of cuts.entries()) {
    const next = cuts[at + 1];
    if (next === undefined) break;
    const here = countingAt(from);
    const sources = here.size === 0 ? always : sourcesOf([...here, ...drops], always);
    if (isEmpty(sources)) continue;
    const last = row.at(-1);
    if (last?.to === from - 1 && areEqual(last.sources, sources))
      row[row.length - 1] = { ...last, to: next - 1 };
    else row.push({ from, to: next - 1, sources });
  }
  return row;
}

// The sources of these entries. `some`: sources that other entries have already accepted.
function sourcesOf(entries: readonly Entry[], some = noBits()): Bits {
  const accepts = entries.filter(({ isDrop }) => !isDrop);
  const sources = orAll([some, ...accepts.map(one => one.sources)]);
  for (const { isDrop, sources: dropped } of entries) if (isDrop) minusInto(sources, dropped);
  return sources;
}

const covers = (one: Interval, span: Interval): boolean =>
  one.from <= span.from && one.to >= span.to;

const touches = (one: Interval, span: Interval): boolean =>
  one.from <= span.to && one.to >= span.from;

/** The sources that may send traffic at a point of the traffic axis; undefined if there are none. */
export function sourcesAt(row: Row, point: number): Bits | undefined {
  return row.find(({ from, to }) => from <= point && point <= to)?.sources;
}

/** The row limited to some of its sources. */
export function among(row: Row, sources: Bits): Row {
  return row.flatMap(segment => {
    const some = and(segment.sources, sources);
    return isEmpty(some) ? [] : [{ ...segment, sources: some }];
  });
}

/** The traffic that any of several rows allows. */
export function unionOf(rows: readonly Row[]): Row {
  const [only, ...others] = rows;
  if (only !== undefined && others.length === 0) return only;
  const entries = rows.flat().map(({ from, to, sources }) => ({
    isDrop: false,
    traffic: [{ from, to }],
    sources,
  }));
  return rowOf(entries);
}

/** The traffic that one source may send. */
export function trafficFrom(row: Row, source: number): Traffic {
  return joinedIntervals(row.filter(({ sources }) => has(sources, source)));
}
