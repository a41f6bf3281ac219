// What a plan says of ends: the reading of the clock, what has ended and is still there, and what ends next.
import { type Ending, timeText } from './ending.ts';
import type { Plan, ShownEnding } from './plan.ts';

/** An end as it is shown. */
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

/** The end after which a plan is stale, or the end before which its clock has been set back; null if neither. */
export function endedSince(
  { endings }: Pick<Plan, 'endings'>,
  now: number,
): { readonly ending: ShownEnding; readonly isBack: boolean } | null {
  const { next, last } = endings ?? {};
  if (next && Date.parse(next.until) <= now) return { ending: next, isBack: false };
  return last && Date.parse(last.until) > now ? { ending: last, isBack: true } : null;
}
