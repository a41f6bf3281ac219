// The sections of a page that show a plan: its access diff, its changes and its hazards.
import type { KindTable } from '../../kinds/kind.ts';
import type { AccessStep } from '../../model/access/accessPicture.ts';
import type { RuleUse } from '../../model/access/ruleUse.ts';
import type { ShownChange } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { type Content, element, type Markup } from '../graph/markup.ts';
import { hazardsOf, neededFlags } from '../plan/neededFlags.ts';
import { guardsPart, testsPart } from '../plan/planGatesText.ts';
import type { PlanReport } from '../plan/planReport.ts';
import { planWithLabels } from '../plan/planWithLabels.ts';
import { refusedBy } from '../plan/refusedBy.ts';
import type { Line } from '../text/lines.ts';
import { PLAIN } from '../text/style.ts';
import { counted, planLine } from '../text/summary.ts';
import { changeLines, declaredAt } from '../view/changeLines.ts';
import {
  type FoldedRow,
  foldedText,
  type ObjectLine,
  type Row,
  planSections as viewOf,
} from '../view/planView.ts';
import { changeSection } from './change.ts';
import { inCode, wrappableText } from './code.ts';
import { linesText } from './linesText.ts';
import type { Section } from './section.ts';
import { type TableRow, table, whole } from './table.ts';

/** A plan on a page. */
interface PagePlan extends Pick<PlanReport, 'plan' | 'kinds' | 'digest'> {
  /** The access after each step of an apply, if that was evaluated. */
  readonly steps?: readonly AccessStep[] | undefined;
  /** The observed use of rules before the plan; absent if no store was read. */
  readonly uses?: readonly RuleUse[] | undefined;
}

/** The sections of a plan. */
export function planSections(made: PagePlan): readonly Section[] {
  const plan = planWithLabels(made.plan);
  const report = { ...made, plan };
  return [
    changeSection(plan, made),
    ...gateSections(plan),
    { id: 'plan', title: 'The plan', label: 'Plan', content: changes(report) },
  ];
}

/**
 * The closing lines of a plan as a terminal prints them, for the head of a page: its counts, the gates that refuse it, and what
 * an apply needs.
 */
export function planHead(made: Plan): Content {
  const plan = planWithLabels(made);
  const refused = plan.gates === undefined ? [] : refusedBy(plan.gates);
  const needed = hazardsOf(plan).filter(({ allowed }) => !allowed);
  const link = (id: string, label: string): Content => [
    ' (',
    element('a', { href: `#${id}` }, label),
    ')',
  ];
  return element(
    'p',
    { class: refused.length + needed.length > 0 ? 'head warning' : 'head' },
    planLine(plan),
    refused.length > 0 && [
      ' ',
      element('strong', {}, `Refused: ${refused.join('; ')}`),
      link('gates', 'Tests'),
      '.',
    ],
    needed.length > 0 && [
      ` ${counted(needed.length, 'hazard')} ${needed.length === 1 ? 'needs' : 'need'} `,
      flagsText(neededFlags(needed)),
      link('plan', 'Plan'),
      '.',
    ],
  );
}

/** The number of flags that the head names. The section about hazards lists them all. */
const FLAGS = 4;

function flagsText(flags: readonly string[]): Content {
  const rest = flags.length - FLAGS;
  const named = flags.slice(0, FLAGS).map((flag, at) => [at > 0 && ' ', inCode(flag)]);
  return rest > 0 ? [named, ` and ${counted(rest, 'more flag')}`] : named;
}

// The results of gates, with the same text as in a terminal.
function gateSections(plan: Plan): readonly Section[] {
  const texts = [testsPart(plan, UNWRAPPED), guardsPart(plan, UNWRAPPED)].filter(Boolean);
  if (texts.length === 0) return [];
  const content = texts.map(text => linesText(text.split('\n')));
  return [{ id: 'gates', title: 'Access tests and limits', label: 'Tests', content }];
}

/** On a page, the browser wraps lines. */
const UNWRAPPED = { ...PLAIN, width: Number.POSITIVE_INFINITY };

const VERBS: Readonly<Record<ShownChange['type'], string>> = {
  create: '+ create',
  update: '~ update',
  replace: '± replace',
  delete: '− delete',
};

function changes({ plan, kinds, digest }: PagePlan): Content {
  const sections = viewOf(plan, kinds, { isFolded: true, isCut: false });
  const rows = sections.flatMap(section => section.rows.flatMap(row => tableRows(row, kinds)));
  return [
    element('p', {}, element('strong', {}, planLine(plan))),
    hazards(plan),
    rows.length > 0 && table('Objects that the plan changes', ['Change', 'Object', 'Fields'], rows),
    digest !== undefined &&
      element('p', {}, 'Digest: ', element('code', { class: 'digest' }, digest)),
  ];
}

function tableRows(row: Row, kinds: KindTable): readonly TableRow[] {
  switch (row.type) {
    case 'whole':
      return [rowOf(row.change, linesOf(row.lines.slice(1)))];
    case 'listed':
      return row.objects.map(object => rowOf(object.change, listed(object, kinds)));
    case 'folded':
      return [rowOfFolded(row, kinds)];
  }
}

function rowOf(change: ShownChange, body: Content): TableRow {
  const { type, address } = change;
  const object = [inCode(address), placeOf(change)];
  return { cells: [whole(VERBS[type]), object, body], look: type };
}

function placeOf(change: ShownChange): Content {
  const place = declaredAt(change);
  return place !== undefined && element('p', { class: 'hint' }, wrappableText(place));
}

// The changes as a list. A page has enough room, so each summary line can be expanded to all fields.
function listed(
  { change, line: { clauses, items }, remarks }: ObjectLine,
  kinds: KindTable,
): Content {
  const texts = [clauses, ...items].map(parts => parts.join('  '));
  const lines = [...texts, ...remarks].filter(line => line !== '');
  const shown = lines.map(line => element('div', {}, inCode(line)));
  return [shown, unfolding('all fields', bodyOf(change, kinds))];
}

function rowOfFolded(row: FoldedRow, kinds: KindTable): TableRow {
  const bodies = row.changes.map(change =>
    unfolding(inCode(change.address), [placeOf(change), bodyOf(change, kinds)]),
  );
  const cells = [whole(VERBS.create), row.title, unfolding(foldedText(row), bodies)];
  return { cells, look: 'create' };
}

const unfolding = (summary: Content, content: Content): Markup =>
  element('details', {}, element('summary', {}, summary), content);

function bodyOf(change: ShownChange, kinds: KindTable): Content {
  const kind = kinds.get(change.kind);
  return kind === undefined ? undefined : linesOf(changeLines(kind, change).slice(1));
}

const linesOf = (lines: readonly Line[]): Content =>
  lines.map(({ sign, depth, text }) =>
    element('div', { class: `depth-${Math.min(depth, 6)}` }, inCode(`${sign} ${text}`)),
  );

function hazards(plan: Plan): Content {
  const found = hazardsOf(plan);
  if (found.length === 0) return undefined;
  const flags = neededFlags(found.filter(({ allowed }) => !allowed));
  const rows = found.map(({ code, message, allowed }) => ({
    cells: [whole(code), message, allowed ? 'allowed' : 'not allowed'],
  }));
  return [
    table('Hazards of the plan', ['Hazard', 'What it does', 'State'], rows),
    flags.length > 0 &&
      element('p', { class: 'warning' }, 'An apply needs: ', inCode(flags.join(' '))),
  ];
}
