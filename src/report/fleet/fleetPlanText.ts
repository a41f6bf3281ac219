// The plans of a fleet as text for people: each plan once, with its accounts.
import { visibleLines } from '../../model/text/visible.ts';
import { shortenedLines } from '../plan/planTail.ts';
import { planText } from '../plan/planText.ts';
import { wrap } from '../text/lines.ts';
import type { Style } from '../text/style.ts';
import { counted } from '../text/summary.ts';
import { fewNames, namesLines } from './accountNames.ts';
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

/** The maximum number of groups that the first lines list. */
const LISTED = 15;

/** The maximum number of groups whose plans are shown in full. */
const WHOLE = 20;

/** The maximum number of names on the line of a group. */
const FEW = 3;

/** The plans for a terminal. The first lines show the number of different plans. */
export function fleetPlanText(report: FleetPlanReport, style: Style): string {
  const { detail = 'screen', digest, command } = report;
  const most = { full: Number.POSITIVE_INFINITY, screen: WHOLE, summary: 0 }[detail];
  const groups = groupsIn(report);
  const changing = groups.filter(({ is }) => is !== 'unchanged');
  const rest = changing.slice(most);
  const parts = [
    headPart(report, groups, style),
    ...changing.slice(0, most).map(group => wholePart(group, report, style)),
    restPart(rest, style),
    ...groups
      .filter(({ is }) => is === 'unchanged')
      .map(group => titleLines(group, style).join('\n')),
    unplannedPart(report, style),
    hazardsPart(report, style),
  ];
  const last = [
    ...shortenedLines(rest.length > 0, command, style).map(style.faint),
    style.faint(costLine(report)),
    ...(digest === undefined ? [] : [`Digest of all plans: ${digest}`]),
    style.strong(fleetPlanLine(report)),
    '',
  ].join('\n');
  return [...parts.filter(part => part !== ''), last].join('\n\n');
}

function headPart(report: FleetPlanReport, groups: readonly PlanGroup[], style: Style): string {
  const more = groups.length - LISTED;
  return [
    style.strong(fleetPlanLine(report)),
    ...groups.slice(0, LISTED).flatMap(group => groupLines(group, style)),
    ...(more > 0 ? [`  … and ${counted(more, 'more group')}`] : []),
  ].join('\n');
}

const groupLines = (group: PlanGroup, style: Style): readonly string[] =>
  wrap(`  ${groupLine(group)}  ${fewNames(namesOfGroup(group), FEW)}`, style.width);

const titleLines = (group: PlanGroup, style: Style): readonly string[] => [
  style.strong(`${groupTitle(group)}:`),
  ...namesLines(namesOfGroup(group), style),
];

function wholePart(group: PlanGroup, report: FleetPlanReport, style: Style): string {
  const { kinds, detail, command } = report;
  const text = planText(planOfGroup(group), kinds, style, { detail, command });
  const notes = groupNotes(group, text).flatMap(note => wrap(`  ${note}`, style.width));
  return [...titleLines(group, style), ...notes.map(style.faint), '', text.trimEnd()].join('\n');
}

function restPart(rest: readonly PlanGroup[], style: Style): string {
  if (rest.length === 0) return '';
  return [
    style.strong(`${counted(rest.length, 'more plan')}:`),
    ...rest.flatMap(group => groupLines(group, style)),
  ].join('\n');
}

function unplannedPart(report: FleetPlanReport, style: Style): string {
  const { unplanned } = report;
  if (unplanned.length === 0) return '';
  const lines = unplannedGroups(report).flatMap(({ said, names }) => [
    ...namesLines(names, style),
    ...visibleLines(said)
      .split('\n')
      .flatMap(line => wrap(`      ${line}`, style.width)),
  ]);
  const title = `${counted(unplanned.length, 'account')} could not be planned:`;
  return [style.error(title), ...lines].join('\n');
}

function hazardsPart(report: FleetPlanReport, style: Style): string {
  const hazards = hazardsOfFleet(report);
  if (hazards.length === 0) return '';
  const lines = hazards.map(({ code, accounts }) => `  ${code}  ${counted(accounts, 'account')}`);
  return [style.strong('Hazards that nobody allowed:'), ...lines].join('\n');
}
