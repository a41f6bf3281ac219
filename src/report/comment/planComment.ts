// A plan as a comment on a pull request, within the size that forges accept: counts, deletions, gained access and hazards are
// visible, and the rest is collapsed.
import type { KindTable } from '../../kinds/kind.ts';
import type { Plan } from '../../model/plan.ts';
import { accessSentences } from '../access/accessSentences.ts';
import type { PlanReport } from '../plan/planReport.ts';
import { planText } from '../plan/planText.ts';
import { planWithLabels } from '../plan/planWithLabels.ts';
import { code } from '../text/markdown.ts';
import { PLAIN } from '../text/style.ts';
import { planLine } from '../text/summary.ts';
import { changesInOrder } from '../view/planView.ts';
import { bytesOf, COMMENT_BYTES, FOLD_BYTES, folded, listWithin, textWithin } from './budget.ts';
import { factsLine, planFacts } from './facts.ts';
import {
  accessSentenceLine,
  changeLine,
  findingsPart,
  isLost,
  loosenedPart,
  neededPart,
  testParts,
  visibleParts,
} from './planParts.ts';

/** The size reserved for deletions and for gained and lost access, which are never collapsed. */
const VISIBLE_BYTES = 46_000;
const WHOLE = 'download the plan, and run `meshform show` on it';

/** The plan as a comment. */
export function render({ plan: made, kinds, digest }: PlanReport): string {
  const plan = planWithLabels(made);
  const approved = digest === undefined ? [] : ['', `Digest: ${code(digest)}`];
  const seen = [
    factsLine({ report: 'plan', ...planFacts(plan), digest }),
    '### meshform plan',
    '',
    `**${planLine(plan)}**`,
    ...neededPart(plan),
    ...visibleParts(plan, kinds, VISIBLE_BYTES),
    ...testParts(plan),
    ...loosenedPart(plan),
    ...findingsPart(plan),
    ...approved,
  ];
  const used = bytesOf(seen.join('\n'));
  return [...seen, ...foldedParts({ plan, kinds, digest }, used), ''].join('\n');
}

/** The parts that may be collapsed, in the size that remains after `used` bytes. */
export function foldedParts(
  { plan, kinds, digest }: Pick<PlanReport, 'plan' | 'kinds' | 'digest'>,
  used: number,
): readonly string[] {
  const whole = planText(plan, kinds, PLAIN, { digest });
  const room = COMMENT_BYTES - used - FOLD_BYTES;
  const lists = bytesOf(whole) + FOLD_BYTES > room ? listParts(plan, kinds, room * LIST_SHARE) : [];
  const left = room - bytesOf(lists.join('\n'));
  return [...lists, ...folded('The whole plan', textWithin(whole, left, WHOLE))];
}

/** The share of the collapsed part that is reserved for lists. */
const LIST_SHARE = 0.7;

// The lists replace the text of the plan if it does not fit.
function listParts(plan: Plan, kinds: KindTable, room: number): readonly string[] {
  const lost = (plan.access?.changes ?? []).filter(isLost);
  const ofLost = lost.length === 0 ? 0 : room * 0.25;
  const changes = listWithin(
    changesInOrder(plan.changes, kinds).map(changeLine),
    room - ofLost - 2 * FOLD_BYTES,
  );
  const lines = accessSentences(lost, kinds).map(accessSentenceLine);
  const title = `Access lost: ${lost.length}`;
  return [
    ...(lost.length === 0 ? [] : folded(title, listWithin(lines, ofLost))),
    ...folded(`All changes: ${plan.changes.length}`, changes),
  ];
}
