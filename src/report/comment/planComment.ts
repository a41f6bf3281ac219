// A plan as a comment on a pull request: counts, deletions, gained access and hazards in sight, the rest folded away, and all of it
// within the size that forges accept.
import type { KindTable } from '../../kinds/kind.ts';
import type { Plan } from '../../model/plan.ts';
import { planDigestOf } from '../plan/planDocument.ts';
import { planText } from '../plan/planText.ts';
import { planLine } from '../plan/summary.ts';
import { code } from '../text/markdown.ts';
import { PLAIN } from '../text/style.ts';
import { bytesOf, COMMENT_BYTES, FOLD_BYTES, folded, listWithin, textWithin } from './budget.ts';
import { factsLine, planFacts } from './facts.ts';
import { accessEntryLine, changeLine, neededPart, testParts, visibleParts } from './planParts.ts';

/** For deletions and gained access, which are never folded away. */
const VISIBLE_BYTES = 48_000;
const WHOLE = 'download the plan, and run `meshform show` on it';

/** The plan as a comment. */
export function planComment(plan: Plan, kinds: KindTable): string {
  const digest = plan.actions.length > 0 ? ['', `Digest: ${code(planDigestOf(plan, kinds))}`] : [];
  const seen = [
    factsLine({ report: 'plan', ...planFacts(plan) }),
    '### meshform plan',
    '',
    `**${planLine(plan)}**`,
    ...neededPart(plan),
    ...visibleParts(plan, VISIBLE_BYTES),
    ...testParts(plan),
    ...digest,
  ];
  return [...seen, ...foldedParts(plan, kinds, bytesOf(seen.join('\n'))), ''].join('\n');
}

/** What may be folded away, in the room that is left beside `used` bytes. */
export function foldedParts(plan: Plan, kinds: KindTable, used: number): readonly string[] {
  const parts: string[] = [];
  const room = () => COMMENT_BYTES - used - bytesOf(parts.join('\n')) - FOLD_BYTES;
  const whole = planText(plan, kinds, PLAIN);
  // The lists repeat what the plan says; they stand in for it where it does not fit.
  if (bytesOf(whole) + FOLD_BYTES > room()) {
    const lost = (plan.access?.changes ?? []).filter(({ change }) => change === 'lost');
    if (lost.length > 0)
      parts.push(
        ...folded(
          `Access lost: ${lost.length}`,
          listWithin(lost.map(accessEntryLine), room() * 0.2),
        ),
      );
    const list = listWithin(plan.changes.map(changeLine), room() * 0.6);
    parts.push(...folded(`All changes: ${plan.changes.length}`, list));
  }
  return [...parts, ...folded('The whole plan', textWithin(whole, room(), WHOLE))];
}
