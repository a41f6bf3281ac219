// One target before and after a change, for every way to evaluate posture that can show a
// difference. Rows are computed on demand, because most machines of a large account need none.
import { answersSshOnlyIn, withAnsweredSsh } from '../ask/answeredSsh.ts';
import type { Reaches } from '../flows/reaches.ts';
import { itselfIn, rowAt, type Target } from '../flows/targets.ts';
import { exceedingAt } from '../outcomes/exceeding.ts';
import { once } from '../routed/computedOnce.ts';
import { type Bits, count, isEmpty, minus, or, orAll } from '../sets/bits.ts';
import { among, type Row } from '../sets/row.ts';
import { areSameEntries, type PooledEntry } from '../sets/rowPool.ts';
import { either, onlyIn } from '../sets/rowSets.ts';
import { differencesOfEntries, movedIntervalsOfEntries } from './entryDifference.ts';
import {
  type Difference,
  type Differences,
  differencesOf,
  type MovedInterval,
  movedIntervals,
} from './rowDifference.ts';

/**
 * The ways to evaluate posture that apply to a single state. They are bounds of the possible
 * results. `certain` and `possible` are access through the machines that route now. `unconditional`
 * and `granted` are what the rules allow: each group of routing machines counts as if it had a
 * machine, because the access begins when a machine joins, without a plan. If no machine routes to
 * the target in either state, all access to the target counts as if a machine did.
 */
export const BOUNDS = ['unconditional', 'certain', 'possible', 'granted'] as const;

type Bound = (typeof BOUNDS)[number];

const OF_RULES: ReadonlySet<Bound> = new Set(['unconditional', 'granted']);

/**
 * Every way to evaluate posture that can show a difference. If access depends on one posture check
 * before and on another one after, the bounds are the same in both states. So `opened` is the
 * access that only the second state has for equal results of the posture checks, and `closed` is
 * the access that only the first state has. `opened` is empty in the first state, `closed` in the
 * second.
 */
export const READINGS = [...BOUNDS, 'opened', 'closed'] as const;

export type Reading = (typeof READINGS)[number];

/** A target in two states. */
export interface TargetRows {
  readonly target: Target;
  /** The index of the target if it is a current machine; otherwise -1. */
  readonly itself: number;
  readonly was: (reading: Reading) => Row;
  readonly is: (reading: Reading) => Row;
  /** The differences by `Reading`, computed on demand. */
  readonly differences: () => Readonly<Record<Reading, Differences>>;
  /**
   * The intervals of traffic with differences, one `Reading` after another, without repeating equal
   * readings. Computed on demand.
   */
  readonly movedIntervals: () => readonly MovedUnder[];
}

/** An interval of traffic that sources gain or lose for one `Reading`. */
interface MovedUnder extends MovedInterval {
  readonly reading: Reading;
}

/**
 * The rows of a target in two states. If only one of the states answers SSH, the second port leads
 * to port 22 only in that state. The ports stay open in both, but the access through them is gained
 * or lost.
 */
export function targetRows(before: Reaches, after: Reaches, target: Target): TargetRows {
  if (isUnrouted([before, after], target))
    return rowsBetween(before.withRouters(), after.withRouters(), target);
  return rowsBetween(before, after, target);
}

// Whether no machine routes to the target in either state, although machines that would route may join.
function isUnrouted(states: readonly Reaches[], target: Target): boolean {
  if (target.type === 'machine' || states.every(one => one.withRouters() === one)) return false;
  return states.every(one => one.under('certain').deliveriesOf(target.id).length === 0);
}

function rowsBetween(before: Reaches, after: Reaches, target: Target): TargetRows {
  const { was, is, compared } = readingsOf(before, after, target);
  const between = (reading: Reading) => compared(reading, DIFFERENCES);
  return {
    target,
    itself: itselfIn(before.world, target),
    was,
    is,
    differences: once(() => ({
      unconditional: between('unconditional'),
      certain: between('certain'),
      possible: between('possible'),
      granted: between('granted'),
      opened: between('opened'),
      closed: between('closed'),
    })),
    movedIntervals: once(() => {
      // Without posture checks, every way to evaluate posture gives the same result.
      const readings = before.hasPosture || after.hasPosture ? READINGS : (['certain'] as const);
      return readings.flatMap(reading =>
        compared(reading, INTERVALS).map(interval => ({ ...interval, reading })),
      );
    }),
  };
}

/** The rows of a target in two states by `Reading`, and their comparison. */
interface ReadRows extends Pick<TargetRows, 'was' | 'is'> {
  readonly compared: <T>(reading: Reading, comparing: Comparing<T>) => T;
}

