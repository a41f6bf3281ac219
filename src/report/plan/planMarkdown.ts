// A plan for a review comment: the counts, a table of the changes, the details collapsed.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import type { ShownChange } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { accessMarkdownPart } from '../access/planAccessText.ts';
import type { ListLimit } from '../text/longList.ts';
import { code, fenced, prose } from '../text/markdown.ts';
import { PLAIN } from '../text/style.ts';
import { planLine } from '../text/summary.ts';
import { fieldTexts } from '../view/changeLines.ts';
import { foldedText, MOST, planSections, type Row } from '../view/planView.ts';
import { LOOSENED_TITLE, loosenedLines } from './loosenedGuards.ts';
import { hazardsOf, neededFlags } from './neededFlags.ts';
import { testsMarkdownPart } from './planGatesText.ts';
import type { PlanReport } from './planReport.ts';
import { summaryOf } from './planSummary.ts';
import { planText } from './planText.ts';
import { planWithLabels } from './planWithLabels.ts';

const VERBS: Readonly<Record<ShownChange['type'], string>> = {
  create: '➕ create',
  update: '✏️ update',
  replace: '♻️ replace',
  delete: '🗑️ delete',
};

/** The plan as Markdown. The text of the plan is in a collapsed block; a summary has no such block. */
export function render(report: PlanReport): string {
  const { kinds, detail = 'screen', command, digest } = report;
  const plan = planWithLabels(report.plan);
  const isFull = detail === 'full';
  const sections = planSections(plan, kinds, { isFolded: detail === 'screen', isCut: !isFull });
  const limit = isFull ? undefined : { most: MOST, kinds };
  const rows = sections.flatMap(({ rows }) => rows.flatMap(row => tableRows(row, kinds, limit)));
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
    ...accessMarkdownPart(plan, kinds, {
      most: isFull ? Number.POSITIVE_INFINITY : MOST,
    }),
    ...testsMarkdownPart(plan, PLAIN),
    ...loosenedPart(plan),
    ...warning,
    ...approved,
    '',
    ...(detail === 'summary' ? [] : details(planText(plan, kinds, PLAIN, text))),
  ].join('\n');
}

function loosenedPart(plan: Plan): readonly string[] {
  const lines = loosenedLines(plan);
  return lines.length === 0
    ? []
    : ['', `> ⚠️ ${LOOSENED_TITLE}:`, ...lines.map(line => `> - ${prose(line)}`)];
}

function details(text: string): readonly string[] {
  return ['<details><summary>Details</summary>', '', fenced(text), '', '</details>', ''];
}

function tableRows(row: Row, kinds: KindTable, limit: ListLimit | undefined): readonly string[] {
  switch (row.type) {
    case 'whole':
      return [tableRow(row.change, kinds, limit)];
    case 'listed':
      return row.objects.map(({ change }) => tableRow(change, kinds, limit));
    case 'folded':
      return [`| ${VERBS.create} | ${row.title} | ${code(foldedText(row))} |`];
  }
}

function tableRow(change: ShownChange, kinds: KindTable, limit: ListLimit | undefined): string {
  const kind = kinds.get(change.kind);
  const what = kind === undefined ? '' : effect(kind, change, limit);
  return `| ${VERBS[change.type]} | ${code(change.address)} | ${what} |`;
}

function effect(kind: Kind, change: ShownChange, limit: ListLimit | undefined): string {
  if (change.type === 'update' || change.type === 'replace')
    return fieldTexts(kind, change, limit).map(code).join('<br>');
  const text = summaryOf(kind, change, limit);
  return text === '' ? '' : code(text);
}
