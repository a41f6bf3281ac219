// The states of the account that a time may belong to. The account is read only at some moments. A
// change happened between the last observation of the former state and the first observation of the
// new state, so a flow in between belongs to both.
import type { Span } from '../observed.ts';

/** A state by its number, and the times of the first and last observation that showed it. */
export interface SeenState extends Span {
  readonly number: number;
}

/** The numbers of the first and the last state; null if the state at that time is unknown. */
export interface StatesOfTime {
  readonly before: number;
  readonly after: number;
}

/**
 * The states that a time may belong to. `isFresh`: the last state was read after the records. A
 * time that is later than that state then comes from a fast clock, and belongs before the state.
 */
export function statesOfTime(
  states: readonly SeenState[],
  { from, to }: Span,
  isFresh: boolean,
): StatesOfTime | null {
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
