// What has ended and is still there, and what ends soon, as lines of a plan.
import type { PlanEndings, ShownEnding } from '../../model/plan.ts';
import { nameText, quoted, visible } from '../../model/text/visible.ts';

/** `policy.x`, or the member of one of its lists, with its end. */
export function endingText({ kind, key, member, list, until }: ShownEnding): string {
  const object = visible(`${kind} ${nameText(key)}`);
  const what =
    member === undefined ? object : `${quoted(member)} in ${quoted(list ?? '')} of ${object}`;
  return `${what}, until ${until}`;
}

/** Sections of a plan about ends; none without ends. */
export function endingSections(
  endings: PlanEndings | undefined,
  titled: (title: string, lines: readonly string[]) => string,
): readonly string[] {
  if (endings === undefined) return [];
  const { overdue, expiring, clock } = endings;
  return [
    titled(`Has ended (clock: ${clock})`, overdue.map(endingText)),
    titled('Ends soon', expiring?.length === 0 ? ['nothing'] : (expiring ?? []).map(endingText)),
  ];
}
