// The plans of a fleet as a page: each plan once, with the accounts that have it.
import { visibleLines } from '../../model/text/visible.ts';
import { type Content, element, type Markup } from '../graph/markup.ts';
import { inCode } from '../page/code.ts';
import type { PageAssets } from '../page/document.ts';
import { linesText } from '../page/linesText.ts';
import { shellText } from '../page/shell.ts';
import { names, table } from '../page/table.ts';
import { planText } from '../plan/planText.ts';
import { PLAIN } from '../text/style.ts';
import { fewNames } from './accountNames.ts';
import {
  costLine,
  type FleetPlanReport,
  fleetPlanLine,
  groupLine,
  groupNotes,
  groupsIn,
  groupTitle,
  hazardsOfFleet,
  namesOfGroup,
  planOfGroup,
  unplannedGroups,
} from './fleetPlan.ts';
import type { PlanGroup } from './planGroups.ts';

/** The maximum number of accounts of a plan that are named before the reader opens the list. */
const NAMED = 6;

/** The page as a file. It runs no script. */
export function fleetPlanPage(
  report: FleetPlanReport,
  { style }: Pick<PageAssets, 'style'>,
): string {
  const groups = groupsIn(report);
  const { digest } = report;
  const rows = groups.map((group, i) => ({
    cells: [
      element('a', { href: `#plan-${i + 1}` }, `Plan ${i + 1}`),
      String(group.accounts.length),
      group.is,
      groupLine(group),
      fewNames(namesOfGroup(group), NAMED),
    ],
  }));
  const columns = ['Plan', 'Accounts', 'Kind of plan', 'Changes', 'Such as'];
  const sections = [
    { id: 'plans', title: 'Plans', content: table('Accounts by plan', columns, rows) },
    ...groups.map((group, i) => ({
      id: `plan-${i + 1}`,
      title: `Plan ${i + 1}: ${groupTitle(group)}`,
      content: planContent(group, report),
    })),
    ...(report.unplanned.length === 0
      ? []
      : [{ id: 'unplanned', title: 'Not planned', content: unplannedContent(report) }]),
  ];
  const approved =
    digest !== undefined && element('p', {}, 'Digest of all plans: ', inCode(digest));
  const header = [
    element('p', {}, `${fleetPlanLine(report)}.`),
    element('p', {}, costLine(report)),
    hazardContent(report),
    approved,
  ];
  return shellText({ title: 'Fleet plan', header, sections, style });
}

function planContent(group: PlanGroup, { kinds }: FleetPlanReport): Content {
  const text = planText(planOfGroup(group), kinds, PLAIN, { detail: 'full' });
  return [
    element(
      'details',
      {},
      element('summary', {}, groupTitle(group)),
      element('p', {}, names(namesOfGroup(group))),
    ),
    groupNotes(group, text).map(note => element('p', {}, note)),
    linesOf(text),
  ];
}

const linesOf = (text: string): Markup => linesText(text.trimEnd().split('\n'));

function hazardContent(report: FleetPlanReport): Content {
  return hazardsOfFleet(report).map(({ code, accounts }) =>
    element('p', { class: 'warning' }, `${code}: ${accounts} of the accounts, not allowed`),
  );
}

function unplannedContent(report: FleetPlanReport): Content {
  return unplannedGroups(report).map(({ said, names: own }) => [
    element('p', {}, names(own)),
    linesOf(visibleLines(said)),
  ]);
}
