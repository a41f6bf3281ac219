// The states of the account that a time touches. A state was read at some moments only: a change happened somewhere between the
// last look that showed the former state and the first one that showed the new one, so a flow in between belongs to both.
import type { Span } from '../observed.ts';

/** A state by its number, and between which looks it was seen. */
export interface SeenState extends Span {
  readonly number: number;
}

/** The numbers of the first and the last state; null if it is not known in which state it happened. */
export interface Touched {
  readonly before: number;
  readonly after: number;
}

/**
 * The states that a time touches. `isFresh`: the last state was read after all that is asked about, so what a clock that is ahead
 * places after it happened before.
 */
export function statesTouched(
  states: readonly SeenState[],
  { from, to }: Span,
  isFresh: boolean,
): Touched | null {
  const before = states.findLast(state => state.from <= from);
  const last = states.at(-1);
  if (before === undefined || last === undefined) return null;
  const after = states.find(state => state.to >= to) ?? (isFresh ? last : undefined);
  if (after === undefined) return null;
  return {
    before: Math.min(before.number, after.number),
    after: Math.max(before.number, after.number),
  };
}
