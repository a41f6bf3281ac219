// The difference between two lists of rules at a machine. It is computed without the rows of the
// lists, because most rules are in both lists.
import { type Bits, isEmpty, minus, minusInto, noBits, orAll, orInto } from '../sets/bits.ts';
import type { PooledEntry } from '../sets/rowPool.ts';
import { sweepOf } from '../sets/sweep.ts';
import { cutsOf, type Interval, PROTOCOLS, protocolAt, SPAN } from '../sets/traffic.ts';
import type { Difference, Differences, MovedInterval } from './rowDifference.ts';

const NONE: Differences = new Map();

/** The difference between the rows of two lists of entries of one pool. */
export function differencesOfEntries(
  was: readonly PooledEntry[],
  is: readonly PooledEntry[],
): Differences {
  const intervals = intervalsOf(was, is, pointsThatShow);
  if (intervals.length === 0) return NONE;
  const byProtocol = Map.groupBy(intervals, ({ from }) => protocolAt(from));
  return new Map(
    [...byProtocol].map(([protocol, [only, ...others]]) => [
      protocol,
      only && others.length === 0
        ? { gained: only.gained, lost: only.lost }
        : unionOf(byProtocol.get(protocol) ?? []),
    ]),
  );
}

/** The differences, each with the interval of traffic to which it applies. */
export const movedIntervalsOfEntries = (
  was: readonly PooledEntry[],
  is: readonly PooledEntry[],
): readonly MovedInterval[] => intervalsOf(was, is, allPoints);

/**
 * Returns the points in an interval of traffic at which the rows may differ. Each rule in `changed`
 * covers either the whole interval or no part of it.
 */
type PointsIn = (
  interval: Interval,
  changed: readonly PooledEntry[],
  common: readonly PooledEntry[],
) => readonly number[];

// The differences at points of traffic. Each difference is valid up to the next point.
function intervalsOf(
  was: readonly PooledEntry[],
  is: readonly PooledEntry[],
  pointsIn: PointsIn,
): readonly MovedInterval[] {
  const before = new Set(was);
  const after = new Set(is);
  const changed = [...before.symmetricDifference(after)];
  if (changed.length === 0) return [];
  const common = [...before.intersection(after)];
  const known = new Map<string, Difference>();
  const oldAt = sweepOf([...before]);
  const freshAt = sweepOf([...after]);
  const at = (point: number): Difference => {
    const old = [...oldAt(point)];
    const fresh = [...freshAt(point)];
    const name = [old, fresh].map(list => list.map(({ id }) => id).join()).join(' ');
    const found = known.get(name) ?? differenceOf(old, fresh);
    known.set(name, found);
    return found;
  };
  return changedIn(changed).flatMap(({ here, ...interval }) => {
    const points = pointsIn(interval, here, common);
    return points
      .map((from, place) => ({ from, to: (points[place + 1] ?? interval.to + 1) - 1, ...at(from) }))
      .filter(isAny);
  });
}

/** An interval of traffic, and the changed rules that apply to it. */
interface ChangedInterval extends Interval {
  readonly here: readonly PooledEntry[];
}

/** The intervals of traffic to which the same changed rules apply, in ascending order. Each interval is within one protocol. */
function changedIn(changed: readonly PooledEntry[]): readonly ChangedInterval[] {
  const spans = PROTOCOLS.map(protocol => SPAN[protocol]);
  const cuts = cutsOf([spans, ...changed.map(({ traffic }) => traffic)]);
  const changedAt = sweepOf(changed);
  return cuts.flatMap((from, at) => {
    const next = cuts[at + 1];
    const here = [...changedAt(from)];
    return next === undefined || here.length === 0 ? [] : [{ from, to: next - 1, here }];
  });
}

// Points at which the same rules differ. A rule in both lists can only hide the difference of an
// accept rule. So a point shows every difference of a span if every common rule that counts at the
// point counts in the whole span. A drop rule has a visible effect only where other rules accept
// traffic.
const pointsThatShow: PointsIn = (interval, changed, common) => {
  const { partial, points } = partsOf(interval, common);
  if (changed.some(({ isDrop }) => isDrop)) return points;
  const clear = points.find(point => !partial.some(isAt(point)));
  return clear === undefined ? points : [clear];
};

const allPoints: PointsIn = (interval, _, common) => partsOf(interval, common).points;

// The rules in both lists that apply to a part of the interval only, and the points at which such
// parts begin.
function partsOf({ from, to }: Interval, common: readonly PooledEntry[]) {
  const partial = common.filter(
    ({ traffic }) =>
      traffic.some(one => one.from <= to && one.to >= from) &&
      !traffic.some(one => one.from <= from && one.to >= to),
  );
  const inside = cutsOf(partial.map(({ traffic }) => traffic));
  return { partial, points: [from, ...inside.filter(point => from < point && point <= to)] };
}

const isAt =
  (point: number) =>
  ({ traffic }: PooledEntry): boolean =>
    traffic.some(({ from, to }) => from <= point && point <= to);

function differenceOf(was: readonly PooledEntry[], is: readonly PooledEntry[]): Difference {
  const before = acceptedBy(was);
  const after = acceptedBy(is);
  const lost = minus(before, after);
  minusInto(after, before);
  return { gained: after, lost };
}

function acceptedBy(entries: readonly PooledEntry[]): Bits {
  const accepted = orAll(entries.filter(({ isDrop }) => !isDrop).map(({ sources }) => sources));
  for (const { isDrop, sources } of entries) if (isDrop) minusInto(accepted, sources);
  return accepted;
}

const isAny = ({ gained, lost }: Difference): boolean => !isEmpty(gained) || !isEmpty(lost);

function unionOf(differences: readonly Difference[]): Difference {
  const union = { gained: noBits(), lost: noBits() };
  for (const { gained, lost } of differences) {
    orInto(union.gained, gained);
    orInto(union.lost, lost);
  }
  return union;
}
