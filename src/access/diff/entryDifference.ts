// The difference of two lists of rules at a machine, computed without their rows, because most rules are in both lists.
import { type Bits, isEmpty, minus, minusInto, noBits, orAll, orInto } from '../sets/bits.ts';
import type { PooledEntry } from '../sets/rowPool.ts';
import { sweepOf } from '../sets/sweep.ts';
import { cutsOf, type Interval, PROTOCOLS, SPAN, type TrafficProtocol } from '../sets/traffic.ts';
import type { Difference, Differences } from './rowDifference.ts';

const NONE: Differences = new Map();

/** The difference between the rows of two lists of entries of one pool. */
export function differencesOfEntries(
  was: readonly PooledEntry[],
  is: readonly PooledEntry[],
): Differences {
  const before = new Set(was);
  const after = new Set(is);
  const changed = [...before.symmetricDifference(after)];
  if (changed.length === 0) return NONE;
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
  const found = new Map<TrafficProtocol, Difference>();
  for (const protocol of PROTOCOLS) {
    const parts = pointsIn(SPAN[protocol], changed, common).map(at).filter(isAny);
    const [only, ...others] = parts;
    if (only) found.set(protocol, others.length === 0 ? only : unionOf(parts));
  }
  return found;
}

/** Points of traffic in a span that together show every difference there, in ascending order. */
function pointsIn(
  span: Interval,
  changed: readonly PooledEntry[],
  common: readonly PooledEntry[],
): readonly number[] {
  const cuts = cutsOf([[span], ...changed.map(({ traffic }) => traffic)]);
  const changedAt = sweepOf(changed);
  return cuts.flatMap((from, at) => {
    const next = cuts[at + 1];
    if (next === undefined || from < span.from || from > span.to) return [];
    const here = [...changedAt(from)];
    return here.length > 0 ? pointsBetween({ from, to: next - 1 }, here, common) : [];
  });
}

// Points in traffic for which the same rules differ. A rule in both lists can only hide differences of accept rules. So a point
// shows every difference of the span if every rule that counts at the point counts in the whole span. The effect of a drop rule
// is visible only where other rules accept.
function pointsBetween(
  { from, to }: Interval,
  changed: readonly PooledEntry[],
  common: readonly PooledEntry[],
): readonly number[] {
  const partial = common.filter(
    ({ traffic }) =>
      traffic.some(one => one.from <= to && one.to >= from) &&
      !traffic.some(one => one.from <= from && one.to >= to),
  );
  const inside = cutsOf(partial.map(({ traffic }) => traffic));
  const points = [from, ...inside.filter(point => from < point && point <= to)];
  if (changed.some(({ isDrop }) => isDrop)) return points;
  const clear = points.find(point => !partial.some(isAt(point)));
  return clear === undefined ? points : [clear];
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
