// Access during a run that exceeds its bounds: sources without access that both ends allow, and sources with access that
// neither allows.
import type { Reaches } from '../flows/reaches.ts';
import {
  itselfIn,
  type MachineTarget,
  type RoutedTarget,
  routedTargets,
  rowAt,
  type Target,
} from '../flows/targets.ts';
import { and, indexesIn } from '../sets/bits.ts';
import type { Row } from '../sets/row.ts';
import type { Outcome } from '../world/outcome.ts';
import { affectedMachines } from './affected.ts';
import { type Compared, machineOutcomes } from './machineOutcomes.ts';
import type { KnownOutcomes } from './outcomes.ts';
import { type Exceeding, exceedingThrough } from './routedBounds.ts';
import { routedOutcomes } from './routedOutcomes.ts';
import { common, either, onlyIn, withoutSource } from './rowSets.ts';

/** Access to a target that exceeds its bounds in a state. */
interface OutOfBounds {
  readonly target: Target;
  /** The sources that lack access that both ends allow. */
  readonly gap: Row;
  /** The sources with access that neither end allows. */
  readonly opening: Row;
}

/** By target, the access of a state that exceeds the bounds of the two ends. */
export type Violations = ReadonlyMap<string, OutOfBounds>;

export const NO_VIOLATIONS: Violations = new Map();

/** The first and the last state. */
export interface Ends {
  readonly first: Reaches;
  readonly last: Reaches;
  /** The outcomes of posture checks that were looked at. */
  readonly known: KnownOutcomes;
}

/**
 * The access that exceeds its bounds under any outcome of posture checks, for current and future members. Null if there are too many
 * outcomes.
 */
export function outOfBounds(step: Reaches, { first, last, known }: Ends): Violations | null {
  const compared = { step, first, last };
  const found = new Map<string, OutOfBounds>();
  const note = (target: Target, { gap, opening }: Exceeding) => {
    if (gap.length + opening.length > 0) found.set(targetName(target), { target, gap, opening });
  };
  const [one, other] = [first, last].map(({ world }) => affectedMachines(step.world, world));
  // A source with the same access to a machine as in the first or the last state is within bounds there.
  if (one && other)
    for (const index of indexesIn(and(one, other))) {
      const target: MachineTarget = { type: 'machine', index };
      const outcomes = machineOutcomes(compared, target, known);
      if (outcomes === null) return null;
      const exceeding = exceedingUnder(compared, target, outcomes);
      const itself = itselfIn(step.world, target);
      note(
        target,
        itself < 0
          ? exceeding
          : {
              gap: withoutSource(exceeding.gap, itself),
              opening: withoutSource(exceeding.opening, itself),
            },
      );
    }
  const routed = [step, first, last].flatMap(({ world }) => routedTargets(world));
  for (const target of new Map(routed.map(each => [each.id, each])).values()) {
    const exceeding = exceedingAtAddress(compared, target, known);
    if (exceeding === null) return null;
    note(target, exceeding);
  }
  return found;
}

function exceedingAtAddress(
  compared: Compared,
  target: RoutedTarget,
  known: KnownOutcomes,
): Exceeding | null {
  const { step, first, last } = compared;
  const outcomes = routedOutcomes([step, first, last], target.address);
  if (outcomes === null) return null;
  const { ofSource, ofOthers, areRoutersUnknown } = outcomes;
  if (!areRoutersUnknown)
    return exceedingUnder(
      compared,
      target,
      ofSource.map(held => known.of(held, held)),
    );
  let found: Exceeding = { gap: [], opening: [] };
  for (const held of ofSource) {
    const others = ofOthers.map(other => known.of(held, other));
    found = both(found, exceedingThrough(compared, target, known.of(held, held), others));
  }
  return found;
}

function exceedingUnder(
  { step, first, last }: Compared,
  target: Target,
  outcomes: readonly Outcome[],
): Exceeding {
  let found: Exceeding = { gap: [], opening: [] };
  for (const outcome of outcomes) {
    const rowIn = (reaches: Reaches) => rowAt(reaches.under(outcome), target);
    const now = rowIn(step);
    const was = rowIn(first);
    const is = rowIn(last);
    if (now === was || now === is) continue;
    const gap = onlyIn(common(was, is), now);
    found = both(found, { gap, opening: onlyIn(onlyIn(now, was), is) });
  }
  return found;
}

const both = (one: Exceeding, other: Exceeding): Exceeding => ({
  gap: either(one.gap, other.gap),
  opening: either(one.opening, other.opening),
});

/** A text that identifies a target. */
export const targetName = (target: Target): string =>
  target.type === 'machine' ? `machine ${target.index}` : target.id;
