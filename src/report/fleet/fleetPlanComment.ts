// The plans of a fleet as a comment on a pull request, within the size that forges accept: every group with its accounts and its
// counts, then the effects of each plan.

import { visible, visibleLines } from '../../model/text/visible.ts';
import {
  bytesOf,
  COMMENT_BYTES,
  FOLD_BYTES,
  folded,
  listWithin,
  textWithin,
} from '../comment/budget.ts';
import { factsLine } from '../comment/facts.ts';
import { neededPart, visibleParts } from '../comment/planParts.ts';
import { planText } from '../plan/planText.ts';
import { code } from '../text/markdown.ts';
import { PLAIN } from '../text/style.ts';
import { counted } from '../text/summary.ts';
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

/** The maximum size of the list of all groups, and of the list of accounts that could not be planned. */
const LIST_BYTES = 16_000;
const FAILED_BYTES = 8_000;

/** The minimum room for a plan: with less, it would be useless. */
const LEAST_BYTES = 2_000;

/** The maximum share of the remaining room for the plan of a group. */
const SHARE = 0.5;

const NAMES = 5;
const WHOLE = 'download the plans, and run `meshform show` on the plan of an account';

/** The plans as a comment. */
export function fleetPlanComment(report: FleetPlanReport): string {
  const { digest } = report;
  const all = groupsIn(report);
  const groups = all.filter(({ is }) => is !== 'unchanged');
  const seen = [
    factsLine(factsOf(report, all)),
    '### meshform fleet plan',
    '',
    `**${fleetPlanLine(report)}**`,
    '',
    costLine(report),
    ...hazardPart(report),
    ...listPart('Could not be planned', unplannedLines(report), FAILED_BYTES),
    ...listPart('Plans', all.map(listLine), LIST_BYTES),
    ...(digest === undefined ? [] : ['', `Digest of all plans: ${code(digest)}`]),
  ];
  let room = COMMENT_BYTES - bytesOf(seen.join('\n')) - bytesOf(restLine(groups.length));
  const parts: string[] = [];
  for (const [i, group] of groups.entries()) {
    const isLast = i === groups.length - 1;
    const part = groupPart(group, report, isLast ? room : Math.max(LEAST_BYTES, room * SHARE));
    const bytes = bytesOf(part) + 1;
    if (bytes > room) break;
    parts.push(part);
    room -= bytes;
  }
  const rest = groups.length - parts.length;
  return [...seen, ...parts, ...(rest > 0 ? [restLine(rest)] : []), ''].join('\n');
}

const restLine = (count: number): string =>
  `\n> ${counted(count, 'more plan')} ${count === 1 ? 'is' : 'are'} too long for this comment: ${WHOLE}.`;

function factsOf(report: FleetPlanReport, groups: readonly PlanGroup[]) {
  const { planned, unplanned, digest } = report;
  const unchanged = groups.filter(({ is }) => is === 'unchanged');
  return {
    report: 'fleet-plan',
    accounts: planned.length + unplanned.length,
    changes: planned.length - unchanged.reduce((sum, one) => sum + one.accounts.length, 0),
    groups: groups.length,
    unplanned: unplanned.length,
    hazards: hazardsOfFleet(report).map(({ code: hazard }) => hazard),
    digest,
  } as const;
}

function hazardPart(report: FleetPlanReport): readonly string[] {
  const hazards = hazardsOfFleet(report);
  if (hazards.length === 0) return [];
  const texts = hazards.map(one => `${code(one.code)} (${counted(one.accounts, 'account')})`);
  return ['', `> ⚠️ Hazards that nobody allowed: ${texts.join(', ')}`];
}

const listPart = (title: string, lines: readonly string[], bytes: number): readonly string[] =>
  lines.length === 0 ? [] : ['', `**${title}: ${lines.length}**`, '', listWithin(lines, bytes)];

// A line about a group. The counts come first, so that a long name cannot push them out of the line.
function listLine(group: PlanGroup): string {
  const sign = group.is === 'odd' ? '!' : group.is === 'common' ? '+' : '#';
  const names = fewNames(namesOfGroup(group), NAMES);
  return visible(
    `${sign} ${counted(group.accounts.length, 'account')}: ${groupLine(group)} ${names}`,
  );
}

function unplannedLines(report: FleetPlanReport): readonly string[] {
  return unplannedGroups(report).map(({ said, names }) => {
    const [first = '', ...others] = visibleLines(said).split('\n');
    return visible(`- ${first} ${fewNames(names, NAMES)}: ${others.join(' ')}`);
  });
}

function groupPart(group: PlanGroup, { kinds }: FleetPlanReport, bytes: number): string {
  const plan = planOfGroup(group);
  const whole = planText(plan, kinds, PLAIN);
  const title = `**${groupTitle(group)}**: ${code(fewNames(namesOfGroup(group), NAMES))}`;
  const head = [
    '',
    title,
    ...groupNotes(group, whole).map(note => `\n${code(note)}`),
    ...neededPart(plan),
  ];
  const room = bytes - bytesOf(head.join('\n')) - FOLD_BYTES;
  // `visibleParts` limits each of its lists separately, so together the lists may be too long. In that case all lists are left
  // out, because the text of the plan below contains the same changes in the order of the plan, as far as it fits.
  const lists = visibleParts(plan, kinds, room / 2);
  const parts = bytesOf(lists.join('\n')) > room - LEAST_BYTES / 2 ? [] : lists;
  const left = Math.max(0, room - bytesOf(parts.join('\n')));
  return [...head, ...parts, ...folded('The whole plan', textWithin(whole, left, WHOLE))].join(
    '\n',
  );
}
