// Access to a target in an intermediate state that exceeds what two other states allow, for any result of the posture checks.
import type { Reaches } from '../flows/reaches.ts';
import {
  itselfIn,
  type MachineTarget,
  type RoutedTarget,
  rowAt,
  type Target,
} from '../flows/targets.ts';
import { has, orAll } from '../sets/bits.ts';
import type { Row } from '../sets/row.ts';
import { areSameEntries, type PooledEntry } from '../sets/rowPool.ts';
import { common, either, onlyIn, withoutSource } from '../sets/rowSets.ts';
import type { Outcome } from '../world/outcome.ts';
import { exceedingEntries } from './exceedingEntries.ts';
import { type ComparedStates, machineOutcomes } from './machineOutcomes.ts';
import { type KnownOutcomes, knownOutcomes } from './outcomes.ts';
import { routedOutcomes } from './routedOutcomes.ts';
import { isSameReachAt } from './sameReach.ts';
import { type Exceeding, exceedingThrough } from './throughRouters.ts';
import { undecidedIn } from './undecided.ts';

/**
 * The members whose access is compared. `everyone`: all current and future members. `undecided`: at least all members that may
 * pass or fail posture checks.
 */
type Whose = 'everyone' | 'undecided';

/**
 * The sources that have less access than both the first and the last state allow, and the sources that have more than either of
 * them allows, for the same results of posture checks. Null if there are too many outcomes.
 */
export function exceedingAt(
  compared: ComparedStates,
  target: Target,
  whose: Whose = 'everyone',
): Exceeding | null {
  const { step, first, last } = compared;
  if (isSameReachAt(step, first, target) || isSameReachAt(step, last, target)) return NOTHING;
  const known = knownOutcomes(step.pool);
  if (target.type !== 'machine') return exceedingAtAddress(compared, target, known);
  const outcomes = machineOutcomes(compared, target, known);
  if (outcomes === null) return null;
  const found = exceedingAtMachine(compared, target, outcomes, whose);
  const itself = itselfIn(step.world, target);
  if (itself < 0) return found;
  return { gap: withoutSource(found.gap, itself), opening: withoutSource(found.opening, itself) };
}

const NOTHING: Exceeding = { gap: [], opening: [] };

// A machine has the same access in every outcome if it certainly passes or certainly fails each
// check, so one outcome is enough for it. This applies to nearly all machines of a large account.
function exceedingAtMachine(
  compared: ComparedStates,
  target: MachineTarget,
  outcomes: readonly Outcome[],
  whose: Whose,
): Exceeding {
  const [any] = outcomes;
  if (any === undefined) return NOTHING;
  const { pool } = compared.step;
  const worlds = [compared.step, compared.first, compared.last].map(({ world }) => world);
  const undecided = worlds.map(undecidedIn);
  // The posture of the target itself also matters for traffic that others send to it.
  if (undecided.some(some => has(some, target.index)))
    return exceedingOfSources(compared, target, outcomes, entries => entries);
  const parts = pool.parts(orAll(undecided));
  const found = exceedingOfSources(compared, target, outcomes, parts.among);
  if (whose === 'undecided') return found;
  return both(exceedingOfSources(compared, target, [any], parts.without), found);
}

function exceedingOfSources(
  { step, first, last }: ComparedStates,
  { index }: MachineTarget,
  outcomes: readonly Outcome[],
  partOf: (entries: readonly PooledEntry[]) => readonly PooledEntry[],
): Exceeding {
  let found = NOTHING;
  for (const outcome of outcomes) {
    const entriesIn = (reaches: Reaches) =>
      partOf(reaches.under(outcome).machines.entriesAt(index));
    const now = entriesIn(step);
    const was = entriesIn(first);
    const is = first === last ? was : entriesIn(last);
    if (areSameEntries(now, was) || areSameEntries(now, is)) continue;
    found = both(found, exceedingEntries({ step: now, first: was, last: is }));
  }
  return found;
}

function exceedingAtAddress(
  compared: ComparedStates,
  target: RoutedTarget,
  known: KnownOutcomes,
): Exceeding | null {
  const { step, first, last } = compared;
  const outcomes = routedOutcomes([step, first, last], target.served);
  if (outcomes === null) return null;
  const { ofSource, ofOthers, areRoutersUnknown } = outcomes;
  if (!areRoutersUnknown)
    return exceedingUnder(
      compared,
      target,
      ofSource.map(held => known.outcomesOf(held, held)),
    );
  let found = NOTHING;
  for (const held of ofSource) {
    const others = ofOthers.map(other => known.outcomesOf(held, other));
    found = both(found, exceedingThrough(compared, target, known.outcomesOf(held, held), others));
  }
  return found;
}

function exceedingUnder(
  { step, first, last }: ComparedStates,
  target: RoutedTarget,
  outcomes: readonly Outcome[],
): Exceeding {
  let found = NOTHING;
  for (const outcome of outcomes) {
    const rowIn = (reaches: Reaches) => rowAt(reaches.under(outcome), target);
    const now = rowIn(step);
    const was = rowIn(first);
    const is = rowIn(last);
    if (now === was || now === is) continue;
    found = both(found, was === is ? differenceOf(was, now) : exceeding(was, now, is));
  }
  return found;
}

const exceeding = (was: Row, now: Row, is: Row): Exceeding => ({
  gap: onlyIn(common(was, is), now),
  opening: onlyIn(onlyIn(now, was), is),
});

const differences = new WeakMap<Row, WeakMap<Row, Exceeding>>();

// Cached, because thousands of machines have the same two rows, in many outcomes.
function differenceOf(was: Row, now: Row): Exceeding {
  const known = differences.get(was) ?? new WeakMap<Row, Exceeding>();
  differences.set(was, known);
  const found = known.get(now) ?? { gap: onlyIn(was, now), opening: onlyIn(now, was) };
  known.set(now, found);
  return found;
}

function both(one: Exceeding, other: Exceeding): Exceeding {
  if (one === NOTHING || one === other) return other;
  return { gap: either(one.gap, other.gap), opening: either(one.opening, other.opening) };
}
