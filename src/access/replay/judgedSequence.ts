// Judges every intermediate state by the first and the last state. A state is not evaluated if it
// is inside a stretch that only widens or only narrows access, or that lies between two states
// within bounds.
import { reachesOf } from '../flows/reaches.ts';
import type { RowPool } from '../sets/rowPool.ts';
import type { AccessState } from '../state/accessState.ts';
import type { Frame } from '../world/world.ts';
import { type FirstAndLast, NO_VIOLATIONS, outOfBounds, type Violations } from './bounds.ts';
import { enclosedStretches, type Stretch, violates } from './enclosure.ts';
import { type Episode, episodesIn } from './episodes.ts';
import { runsOf, type StateSequence } from './stateSequence.ts';

export interface SequenceJudge {
  readonly frame: Frame;
  readonly bounds: FirstAndLast;
  readonly pool: RowPool;
  /** Whether another state may be evaluated. Each call counts against the budget. */
  readonly mayEvaluate: () => boolean;
}

/** The result of judging one order of the steps. */
export interface JudgedSequence {
  /** Access that exceeds its bounds during the run; null if there were too many states or outcomes to evaluate. */
  readonly episodes: readonly Episode[] | null;
  /** Stretches that are within bounds in any order of their steps. */
  readonly enclosed: readonly Stretch[];
}

/** Judges every state between the first and the last state of a sequence. */
export function judgedSequence(way: StateSequence, judge: SequenceJudge): JudgedSequence {
  const { states, directions } = way;
  const found = new Array<Violations | undefined>(states.length).fill(undefined);
  let isComplete = true;
  const evaluate = (state: AccessState): Violations | undefined => {
    isComplete &&= judge.mayEvaluate();
    if (!isComplete) return undefined;
    const { frame, pool, bounds } = judge;
    const found = outOfBounds(reachesOf(frame.between(state), pool), bounds);
    isComplete = found !== null;
    return found ?? undefined;
  };
  const enclosed = enclosedStretches(way, evaluate);
  const within = new Set<number>();
  for (const { from, to } of enclosed) for (let at = from; at <= to; at++) within.add(at);
  const look = (at: number): Violations => {
    const state = states[at];
    if (at === 0 || at === states.length - 1 || state === undefined) return NO_VIOLATIONS;
    if (within.has(at)) return NO_VIOLATIONS;
    found[at] ??= evaluate(state);
    return found[at] ?? NO_VIOLATIONS;
  };
  for (const { direction, from, to } of runsOf(directions)) {
    const first = look(from);
    const last = look(to);
    const isDoubtful =
      direction === 'widens'
        ? violates(first, 'gap') || violates(last, 'opening')
        : violates(first, 'opening') || violates(last, 'gap');
    if (direction === 'none') for (let at = from + 1; at < to; at++) found[at] = first;
    else if (isDoubtful || direction === 'either') for (let at = from + 1; at < to; at++) look(at);
  }
  const all = found.map(violations => violations ?? NO_VIOLATIONS);
  return { episodes: isComplete ? episodesIn(all) : null, enclosed };
}
