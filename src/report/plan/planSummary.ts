// A plan with one line for each object and for the notes about it, in the order of the plan.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { pathText } from '../../kinds/values/pathText.ts';
import type { ShownChange } from '../../model/change.ts';
import type { ShownFields } from '../../model/secrets/shown.ts';
import { type Line, renderLines } from '../text/lines.ts';
import { cutMark, type ListLimit } from '../text/longList.ts';
import { SIGN } from '../view/changeLines.ts';
import { leftAloneLines, namesIn } from '../view/leftAlone.ts';
import { changesInOrder, MOST } from '../view/planView.ts';
import { completeLine, type ShortLine, shortLine } from '../view/shortLine.ts';
import type { PlanReport } from './planReport.ts';
import { titledPart, withTail } from './planTail.ts';
import { planWithLabels } from './planWithLabels.ts';

/** The plan as text, with its hazards and counts below the lines of its objects. */
export function render({ plan: made, kinds, style, command, digest }: PlanReport): string {
  const plan = planWithLabels(made);
  const changes = changesInOrder(plan.changes, kinds);
  const mark = cutMark();
  const left = leftAloneLines(plan, kinds, () => namesIn('summary'), mark.onCut);
  const parts = [
    renderLines(
      changes.flatMap(change => [summaryLine(change, kinds), ...change.notes.map(noteLine)]),
      style,
    ),
    titledPart('Left alone', left, style),
  ];
  return withTail(parts, { plan, kinds, style, digest }, { isCut: true, mark, command });
}

/** A change on one line: the object, and what changes. */
function summaryLine(change: ShownChange, kinds: KindTable): Line {
  const kind = kinds.get(change.kind);
  const [first, ...others] =
    kind === undefined ? [] : clausesOf(kind, change, { most: MOST, kinds });
  const head = first === undefined ? change.address : `${change.address}: ${first}`;
  return { sign: SIGN[change.type], depth: 0, text: [head, ...others] };
}

const noteLine = (text: string): Line => ({ sign: ' ', depth: 1, text });

/** The effect of a change on one line: the fields that change, the access that is granted, or the access that is lost. */
export const summaryOf = (kind: Kind, change: ShownChange, limit?: ListLimit): string =>
  clausesOf(kind, change, limit).join('  ');

function clausesOf(kind: Kind, change: ShownChange, limit?: ListLimit): readonly string[] {
  const { type, before = {}, after = {}, fields, with: parent, was } = change;
  if (type === 'delete') {
    const along = parent === undefined ? [] : [`deleted with ${parent}`];
    return [...along, ...clausesIn(completeLine(kind, before, limit))];
  }
  if (type === 'create') return kind.grantsNothing ? [] : clausesIn(shortLine(kind, after, limit));
  const paths = fields.map(({ path }) => pathText(kind.shape, path));
  const renamed = was === undefined ? [] : [`was ${was}`];
  const shown = [...renamed, ...new Set(paths)].join(', ');
  return shown === '' ? [] : [shown];
}

/** An object that is deleted, with all its fields on one line. */
export const deletedText = (kind: Kind, fields: ShownFields, limit?: ListLimit): string =>
  clausesIn(completeLine(kind, fields, limit)).join('  ');

// All clauses of a line: first its own clauses, then those of the items of its object.
function clausesIn({ clauses, items }: ShortLine): readonly string[] {
  const parts = [clauses, ...items].filter(part => part.length > 0);
  const [only = [], ...others] = parts;
  return others.length === 0 ? only : [parts.map(part => part.join('  ')).join('; ')];
}
