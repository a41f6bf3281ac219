// Lists, in a plan, the objects and members that have expired and still exist, and those that expire soon.
import type { PlanEndings, ShownEnding } from '../../model/plan.ts';
import { nameText, quoted, visible } from '../../model/text/visible.ts';

/** `policy.x`, or a member of one of its lists, followed by the time of expiry. */
export function endingText({ kind, key, member, list, until }: ShownEnding): string {
  const object = visible(`${kind} ${nameText(key)}`);
  const what =
    member === undefined ? object : `${quoted(member)} in ${quoted(list ?? '')} of ${object}`;
  return `${what}, until ${until}`;
}

/** The sections of a plan about objects and members that expire; empty if there are none. */
export function endingSections(
  endings: PlanEndings | undefined,
  titled: (title: string, lines: readonly string[]) => string,
): readonly string[] {
  if (endings === undefined) return [];
  const { overdue, expiring, clock } = endings;
  return [
    titled(`Expired (clock: ${clock})`, overdue.map(endingText)),
    titled('Expires soon', expiring?.length === 0 ? ['nothing'] : (expiring ?? []).map(endingText)),
  ];
}
