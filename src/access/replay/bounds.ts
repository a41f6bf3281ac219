// Access during an apply that exceeds its bounds: sources lack access that both the first and the last state allow, or have
// access that neither of them allows.
import type { Reaches } from '../flows/reaches.ts';
import { routedTargets, type Target } from '../flows/targets.ts';
import { exceedingAt } from '../outcomes/exceeding.ts';
import { and, indexesIn } from '../sets/bits.ts';
import type { Row } from '../sets/row.ts';
import { affectedMachines } from './affected.ts';

/** Access to a target that exceeds its bounds in a state. */
interface OutOfBounds {
  readonly target: Target;
  /** The sources that lack access that both the first and the last state allow. */
  readonly gap: Row;
  /** The sources with access that neither the first nor the last state allows. */
  readonly opening: Row;
}

/** The access of a state that exceeds the bounds given by the first and the last state, by target. */
export type Violations = ReadonlyMap<string, OutOfBounds>;

export const NO_VIOLATIONS: Violations = new Map();

/** The first and the last state. */
export interface FirstAndLast {
  readonly first: Reaches;
  readonly last: Reaches;
}

/**
 * The access that exceeds its bounds for any results of posture checks, for current and future
 * members. Null if there are too many outcomes.
 */
export function outOfBounds(step: Reaches, { first, last }: FirstAndLast): Violations | null {
  const found = new Map<string, OutOfBounds>();
  for (const target of targetsIn(step, [first, last])) {
    const exceeding = exceedingAt({ step, first, last }, target);
    if (exceeding === null) return null;
    const { gap, opening } = exceeding;
    if (gap.length + opening.length > 0) found.set(targetName(target), { target, gap, opening });
  }
  return found;
}

// The targets to examine. A machine is within bounds if it has the same sources as in the first or
// the last state.
function* targetsIn(step: Reaches, ends: readonly Reaches[]): Generator<Target> {
  const [one, other] = ends.map(({ world }) => affectedMachines(step.world, world));
  if (one && other)
    for (const index of indexesIn(and(one, other))) yield { type: 'machine', index };
  const routed = [step, ...ends].flatMap(({ world }) => routedTargets(world));
  yield* new Map(routed.map(target => [target.id, target])).values();
}

/** A string that identifies a target. */
export const targetName = (target: Target): string =>
  target.type === 'machine' ? `machine ${target.index}` : target.id;
