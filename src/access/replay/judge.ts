// Judges every intermediate state by the two end states. In a stretch that only widens or only narrows access, intermediate
// states need not be evaluated.
import { reachesOf } from '../flows/reaches.ts';
import type { RowPool } from '../sets/rowPool.ts';
import type { AccessState } from '../state/accessState.ts';
import type { Frame } from '../world/world.ts';
import { type Ends, NO_VIOLATIONS, outOfBounds, type Violations } from './bounds.ts';
import type { Direction } from './direction.ts';
import { type Episode, episodesIn } from './episodes.ts';

/** A sequence of states, the first and the last being the ends, with the direction of each step. */
export interface Way {
  readonly states: readonly AccessState[];
  /** By state, except the last: the direction of the step to the next one. */
  readonly directions: readonly Direction[];
}

export interface Judge {
  readonly frame: Frame;
  readonly ends: Ends;
  readonly pool: RowPool;
  /** Whether another state may be evaluated; counts it. */
  readonly spend: () => boolean;
}

/** Access that exceeds its bounds during the run; null if there were too many states to evaluate. */
export function judgedWay({ states, directions }: Way, judge: Judge): readonly Episode[] | null {
  const found = new Array<Violations | undefined>(states.length).fill(undefined);
  let isComplete = true;
  const look = (at: number): Violations => {
    const state = states[at];
    if (at === 0 || at === states.length - 1 || state === undefined) return NO_VIOLATIONS;
    const known = found[at];
    if (known) return known;
    isComplete &&= judge.spend();
    if (!isComplete) return NO_VIOLATIONS;
    const { frame, pool, ends } = judge;
    const violations = outOfBounds(reachesOf(frame.between(state), pool), ends);
    found[at] = violations;
    return violations;
  };
  for (const { direction, from, to } of runsOf(directions)) {
    const first = look(from);
    const last = look(to);
    const isDoubtful =
      direction === 'widens'
        ? has(first, 'gap') || has(last, 'opening')
        : has(first, 'opening') || has(last, 'gap');
    if (direction === 'none') for (let at = from + 1; at < to; at++) found[at] = first;
    else if (isDoubtful || direction === 'either') for (let at = from + 1; at < to; at++) look(at);
  }
  if (!isComplete) return null;
  const all = found.map(violations => violations ?? NO_VIOLATIONS);
  return episodesIn(all);
}

interface Run {
  readonly direction: Direction;
  readonly from: number;
  readonly to: number;
}

/** Stretches of steps in the same direction, by the numbers of the states at their ends. */
function runsOf(directions: readonly Direction[]): readonly Run[] {
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

function has(violations: Violations, kind: 'gap' | 'opening'): boolean {
  for (const one of violations.values()) if (one[kind].length > 0) return true;
  return false;
}
