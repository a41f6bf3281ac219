// The plans of a fleet as people and programs read them: each plan once, with the accounts that have it.
import type { KindTable } from '../../kinds/kind.ts';
import type { FleetAccount } from '../../model/fleet.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { nameText, visible } from '../../model/text/visible.ts';
import type { JsonObject } from '../../model/value.ts';
import { bytesOf, COMMENT_BYTES, FOLD_BYTES, folded, textWithin } from '../comment/budget.ts';
import { factsLine } from '../comment/facts.ts';
import { planText } from '../plan/planText.ts';
import { code } from '../text/markdown.ts';
import { PLAIN, type Style } from '../text/style.ts';
import { counted, planLine } from '../text/summary.ts';
import { groupsOfPlans, type PlanGroup, type PlannedAccount } from './groups.ts';

/** An account that could not be planned, and what a run for it alone would have said. */
interface UnplannedAccount {
  readonly account: FleetAccount;
  readonly code: number;
  readonly text: string;
}

/** The plans of a fleet. */
export interface FleetPlanReport {
  readonly planned: readonly PlannedAccount[];
  readonly unplanned: readonly UnplannedAccount[];
  /** The digest of all saved plans, if they are saved. */
  readonly digest?: string | undefined;
  /** How many requests a minute each token may send; undefined without a limit. */
  readonly rate?: number | undefined;
  readonly kinds: KindTable;
}

/** The plans for a terminal. The first lines say how many different plans there are. */
export function fleetPlanText(report: FleetPlanReport, style: Style): string {
  const { unplanned, digest, kinds } = report;
  const groups = groupsOfPlans(report.planned);
  const plans = groups.flatMap(group => {
    const { account, saved } = group.first;
    const same = group.accounts.length > 1 ? `, here as for ${nameText(account.name)}` : '';
    return [
      style.strong(`${headOf(group)}${same}`),
      '',
      ...planText(saved.plan, kinds, style).trimEnd().split('\n').map(indented),
      '',
    ];
  });
  return [
    ...headLines(report, groups),
    '',
    ...plans,
    ...unplanned.flatMap(one => [
      style.error(`${nameText(one.account.name)} could not be planned (${one.code})`),
      ...visibleLines(one.text).map(indented),
      '',
    ]),
    ...costLines(report),
    ...(digest === undefined ? [] : [`Digest of all plans: ${digest}`]),
    '',
  ].join('\n');
}

const indented = (line: string): string => (line === '' ? '' : `  ${line}`);

const visibleLines = (text: string): string[] => text.trimEnd().split('\n').map(visible);

/** The first lines: how many accounts, and how many different plans. */
function headLines(
  { planned, unplanned }: FleetPlanReport,
  groups: readonly PlanGroup[],
): readonly string[] {
  const all = planned.length + unplanned.length;
  const [largest, ...others] = groups;
  const failed =
    unplanned.length === 0 ? [] : [`${counted(unplanned.length, 'account')} could not be planned`];
  if (largest === undefined) return [[`${counted(all, 'account')}`, ...failed].join(': ')];
  const odd = others.reduce((sum, group) => sum + group.accounts.length, 0);
  const parts = [
    `${largest.accounts.length} with one plan`,
    ...(odd > 0 ? [`${odd} odd in ${counted(others.length, 'group')}`] : []),
    ...failed,
  ];
  return [
    `${counted(all, 'account')}: ${parts.join(', ')}`,
    ...groups.slice(0, SHOWN_GROUPS).map(group => `  ${shortLine(group)}`),
    ...(groups.length > SHOWN_GROUPS
      ? [`  … and ${counted(groups.length - SHOWN_GROUPS, 'more group')}`]
      : []),
  ];
}

/** How many groups the first lines list. */
const SHOWN_GROUPS = 15;

const shortLine = (group: PlanGroup): string =>
  `${planLine(group.first.saved.plan)}  ${namesOf(group.accounts, 3)}`;

/** How many accounts of a group are named. */
const NAMED = 20;

const headOf = ({ accounts }: PlanGroup): string =>
  `${counted(accounts.length, 'account')}: ${namesOf(accounts, NAMED)}`;

function namesOf(accounts: readonly FleetAccount[], most: number): string {
  const shown = accounts.slice(0, most).map(({ name }) => nameText(name));
  const more = accounts.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const SECONDS_A_MINUTE = 60;

/** What the apply of all plans costs, before it begins. */
function costLines({ planned, rate }: FleetPlanReport): readonly string[] {
  const requests = planned.reduce((sum, { saved }) => sum + (saved.plan.requests.planned ?? 0), 0);
  if (requests === 0) return [];
  const minutes = rate === undefined ? undefined : Math.ceil(requests / rate);
  const time =
    minutes === undefined
      ? ''
      : `, at least ${minutes >= SECONDS_A_MINUTE ? `${(minutes / SECONDS_A_MINUTE).toFixed(1)} hours` : counted(minutes, 'minute')} with ${counted(rate ?? 0, 'request')} a minute`;
  return [`The applies of all accounts take ${counted(requests, 'request')}${time}.`];
}

const WHOLE = 'run `meshform fleet plan`, or download the plans and run `meshform show` on one';

/** The plans as a comment on a pull request. */
export function fleetPlanComment(report: FleetPlanReport): string {
  const groups = groupsOfPlans(report.planned);
  const [first = '', ...others] = headLines(report, groups);
  const { digest, unplanned } = report;
  const failed = unplanned
    .slice(0, NAMED)
    .map(one => `- ${code(one.account.name)} could not be planned (${one.code})`);
  const facts = {
    report: 'fleet-plan',
    accounts: report.planned.length + unplanned.length,
    groups: groups.length,
    unplanned: unplanned.length,
    digest,
  } as const;
  const seen = [
    factsLine(facts),
    '### meshform fleet plan',
    '',
    `**${first}**`,
    '',
    ...others.map(line => `- ${code(line.trim())}`),
    ...failed,
    ...(unplanned.length > NAMED ? [`- and ${unplanned.length - NAMED} more`] : []),
    ...(digest === undefined ? [] : ['', `Digest of all plans: ${code(digest)}`]),
    '',
  ];
  let parts: readonly string[] = [];
  let room = COMMENT_BYTES - bytesOf(seen.join('\n'));
  for (const [i, group] of groups.entries()) {
    const share = Math.floor(room / Math.min(groups.length - i, 4)) - FOLD_BYTES;
    if (share < LEAST_BYTES) {
      parts = [...parts, `… and ${counted(groups.length - i, 'more plan')}: ${WHOLE}`];
      break;
    }
    const text = planText(group.first.saved.plan, report.kinds, PLAIN);
    const part = folded(headOf(group), textWithin(text, share, WHOLE));
    parts = [...parts, ...part];
    room -= bytesOf(part.join('\n')) + 1;
  }
  return [...seen, ...parts, ''].join('\n');
}

/** A part of fewer bytes shows nothing. */
const LEAST_BYTES = 400;

/** The plans as a document. */
function fleetPlanDocument({ planned, unplanned, digest }: FleetPlanReport): JsonObject {
  return {
    format_version: '1.0',
    ...(digest !== undefined && { digest }),
    groups: groupsOfPlans(planned).map(({ first, accounts }) => ({
      accounts: accounts.map(({ name }) => name),
      plan: first.saved.document,
    })),
    unplanned: unplanned.map(one => ({
      account: one.account.name,
      code: one.code,
      messages: one.text,
    })),
  };
}

/** The same as text. */
export const fleetPlanJson = (report: FleetPlanReport): string =>
  jsonText(fleetPlanDocument(report));
