// The plans of a fleet: texts and counts that all formats share.
import type { KindTable } from '../../kinds/kind.ts';
import { givesAccess, takesAccess } from '../../model/access/planAccess.ts';
import type { FleetAccount } from '../../model/fleet.ts';
import type { Plan } from '../../model/plan.ts';
import type { AccessCounts } from '../../model/rollout.ts';
import { largest } from '../../model/text/longLists.ts';
import { nameText } from '../../model/text/visible.ts';
import { hazardsOf } from '../plan/neededFlags.ts';
import type { PlanExtent } from '../plan/planReport.ts';
import { durationText } from '../plan/runDuration.ts';
import { counted, planLine } from '../text/summary.ts';
import { accountsByMessage } from './accountNames.ts';
import { isName } from './neutralText.ts';
import { groupsOfPlans, type PlanGroup, type PlannedAccount } from './planGroups.ts';

/** An account that could not be planned, with the exit code and the text that a run for this account alone would give. */
interface UnplannedAccount {
  readonly account: FleetAccount;
  readonly code: number;
  readonly text: string;
}

/** The plans of a fleet. `command` shows all plans in full, and `digest` approves them. */
export interface FleetPlanReport extends PlanExtent {
  readonly planned: readonly PlannedAccount[];
  readonly unplanned: readonly UnplannedAccount[];
  /**
   * The number of requests per minute that a token may send, by the name of its credentials; a token without an entry has no
   * limit.
   */
  readonly rates: ReadonlyMap<string, number>;
  readonly kinds: KindTable;
}

const known = new WeakMap<FleetPlanReport, readonly PlanGroup[]>();

/** The groups of the plans of a report. */
export function groupsIn(report: FleetPlanReport): readonly PlanGroup[] {
  const groups = known.get(report) ?? groupsOfPlans(report.planned, report.kinds);
  known.set(report, groups);
  return groups;
}

/** `500 accounts: 488 with one plan, 12 with other plans in 12 groups, 3 without changes, 2 could not be planned`. */
export function fleetPlanLine(report: FleetPlanReport): string {
  const groups = groupsIn(report);
  const of = (is: PlanGroup['is']) => {
    const own = groups.filter(group => group.is === is);
    return { groups: own.length, accounts: own.reduce((sum, one) => sum + one.accounts.length, 0) };
  };
  const common = of('common');
  const odd = of('odd');
  const unchanged = of('unchanged');
  const failed = report.unplanned.length;
  const parts = [
    ...(common.groups === 1 ? [`${common.accounts} with one plan`] : []),
    ...(common.groups > 1 ? [`${common.accounts} with one of ${common.groups} plans`] : []),
    ...(odd.groups > 0
      ? [`${odd.accounts} with other plans in ${counted(odd.groups, 'group')}`]
      : []),
    ...(unchanged.groups > 0 ? [`${unchanged.accounts} without changes`] : []),
    ...(failed > 0 ? [`${failed} could not be planned`] : []),
  ];
  const all = counted(report.planned.length + failed, 'account');
  return parts.length > 0 ? `${all}: ${parts.join(', ')}` : all;
}

/** The names of the accounts of a group. */
export const namesOfGroup = ({ accounts }: PlanGroup): readonly string[] =>
  accounts.map(({ name }) => name);

/** `488 accounts with this plan`, `1 account with another plan`. */
export function groupTitle({ is, accounts }: PlanGroup): string {
  const what = { common: 'with this plan', odd: 'with another plan', unchanged: 'without changes' };
  return `${counted(accounts.length, 'account')} ${what[is]}`;
}

/** The plan that represents a group. If its untouched objects differ between the accounts, they are left out. */
export const planOfGroup = ({ first, differsInRest }: PlanGroup): Plan =>
  differsInRest ? { ...first.saved.plan, leftAlone: [] } : first.saved.plan;