function readingsOf(before: Reaches, after: Reaches, target: Target): ReadRows {
  const hadSsh = answersSshOnlyIn(before.world, after.world, target);
  const hasSsh = answersSshOnlyIn(after.world, before.world, target);
  const flipped = flippedIn(before, after);
  const rowIn = boundRows(target, flipped);
  const moved = once(() => movedBetween(before, after, target));
  const was = (reading: Reading): Row => {
    if (reading === 'opened') return NOTHING;
    if (reading === 'closed') return moved().closed;
    const row = rowIn(before, reading);
    return hadSsh ? withAnsweredSsh(row) : row;
  };
  const is = (reading: Reading): Row => {
    if (reading === 'closed') return NOTHING;
    if (reading === 'opened') return moved().opened;
    const row = rowIn(after, reading);
    return hasSsh ? withAnsweredSsh(row) : row;
  };
  const compared = <T>(reading: Reading, { ofRows, ofEntries }: Comparing<T>): T => {
    const isOfEntries = target.type === 'machine' && isBound(reading) && !hadSsh && !hasSsh;
    if (!isOfEntries || (reading === 'unconditional' && !isEmpty(flipped)))
      return ofRows(was(reading), is(reading));
    const [former, latter] = [before, after].map(reaches =>
      reaches.under(reading).machines.entriesAt(target.index),
    );
    return ofEntries(former ?? [], latter ?? []);
  };
  return { was, is, compared };
}

// Returns the row of a target for a bound. `flipped`: machines whose unconditional traffic is only their certain traffic.
function boundRows(target: Target, flipped: Bits): (reaches: Reaches, reading: Bound) => Row {
  const unconditional = new Map<Reaches, Row>();
  return (reaches, reading) => {
    const judged = judgedAt(reaches, target, reading);
    const row = rowAt(judged.under(reading), target);
    if (reading !== 'unconditional' || isEmpty(flipped)) return row;
    const certain = rowAt(judged.under('certain'), target);
    const found = unconditional.get(reaches) ?? withCertain(row, certain, flipped);
    unconditional.set(reaches, found);
    return found;
  };
}

/** How to compare the rows of two states, or the entries that make them. */
interface Comparing<T> {
  readonly ofRows: (was: Row, is: Row) => T;
  readonly ofEntries: (was: readonly PooledEntry[], is: readonly PooledEntry[]) => T;
}

const DIFFERENCES: Comparing<Differences> = {
  ofRows: differencesOf,
  ofEntries: differencesOfEntries,
};

const INTERVALS: Comparing<readonly MovedInterval[]> = {
  ofRows: movedIntervals,
  ofEntries: movedIntervalsOfEntries,
};

const NOTHING: Row = [];

const judgedAt = (reaches: Reaches, target: Target, reading: Bound): Reaches =>
  target.type !== 'machine' && OF_RULES.has(reading) ? reaches.withRouters() : reaches;

const isBound = (reading: Reading): reading is Bound => BOUNDS.some(one => one === reading);

/**
 * Access that exists in only one of two states for the same results of the posture checks. The
 * access of members whose posture is known may be left out, because the bounds already show its
 * difference.
 */
interface Moved {
  readonly opened: Row;
  readonly closed: Row;
}

function movedBetween(before: Reaches, after: Reaches, target: Target): Moved {
  if (!before.hasPosture && !after.hasPosture) return { opened: [], closed: [] };
  // If no posture check matters at the target, the bounds already show every difference.
  if ([before, after].every(reaches => isDecided(reaches, target)))
    return { opened: [], closed: [] };
  // Members whose posture is known are left out. All of their access is certain, so the bounds already show every difference.
  const found = exceedingAt({ step: after, first: before, last: before }, target, 'undecided');
  if (found !== null) return { opened: found.opening, closed: found.gap };
  // If there are too many outcomes, all access that may be opened counts as opened.
  const rowIn = (reaches: Reaches, reading: Bound) => rowAt(reaches.under(reading), target);
  return {
    opened: onlyIn(rowIn(after, 'possible'), rowIn(before, 'certain')),
    closed: onlyIn(rowIn(before, 'possible'), rowIn(after, 'certain')),
  };
}

// Equal rows are the same object, unless the pool contains too many rows. With too many rows, the
// comparison fails, and the target counts as undecided.
function isDecided(reaches: Reaches, target: Target): boolean {
  const least = reaches.under('unconditional');
  const most = reaches.under('granted');
  if (target.type !== 'machine') return rowAt(least, target) === rowAt(most, target);
  const { index } = target;
  return areSameEntries(least.machines.entriesAt(index), most.machines.entriesAt(index));
}

// The machines that await approval in only one of the states. While a machine waits, its posture counts as passed, but its
// traffic is not unconditional.
function flippedIn({ world: one }: Reaches, { world: other }: Reaches): Bits {
  if (count(one.awaiting) + count(other.awaiting) === 0) return one.awaiting;
  return or(minus(one.awaiting, other.awaiting), minus(other.awaiting, one.awaiting));
}

// The row, but with only the certain traffic of these sources.
const withCertain = (row: Row, certain: Row, sources: Bits): Row =>
  either(onlyIn(row, among(row, sources)), among(certain, sources));

/** The sources with a difference for any way to evaluate posture. */
export const changedSources = ({ differences }: TargetRows): Bits =>
  orAll(
    READINGS.flatMap(reading =>
      [...differences()[reading].values()].flatMap(({ gained, lost }) => [gained, lost]),
    ),
  );

/** The sources that gain or lose traffic of any protocol. */
export const sourcesOf = (differences: Differences, way: keyof Difference): Bits =>
  orAll([...differences.values()].map(difference => difference[way]));
