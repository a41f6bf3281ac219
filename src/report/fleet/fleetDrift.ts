// The drift of a fleet: accounts with the same drift form one group, whose drift is shown once.

import type { FleetAccount } from '../../model/fleet.ts';
import type { LastApplied } from '../../model/rollout.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { stableText } from '../../model/text/stableText.ts';
import { nameText, visibleLines } from '../../model/text/visible.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { accessKinds, type DriftReport, driftLine, driftWithLabels } from '../drift/drift.ts';
import { driftDocument } from '../drift/driftDocument.ts';
import { driftText } from '../drift/driftText.ts';
import type { Extent } from '../plan/planReport.ts';
import { wrap } from '../text/lines.ts';
import type { Style } from '../text/style.ts';
import { counted } from '../text/summary.ts';
import { accountsByMessage, fewNames, namesLines } from './accountNames.ts';
import { codeOfAll } from './accountOutcomes.ts';
import { type AccountCase, accountsJunit } from './accountsJunit.ts';
import { neutralFor } from './neutralText.ts';
import { changeContent, groupOf, sorted } from './planGroup.ts';
import type { DriftFacts } from './rolloutStatus.ts';

/** An account that was compared with its files. */
interface ComparedFleetAccount {
  readonly account: FleetAccount;
  readonly report: DriftReport;
}

/** The drift of a fleet. */
export interface FleetDriftReport extends Extent {
  readonly compared: readonly ComparedFleetAccount[];
  /** The last rollout of each account, by its name; absent if the ledgers were not read. */
  readonly rollouts?: ReadonlyMap<string, LastApplied>;
  /** Accounts that could not be compared, each with the exit code and the text that a run for this account alone would give. */
  readonly failed: readonly {
    readonly account: FleetAccount;
    readonly code: number;
    readonly text: string;
  }[];
}

/** Accounts with the same drift. */
interface DriftGroup {
  readonly group: string;
  /** The accounts in the order of their names; there is at least one. */
  readonly members: readonly ComparedFleetAccount[];
  readonly report: DriftReport;
}

/** The minor version grows when fields are added, the major version when readers would break. */
const FORMAT_VERSION = '1.1';

/** The exit codes of a run for one account. */
const SAME = 0;
const DRIFTED = 2;

const codeOf = ({ open }: DriftReport): number => (open.length > 0 ? DRIFTED : SAME);

/** The groups of accounts that differ from their files, the largest first. */
export function driftGroups({ compared }: FleetDriftReport): readonly DriftGroup[] {
  const drifted = compared
    .filter(({ report }) => report.open.length > 0)
    .toSorted((one, other) => compareTexts(one.account.name, other.account.name));
  return [...Map.groupBy(drifted, driftGroup)]
    .flatMap(([group, members]) => {
      const [first] = members;
      return first ? [{ group, members, report: reportOf(first, members) }] : [];
    })
    .toSorted((one, other) => other.members.length - one.members.length);
}

// The digest by which accounts with the same drift are grouped. It includes undeclared objects that grant access, because they
// may be a security hole.
function driftGroup({ account, report }: ComparedFleetAccount): string {
  const { plan, kinds, open, acknowledged, twice, overdue, left = new Map() } = report;
  const neutral = neutralFor({ ...plan, changes: open }, kinds, account.name);
  const granting = accessKinds(kinds);
  const undeclared = plan.leftAlone.filter(({ kind }) => granting.has(kind));
  return groupOf({
    open: sorted(open.map(change => changeContent(change, kinds, neutral))),
    acknowledged: sorted(
      acknowledged.map(({ change, entry: { until, reason } }) => [
        changeContent(change, kinds, neutral),
        until,
        reason,
      ]),
    ),
    marked: [twice, overdue, left.keys()].map(addresses =>
      sorted([...addresses].map(neutral.name)),
    ),
    undeclared: sorted(undeclared.map(({ address }) => neutral.name(address))),
  });
}

// The report of a group. Facts that are only about the first account are left out: attributions, and undeclared objects that
// grant no access and differ between the accounts.
function reportOf(
  { report }: ComparedFleetAccount,
  members: readonly ComparedFleetAccount[],
): DriftReport {
  if (members.length === 1) return report;
  const { attributions: _, plan, ...same } = report;
  const texts = members.map(one =>
    stableText(one.report.plan.leftAlone.map(({ address }) => address)),
  );
  if (texts.every(text => text === texts[0])) return { ...same, plan };
  const granting = accessKinds(report.kinds);
  const leftAlone = plan.leftAlone.filter(({ kind }) => granting.has(kind));
  return { ...same, plan: { ...plan, leftAlone } };
}

/** `500 accounts: 480 without drift, 15 with drift in 3 groups, 5 could not be compared`. */
export function fleetDriftLine(report: FleetDriftReport): string {
  const { compared, failed } = report;
  const groups = driftGroups(report);
  const drifted = groups.reduce((sum, { members }) => sum + members.length, 0);
  const clean = compared.length - drifted;
  const parts = [
    ...(clean > 0 ? [`${clean} without drift`] : []),
    ...(drifted > 0 ? [`${drifted} with drift in ${counted(groups.length, 'group')}`] : []),
    ...(failed.length > 0 ? [`${failed.length} could not be compared`] : []),
  ];
  const all = counted(compared.length + failed.length, 'account');
  return parts.length > 0 ? `${all}: ${parts.join(', ')}` : all;
}

