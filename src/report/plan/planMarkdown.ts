// A plan for a review comment: the counts, a table of the changes, the details collapsed.
import type { KindTable } from '../../kinds/kind.ts';
import type { ShownChange } from '../../model/change.ts';
import { pathName } from '../../model/text/pathName.ts';
import { accessMarkdownPart } from '../access/planAccessText.ts';
import { code, fenced } from '../text/markdown.ts';
import { PLAIN } from '../text/style.ts';
import { hazardsOf, neededFlags } from './neededFlags.ts';
import { testsMarkdownPart } from './planGatesText.ts';
import type { PlanReport } from './planReport.ts';
import { summaryOf } from './planSummary.ts';
import { planText } from './planText.ts';
import { planLine } from './summary.ts';
import { foldedText, MOST, planSections, type Row } from './view/planView.ts';

const VERBS: Readonly<Record<ShownChange['type'], string>> = {
  create: '➕ create',
  update: '✏️ update',
  replace: '♻️ replace',
  delete: '🗑️ delete',
};

/** The plan as Markdown. The text is in a collapsed block; a summary has none. */
export function render({ plan, kinds, detail = 'screen', command, digest }: PlanReport): string {
  const sections = planSections(plan, kinds, { isFolded: detail === 'screen', isCut: true });
  const rows = sections.flatMap(section => section.rows.flatMap(row => tableRows(row, kinds)));
  const table = rows.length > 0 ? ['', '| | object | fields |', '|---|---|---|', ...rows] : [];
  const flags = neededFlags(hazardsOf(plan).filter(({ allowed }) => !allowed));
  const warning = flags.length > 0 ? ['', `> ⚠️ An apply needs ${flags.map(code).join(' ')}`] : [];
  const approved = digest === undefined ? [] : ['', `Digest: ${code(digest)}`];
  const text = { detail, command, digest };
  return [
    '### meshform plan',
    '',
    `**${planLine(plan)}**`,
    ...table,
    ...accessMarkdownPart(plan, {
      kinds,
      most: detail === 'full' ? Number.POSITIVE_INFINITY : MOST,
    }),
    ...testsMarkdownPart(plan, PLAIN),
    ...warning,
    ...approved,
    '',
    ...(detail === 'summary' ? [] : details(planText(plan, kinds, PLAIN, text))),
  ].join('\n');
}

function details(text: string): readonly string[] {
  return ['<details><summary>Details</summary>', '', fenced(text), '', '</details>', ''];
}

function tableRows(row: Row, kinds: KindTable): readonly string[] {
  switch (row.type) {
    case 'whole':
      return [tableRow(row.change, kinds)];
    case 'listed':
      return row.objects.map(({ change }) => tableRow(change, kinds));
    case 'folded':
      return [`| ${VERBS.create} | ${row.title} | ${code(foldedText(row))} |`];
  }
}

function tableRow(change: ShownChange, kinds: KindTable): string {
  return `| ${VERBS[change.type]} | ${code(change.address)} | ${what(change, kinds)} |`;
}

function what(change: ShownChange, kinds: KindTable): string {
  const { type, fields, kind: name, with: parent } = change;
  if (parent !== undefined) return `deleted with ${code(parent)}`;
  if (type === 'delete') return '';
  if (type !== 'create')
    return [...new Set(fields.map(({ path }) => code(pathName(path))))].join(', ');
  const kind = kinds.get(name);
  const text = kind === undefined ? '' : summaryOf(kind, change, kinds);
  return text === '' ? '' : code(text);
}
