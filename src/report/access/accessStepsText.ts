// Access that an apply opens or removes only for a while, and the actions that the plan moves out
// of their usual order to prevent this.
import { addressText } from '../../model/access/accessName.ts';
import type { AccessOrder, AccessStepEntry, PlanAccess } from '../../model/access/planAccess.ts';
import { wrap } from '../text/lines.ts';
import { code, prose } from '../text/markdown.ts';
import type { Style } from '../text/style.ts';
import { counted } from '../text/summary.ts';

/** The lines below the access diff of a plan. */
export function stepLines({ steps, order }: PlanAccess, style: Style): string[] {
  const lines = steps.flatMap(step => [
    ...wrap(`  ! ${stepSentence(step)}`, style.width).map(style.warn),
    ...wrap(`      ${spanText(step)}`, style.width),
  ]);
  return [...lines, ...orderNotes(order).flatMap(text => wrap(`  ${text}`, style.width))];
}

/** Access that is open only during a part of the apply, one line each. */
export const openingLines = ({ steps }: PlanAccess): string[] =>
  steps.filter(step => step.code === 'ACCESS_OPENING').map(stepSentence);

/** The notes about steps as Markdown. */
export function stepMarkdown({ steps, order }: PlanAccess): string[] {
  const items = steps.map(step => `- ⚠️ ${code(stepSentence(step))} ${code(spanText(step))}`);
  const notes = orderNotes(order).map(text => `- ${prose(text)}`);
  const all = [...items, ...notes];
  return all.length === 0 ? [] : ['', ...all];
}

/** `between steps 3 and 7 (4 calls): engineers (14) → bastions (3) tcp/22 not reachable`. */
export function stepSentence(step: AccessStepEntry): string {
  const { code: kind, from, to, address, ports, machines, members_to_come, to_machines } = step;
  const source = partyText(from, machines.length, members_to_come.length > 0);
  const target =
    address === undefined
      ? partyText(to, to_machines.length, false)
      : `${to} ${addressText(address)}`;
  const what = ports.join() === '*' ? 'everything' : ports.join(', ');
  const verdict =
    kind === 'ACCESS_GAP' ? 'not reachable' : 'reachable, but not before or after the apply';
  const when = `between steps ${step.from_step} and ${step.until_step} (${counted(step.calls, 'call')})`;
  return `${when}: ${source} → ${target} ${what} ${verdict}`;
}

function partyText(name: string, machines: number, joins: boolean): string {
  if (machines === 0) return joins ? `${name} (future members)` : name;
  return `${name} (${machines}${joins ? ' and future members' : ''})`;
}

/** `from "update policy.a" until "update policy.b"`. */
export const spanText = ({ from_action, until_action }: AccessStepEntry): string =>
  `from "${from_action}" until "${until_action}"`;

/** The largest number of pairs of actions in the text; the JSON of the plan lists all of them. */
const TOLD = 5;

/** Why actions are not in the usual order, a sentence each. */
export function orderNotes(order: AccessOrder | undefined): string[] {
  if (order === undefined) return [];
  const { status, left_out, given_up } = order;
  const forAccess = given_up.filter(({ because }) => because === 'access');
  const shown = (status === 'out_of_bounds' ? given_up : forAccess).slice(0, TOLD);
  const pairs = shown.map(({ earlier, later, because }) =>
    because === 'access'
      ? `Order: ${later} comes before ${earlier}, not in the usual order, so that no access is lost or opened in between.`
      : `Order: ${later} comes before ${earlier}, not in the usual order, because another constraint requires it.`,
  );
  return [
    ...(left_out > 0 ? [`… and ${left_out} more.`] : []),
    ...(status === 'not_judged'
      ? [
          'Order not checked for access: the plan has too many intermediate states, or its posture checks too many outcomes.',
        ]
      : []),
    ...pairs,
  ];
}
