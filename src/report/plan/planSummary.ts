// A plan with one line for each object, in the order of the plan.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import type { ShownChange } from '../../model/change.ts';
import { type Line, renderLines } from '../text/lines.ts';
import { cutMark } from '../text/longList.ts';
import { pathText } from '../text/values.ts';
import type { PlanReport } from './planReport.ts';
import { titledPart, withTail } from './planTail.ts';
import { SIGN } from './view/changeLines.ts';
import { leftAloneLines, namesIn } from './view/leftAlone.ts';
import { changesInOrder, MOST } from './view/planView.ts';
import { shortLine } from './view/shortLine.ts';

/** The plan as text, with its hazards and counts below the lines of its objects. */
export function render({ plan, kinds, style, command, digest }: PlanReport): string {
  const changes = changesInOrder(plan.changes, kinds);
  const mark = cutMark();
  const left = leftAloneLines(plan, kinds, () => namesIn('summary'), mark.onCut);
  const parts = [
    renderLines(
      changes.map(change => summaryLine(change, kinds)),
      style,
    ),
    titledPart('Left alone', left, style),
  ];
  return withTail(parts, { plan, kinds, style, digest }, { isCut: true, mark, command });
}

/** A change on one line: the object, and what changes. */
export function summaryLine(change: ShownChange, kinds: KindTable): Line {
  const kind = kinds.get(change.kind);
  const [first, ...others] = kind === undefined ? [] : clausesOf(kind, change, kinds);
  const head = first === undefined ? change.address : `${change.address}: ${first}`;
  return { sign: SIGN[change.type], depth: 0, text: [head, ...others] };
}

/** The effect of a change on one line: the fields that change, or who gets access to what. */
export const summaryOf = (kind: Kind, change: ShownChange, kinds: KindTable): string =>
  clausesOf(kind, change, kinds).join('  ');

function clausesOf(kind: Kind, change: ShownChange, kinds: KindTable): readonly string[] {
  const { type, fields, with: parent, was } = change;
  if (type === 'delete') return parent === undefined ? [] : [`deleted with ${parent}`];
  if (type === 'create' && kind.grantsNothing) return [];
  if (type === 'create') {
    const { clauses, items } = shortLine(kind, change, { most: MOST, kinds });
    const parts = [clauses, ...items].filter(part => part.length > 0);
    const [only = [], ...others] = parts;
    return others.length === 0 ? only : [parts.map(part => part.join('  ')).join('; ')];
  }
  const paths = fields.map(({ path }) => pathText(kind.shape, path));
  const renamed = was === undefined ? [] : [`was ${was}`];
  const shown = [...renamed, ...new Set(paths)].join(', ');
  return shown === '' ? [] : [shown];
}