/** The notes for the other accounts in the group of a plan. */
export function groupNotes(group: PlanGroup, text: string): readonly string[] {
  const [first, ...others] = namesOfGroup(group);
  if (first === undefined || others.length === 0) return [];
  const isNamed = isName(first) && text.includes(first);
  return [
    ...(isNamed ? [`In place of ${nameText(first)}, each account has its own name.`] : []),
    ...(group.differsInRest
      ? ['The undeclared objects of these accounts differ: they are left alone, and not listed.']
      : []),
  ];
}

/** `Plan: 1 to add, 0 to change, 2 to destroy.`, and the numbers of access changes that give and take access. */
export function groupLine({ first }: PlanGroup): string {
  const { plan } = first.saved;
  const rights = plan.access?.rights ?? [];
  const { gained, lost } = accessCounts(plan) ?? NO_ACCESS;
  const access = (plan.access?.changes ?? []).length === 0 ? '' : ` Access: +${gained} −${lost}.`;
  return `${planLine(plan)}${access}${rights.length > 0 ? ` Rights: +${rights.length}.` : ''}`;
}

const NO_ACCESS: AccessCounts = { gained: 0, lost: 0 };

/** The numbers of access changes in a plan that give and take access; undefined if access was not computed. */
export function accessCounts({ access }: Plan): AccessCounts | undefined {
  if (access === undefined) return undefined;
  return {
    gained: access.changes.filter(givesAccess).length,
    lost: access.changes.filter(takesAccess).length,
  };
}

/** Hazards that nobody allowed, each with the number of accounts that have it. */
export function hazardsOfFleet({
  planned,
}: FleetPlanReport): readonly { readonly code: string; readonly accounts: number }[] {
  const found = new Map<string, number>();
  for (const { saved } of planned) {
    const open = hazardsOf(saved.plan).filter(({ allowed }) => !allowed);
    for (const code of new Set(open.map(hazard => hazard.code)))
      found.set(code, (found.get(code) ?? 0) + 1);
  }
  return [...found]
    .map(([code, accounts]) => ({ code, accounts }))
    .toSorted((one, other) => other.accounts - one.accounts);
}

const requestsOf = (planned: readonly PlannedAccount[]): number =>
  planned.reduce((sum, { saved }) => sum + saved.plan.requests.planned, 0);

/** The number of requests of all applies, and the minimum time that they take, in seconds; the time is absent without a limit. */
export function costOfFleet({ planned, rates }: FleetPlanReport): {
  readonly requests: number;
  readonly seconds?: number;
} {
  const requests = requestsOf(planned);
  if (rates.size === 0) return { requests };
  // Each token has a limit of its own.
  const byToken = Map.groupBy(planned, ({ account }) => account.credentials);
  const seconds = [...byToken].map(([name, own]) => {
    const rate = rates.get(name);
    return rate === undefined ? 0 : Math.ceil((requestsOf(own) * 60) / rate);
  });
  return { requests, seconds: largest(0, seconds) };
}

/** The smallest limit of a token, in requests per minute; undefined without a limit. */
export const rateOfFleet = ({ rates }: FleetPlanReport): number | undefined =>
  rates.size === 0 ? undefined : rates.values().reduce((one, other) => Math.min(one, other));

/** `The applies of all accounts take 12000 requests, at least 1 h 40 min with 120 requests a minute.` */
export function costLine(report: FleetPlanReport): string {
  const { requests, seconds } = costOfFleet(report);
  const pace = counted(Math.round(rateOfFleet(report) ?? 0), 'request');
  const time =
    seconds === undefined ? '' : `, at least ${durationText(seconds)} with ${pace} a minute`;
  return `The applies of all accounts take ${counted(requests, 'request')}${time}.`;
}

/** Accounts without a plan, grouped by the same reason. */
export const unplannedGroups = ({ unplanned }: FleetPlanReport) =>
  accountsByMessage(
    unplanned.map(({ account: { name }, code, text }) => ({ name, code, text })),
    ({ code, text }) => `Exit code ${code}.\n${text.trim()}`.trimEnd(),
  );