/** The drift for a terminal. */
export function fleetDriftText(report: FleetDriftReport, style: Style): string {
  const { detail, command } = report;
  const line = style.strong(fleetDriftLine(report));
  const parts = driftGroups(report).map(({ members, report: own }) => {
    const title = `${counted(members.length, 'account')}, ${counted(own.open.length, 'object')} in each:`;
    const text = driftText(driftWithLabels(own), style, { detail, command }).trimEnd();
    const applied = rolloutLines(members, report, style);
    return [style.strong(title), ...namesOf(members, style), ...applied, '', text].join('\n');
  });
  const failed = accountsByMessage(failures(report), ({ said }) => said).flatMap(
    ({ said, names }) => [
      ...namesLines(names, style),
      ...said.split('\n').flatMap(text => wrap(`      ${text}`, style.width)),
    ],
  );
  const without =
    failed.length === 0 ? [] : [[style.error('Could not be compared:'), ...failed].join('\n')];
  return `${[line, ...parts, ...without, line].join('\n\n')}\n`;
}

// The last rollouts that applied these accounts; each with its accounts, unless all accounts have the same rollout.
function rolloutLines(
  members: readonly ComparedFleetAccount[],
  { rollouts }: FleetDriftReport,
  style: Style,
): readonly string[] {
  const known = members.flatMap(({ account: { name } }) => {
    const found = rollouts?.get(name);
    return found ? [{ name, found }] : [];
  });
  const groups = accountsByMessage(
    known,
    ({ found: { rollout, startedAt } }) =>
      `Last applied by the rollout ${nameText(rollout)}, which began at ${nameText(startedAt)}`,
  );
  const isSame = groups.length === 1 && known.length === members.length;
  return groups
    .flatMap(({ said, names }) =>
      wrap(isSame ? said : `${said}: ${fewNames(names, FEW)}`, style.width),
    )
    .map(style.faint);
}

/** How many accounts of a rollout are named. */
const FEW = 5;

const namesOf = (members: readonly ComparedFleetAccount[], style: Style): readonly string[] =>
  namesLines(
    members.map(({ account }) => account.name),
    style,
  );

const failures = ({ failed }: FleetDriftReport) =>
  failed.map(({ account: { name }, code, text }) => ({
    name,
    said: visibleLines(`Exit code ${code}.\n${text.trim()}`.trimEnd()),
  }));

/** The drift as a document: each account with its counts, and each drift once. */
export function fleetDriftJson(report: FleetDriftReport): string {
  const groups = driftGroups(report);
  const groupOfAccount = new Map(
    groups.flatMap(({ group, members }) => members.map(({ account }) => [account.name, group])),
  );
  return jsonText({
    format_version: FORMAT_VERSION,
    accounts: report.compared.map(({ account: { name }, report: own }) => ({
      name,
      code: codeOf(own),
      objects: own.open.length,
      since: sinceOf(own),
      acknowledged: own.acknowledged.length,
      group: groupOfAccount.get(name) ?? null,
      ...rolloutOf(name, report),
    })),
    groups: groups.map(({ group, members, report: own }) => ({
      group,
      accounts: members.map(({ account }) => account.name),
      drift: driftDocument(own),
    })),
    failed: report.failed.map(({ account, code, text }) => ({
      account: account.name,
      code,
      messages: text,
    })),
  });
}

function rolloutOf(name: string, { rollouts }: FleetDriftReport): JsonObject {
  const found = rollouts?.get(name);
  if (found === undefined) return {};
  const { rollout, startedAt, appliedAt } = found;
  return { rollout: { id: rollout, started_at: startedAt, applied_at: appliedAt } };
}

// The time in RFC 3339 of the earliest change that caused a difference, as far as the audit log goes back; null if none is known.
function sinceOf({ open, attributions }: DriftReport): string | null {
  const times = open.flatMap(change => {
    const found = attributions?.get(change);
    if (found === undefined || found.confidence === 'none') return [];
    return found.confidence === 'exact' ? found.event.when : found.events.map(({ when }) => when);
  });
  const [first] = times.toSorted((one, other) => Date.parse(one) - Date.parse(other));
  return first ?? null;
}

/** The facts about each account in a `fleetDriftJson` document, by name; null if it is another document. */
export function driftFactsOf(document: Json): ReadonlyMap<string, DriftFacts> | null {
  if (!isObject(document) || !/^1\.\d+$/.test(String(document.format_version))) return null;
  const { accounts, groups } = document;
  if (!isList(accounts) || !isList(groups)) return null;
  const facts = new Map<string, DriftFacts>();
  for (const account of accounts) {
    if (!isObject(account)) return null;
    const { name, objects, since } = account;
    if (typeof name !== 'string' || typeof objects !== 'number') return null;
    const time = typeof since === 'string' ? Date.parse(since) : Number.NaN;
    facts.set(name, { objects, ...(Number.isFinite(time) && { since: time }) });
  }
  return facts;
}

/** The drift as JUnit XML: a test for each account, which fails if the account differs or could not be compared. */
export function fleetDriftJunit({ compared, failed }: FleetDriftReport, style: Style): string {
  const cases = compared.map(({ account: { name }, report }): AccountCase => {
    if (report.open.length === 0) return { name, part: 'drift' };
    const message = driftLine(report);
    const text = driftText(driftWithLabels(report), style);
    return { name, part: 'drift', outcome: { is: 'failure', type: 'drift', message, text } };
  });
  const others = failed.map(({ account: { name }, code, text }): AccountCase => {
    const message = `could not be compared: exit code ${code}`;
    return { name, part: 'drift', outcome: { is: 'failure', type: 'unreadable', message, text } };
  });
  return accountsJunit('meshform fleet drift', [...cases, ...others]);
}

/**
 * The exit code of the fleet: the worst code of the accounts that could not be compared; otherwise 2 with drift and 0 without
 * drift.
 */
export function fleetDriftCode({ compared, failed }: FleetDriftReport): number {
  if (failed.length > 0) return codeOfAll(failed);
  return compared.some(({ report }) => report.open.length > 0) ? DRIFTED : SAME;
}
