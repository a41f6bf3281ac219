// Adds the journal to the states, the window and the gaps of a store.
import type { Gap, Span } from '../observed.ts';
import { joinedSpan, type Manifest } from './manifest.ts';
import type { Observation } from './observation.ts';
import type { LoggedState } from './stateLog.ts';

/** The states after an observation. */
export function statesAfter(
  states: readonly LoggedState[],
  { state, seenUntil }: Observation,
): readonly LoggedState[] {
  const all = state === null ? states : [...states, state];
  const last = all.at(-1);
  if (last === undefined || seenUntil === null || seenUntil <= last.to) return all;
  return [...all.slice(0, -1), { ...last, to: seenUntil }];
}

/** The states, the window, the gaps and the settings of the log, including those in the journal. */
export function journalled(
  { window, gaps, log }: Pick<Manifest, 'window' | 'gaps' | 'log'>,
  states: readonly LoggedState[],
  observations: readonly Observation[],
): Pick<Manifest, 'window' | 'gaps' | 'log'> & { readonly states: readonly LoggedState[] } {
  return {
    states: observations.reduce(statesAfter, states),
    window: observations.reduce<Span | null>((at, { span }) => joinedSpan(at, span), window),
    gaps: observations.reduce<readonly Gap[]>(
      (at, observation) => withGaps(at, observation.gaps),
      gaps,
    ),
    log: observations.findLast(observation => observation.log !== null)?.log ?? log,
  };
}

/** Gaps with more gaps; adjacent gaps are joined. */
function withGaps(gaps: readonly Gap[], more: readonly Gap[]): readonly Gap[] {
  const all = [...gaps];
  for (const gap of more) {
    const at = all.findLastIndex(one => isAlike(one, gap));
    const last = all[at];
    if (last !== undefined && last.to >= gap.from)
      all[at] = { ...last, to: Math.max(last.to, gap.to) };
    else all.push(gap);
  }
  return all;
}

const isAlike = (one: Gap, other: Gap): boolean =>
  one.reason === other.reason &&
  one.machine === other.machine &&
  JSON.stringify(one.outside) === JSON.stringify(other.outside);
