// A plan for a review comment: the counts, a table of what changes, the details folded away.
import type { ShownChange } from '../../model/change.ts';
import { pathName } from '../../model/text/pathName.ts';
import { accessMarkdownPart } from '../access/planAccessText.ts';
import { code, fenced } from '../text/markdown.ts';
import { PLAIN } from '../text/style.ts';
import { hazardsOf, neededFlags } from './neededFlags.ts';
import { planDigestOf } from './planDocument.ts';
import { testsMarkdownPart } from './planGatesText.ts';
import type { PlanReport } from './planReport.ts';
import { planText } from './planText.ts';
import { planLine } from './summary.ts';

const VERBS: Readonly<Record<ShownChange['type'], string>> = {
  create: '➕ create',
  update: '✏️ update',
  replace: '♻️ replace',
  delete: '🗑️ delete',
};

/** The plan as Markdown. The full text stands in a folded block. */
export function render({ plan, kinds }: PlanReport): string {
  const rows = plan.changes.map(
    change => `| ${VERBS[change.type]} | ${code(change.address)} | ${what(change)} |`,
  );
  const table = rows.length > 0 ? ['', '| | object | fields |', '|---|---|---|', ...rows] : [];
  const flags = neededFlags(hazardsOf(plan).filter(({ allowed }) => !allowed));
  const warning = flags.length > 0 ? ['', `> ⚠️ An apply needs ${flags.map(code).join(' ')}`] : [];
  const digest = plan.actions.length > 0 ? ['', `Digest: ${code(planDigestOf(plan, kinds))}`] : [];
  return [
    '### meshform plan',
    '',
    `**${planLine(plan)}**`,
    ...table,
    ...accessMarkdownPart(plan),
    ...testsMarkdownPart(plan, PLAIN),
    ...warning,
    ...digest,
    '',
    '<details><summary>The whole plan</summary>',
    '',
    fenced(planText(plan, kinds, PLAIN)),
    '',
    '</details>',
    '',
  ].join('\n');
}

function what({ type, fields, with: parent }: ShownChange): string {
  if (parent !== undefined) return `deleted with ${code(parent)}`;
  if (type === 'create' || type === 'delete') return '';
  return [...new Set(fields.map(({ path }) => code(pathName(path))))].join(', ');
}
