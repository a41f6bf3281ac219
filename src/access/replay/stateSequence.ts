// A sequence of states, and the stretches of it that have one direction.

import type { StateChange } from '../diff/stateChanges.ts';
import type { AccessState } from '../state/accessState.ts';
import type { Direction } from './direction.ts';

/** A sequence of states, with the direction and the changes of each step. */
export interface StateSequence {
  readonly states: readonly AccessState[];
  /** For each state except the last, the direction of the step to the next state. */
  readonly directions: readonly Direction[];
  /** For each state except the last, the changes of the step to the next state. */
  readonly changes: readonly (readonly StateChange[])[];
}

interface Run {
  readonly direction: Direction;
  readonly from: number;
  readonly to: number;
}

/** The stretches of steps with the same direction, by the numbers of the states at both ends. */
export function runsOf(directions: readonly Direction[]): readonly Run[] {
  const runs: Run[] = [];
  for (const [at, direction] of directions.entries()) {
    const last = runs.at(-1);
    const isSame = last?.direction === direction && direction !== 'either';
    if (last && (isSame || direction === 'none')) runs[runs.length - 1] = { ...last, to: at + 1 };
    else if (last?.direction === 'none') runs[runs.length - 1] = { ...last, direction, to: at + 1 };
    else runs.push({ direction, from: at, to: at + 1 });
  }
  return runs;
}
