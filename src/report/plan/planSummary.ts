// A plan as a line for each object, in the order of the whole plan.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import type { ShownChange } from '../../model/change.ts';
import { type Line, renderLines } from '../text/lines.ts';
import { pathText } from '../text/values.ts';
import type { PlanReport } from './planReport.ts';
import { titledPart, withTail } from './planTail.ts';
import { SIGN } from './view/changeLines.ts';
import { leftAloneLines, namesIn } from './view/leftAlone.ts';
import { changesInOrder, MOST } from './view/planView.ts';
import { shortLine } from './view/shortLine.ts';

/** The plan as text, its hazards and counts below the lines of its objects. */
export function render({ plan, kinds, style, digest }: PlanReport): string {
  const changes = changesInOrder(plan.changes, kinds);
  const left = leftAloneLines(plan, kinds, () => namesIn('summary'));
  const parts = [
    renderLines(
      changes.map(change => summaryLine(change, kinds)),
      style,
    ),
    titledPart('Left alone', left, style),
  ];
  return withTail(parts, { plan, kinds, style, digest }, []);
}

/** A change on a line: which object, and what about it. */
export function summaryLine(change: ShownChange, kinds: KindTable): Line {
  const kind = kinds.get(change.kind);
  const what = kind === undefined ? '' : summaryOf(kind, change, kinds);
  const text = what === '' ? change.address : `${change.address}: ${what}`;
  return { sign: SIGN[change.type], depth: 0, text };
}

/** What a change does, on a line: the fields that it changes, or who gets access to what. */
export function summaryOf(kind: Kind, change: ShownChange, kinds: KindTable): string {
  const { type, fields, with: parent, was } = change;
  if (type === 'delete') return parent === undefined ? '' : `deleted with ${parent}`;
  if (type === 'create' && kind.grantsNothing) return '';
  if (type === 'create') {
    const { text, items } = shortLine(kind, change, { most: MOST, kinds });
    return [text, ...items].filter(part => part !== '').join('; ');
  }
  const paths = fields.map(({ path }) => pathText(kind.shape, path));
  const renamed = was === undefined ? [] : [`was ${was}`];
  return [...renamed, ...new Set(paths)].join(', ');
}
