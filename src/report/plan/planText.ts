// A plan as text for people: changes field by field, then unmanaged objects, hazards, and the counts.
import type { KindTable } from '../../kinds/kind.ts';
import type { ShownChange } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { nameText } from '../../model/text/visible.ts';
import { type Line, renderLines } from '../text/lines.ts';
import { cutMark } from '../text/longList.ts';
import type { Style } from '../text/style.ts';
import { declaredAt } from '../view/changeLines.ts';
import { leftAloneLines, namesIn } from '../view/leftAlone.ts';
import {
  type Detail,
  foldedText,
  type LineRow,
  type ObjectLine,
  planSections,
  type Row,
} from '../view/planView.ts';
import type { PlanExtent, PlanReport } from './planReport.ts';
import { render as summaryText } from './planSummary.ts';
import { titledPart, withTail } from './planTail.ts';
import { planWithLabels } from './planWithLabels.ts';

/** The plan as text. */
export function render({ plan, kinds, style, ...extent }: PlanReport): string {
  return planText(plan, kinds, style, extent);
}

/** The plan as text; it ends with its summary line and a line feed. */
export function planText(
  made: Plan,
  kinds: KindTable,
  style: Style,
  { detail = 'screen', command, digest }: PlanExtent = {},
): string {
  const plan = planWithLabels(made);
  if (detail === 'summary') return summaryText({ plan, kinds, style, command, digest });
  const isShort = detail === 'screen';
  const mark = cutMark();
  const { onCut } = mark;
  const sections = planSections(plan, kinds, { isFolded: isShort, isCut: isShort, onCut });
  const left = leftAloneLines(plan, kinds, () => namesIn(detail), onCut);
  const parts = [
    ...sections.map(({ title, rows }) => `${style.strong(title)}${rowsText(rows, style, detail)}`),
    titledPart('Left alone', left, style),
  ];
  if (sections.some(({ rows }) => rows.some(({ type }) => type !== 'whole'))) onCut();
  return withTail(parts, { plan, kinds, style, digest }, { isCut: isShort, mark, command });
}

// Rows are separated by blank lines; collapsed rows form a list.
function rowsText(rows: readonly Row[], style: Style, detail: Detail): string {
  const texts = rows.map((row, i) => {
    const isNext = row.type === 'folded' && rows[i - 1]?.type === 'folded';
    return `${isNext ? '\n' : '\n\n'}${rowText(row, style, detail)}`;
  });
  return texts.join('');
}

function rowText(row: Row, style: Style, detail: Detail): string {
  switch (row.type) {
    case 'whole':
      return [
        style.strong(row.headline),
        ...(detail === 'full' ? placeLine(row.change, style) : []),
        renderLines(row.lines, style),
      ].join('\n');
    case 'listed':
      return listedText(row, style);
    case 'folded':
      return renderLines(
        [{ sign: '+', depth: 0, text: `${row.title}: ${foldedText(row)}` }],
        style,
      );
  }
}

// The place as a comment below the headline, which is a comment too.
function placeLine(change: ShownChange, style: Style): readonly string[] {
  const place = declaredAt(change);
  return place === undefined ? [] : [style.faint(`  # ${place}`)];
}

function listedText({ title, shared, objects }: LineRow, style: Style): string {
  const lines = renderLines(
    objects.flatMap(object => objectLines(object, shared)),
    style,
  );
  const each = shared.length > 0 ? ` (each: ${shared.join(', ')})` : '';
  return `${style.strong(`  ${title}${each}:`)}\n${lines}`;
}

function objectLines(
  { change, line, remarks }: ObjectLine,
  shared: readonly string[],
): readonly Line[] {
  const { clauses, items } = line;
  const name = nameText(change.key);
  const [first, ...others] = clauses;
  const colon = items.length > 0 ? `${name}:` : name;
  const head = first === undefined ? [colon] : [`${name}: ${first}`, ...others];
  return [
    { sign: '+', depth: 0, text: head },
    ...items.map((item): Line => ({ sign: '+', depth: 1, text: item })),
    ...remarks
      .filter(remark => !shared.includes(remark))
      .map((remark): Line => ({ sign: ' ', depth: 1, text: remark })),
  ];
}
