// Access during a run that exceeds its bounds: sources without access that both ends allow, and sources with access that
// neither allows.
import { READINGS } from '../diff/targetRows.ts';
import type { Reaches } from '../flows/reaches.ts';
import { itselfIn, routedTargets, rowAt, type Target } from '../flows/targets.ts';
import { and, indexesIn } from '../sets/bits.ts';
import type { Row } from '../sets/row.ts';
import { affectedMachines } from './affected.ts';
import { type KnownOutcomes, outcomesOf } from './outcomes.ts';
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

/** The access that exceeds its bounds under any outcome of posture checks, for current and future members. */
export function outOfBounds(step: Reaches, { first, last, known }: Ends): Violations {
  const ends = [first, last];
  const found = new Map<string, OutOfBounds>();
  const outcomes = outcomesOf({ step, first, last }, known);
  const look = (target: Target) => {
    let gap: Row = [];
    let opening: Row = [];
    // If outcomes are too many, their bounds are compared.
    for (const posture of outcomes.at(target) ?? READINGS) {
      const rowIn = (reaches: Reaches) => rowAt(reaches.under(posture), target);
      const now = rowIn(step);
      const was = rowIn(first);
      const is = rowIn(last);
      if (now === was || now === is) continue;
      gap = either(gap, onlyIn(common(was, is), now));
      opening = either(opening, onlyIn(onlyIn(now, was), is));
    }
    const itself = itselfIn(step.world, target);
    if (itself >= 0) [gap, opening] = [withoutSource(gap, itself), withoutSource(opening, itself)];
    if (gap.length + opening.length > 0) found.set(targetName(target), { target, gap, opening });
  };
  const [one, other] = ends.map(({ world }) => affectedMachines(step.world, world));
  // A source with the same access to a machine as in the first or the last state is within bounds there.
  if (one && other)
    for (const index of indexesIn(and(one, other))) look({ type: 'machine', index });
  const routed = [step, ...ends].flatMap(({ world }) => routedTargets(world));
  for (const target of new Map(routed.map(one => [one.id, one])).values()) look(target);
  return found;
}

/** A text that identifies a target. */
export const targetName = (target: Target): string =>
  target.type === 'machine' ? `machine ${target.index}` : target.id;
