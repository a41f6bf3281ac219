// The end times in a plan: the time of the clock, expired objects that are still in the account,
// and the next end time.
import { type Ending, timeText } from './ending.ts';
import type { Plan, ShownEnding } from './plan.ts';

/** An end time in the form of plans and reports. */
export function shownEnding({ kind, key, member, list, until, at }: Ending): ShownEnding {
  return {
    kind,
    key,
    ...(member !== undefined && { member }),
    ...(list && { list: String(list.findLast(step => !/^\d+$/.test(step))) }),
    until: timeText(until),
    at,
  };
}

/** The passed end time that makes a plan stale, or the end time before which the clock was set back; null if there is neither. */
export function endedSince(
  { endings }: Pick<Plan, 'endings'>,
  now: number,
): { readonly ending: ShownEnding; readonly isBack: boolean } | null {
  const { next, last } = endings ?? {};
  if (next && Date.parse(next.until) <= now) return { ending: next, isBack: false };
  return last && Date.parse(last.until) > now ? { ending: last, isBack: true } : null;
}
