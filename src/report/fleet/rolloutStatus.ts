// The progress of a rollout: for a terminal, for programs, for CI systems, and for a collector of metrics.
import type { Ledger, RolloutAccount } from '../../model/rollout.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { nameText } from '../../model/text/visible.ts';
import type { JsonObject } from '../../model/value.ts';
import { durationText } from '../plan/runDuration.ts';
import type { Style } from '../text/style.ts';
import { counted } from '../text/summary.ts';
import { valueTable } from '../text/table.ts';
import { type AccountCase, accountsJunit } from './accountsJunit.ts';

/** The drift of an account. */
export interface DriftFacts {
  /** The number of objects that differ from the files. */
  readonly objects: number;
  /** The time since when objects differ, in milliseconds since 1970; absent if the audit log does not show it. */
  readonly since?: number;
}

/** The state of a queue that is not in the ledger of its rollout. */
export interface QueueFacts {
  readonly workers: readonly {
    readonly machine: string;
    /** In RFC 3339. */
    readonly since: string;
    /** Seconds since the last message of the worker. */
    readonly silent: number;
    /** The accounts that the worker handles. */
    readonly accounts: readonly string[];
  }[];
  /** The accounts that the queue has given up. */
  readonly deadLetters: readonly {
    readonly account: string;
    readonly step: string;
    /** In RFC 3339. */
    readonly at: string;
    readonly why: string;
  }[];
}

/** The state of a rollout, and the machines that carry it out. */
export interface RolloutStatus {
  readonly ledger: Ledger;
  /** The next step, as a sentence that says what to do. */
  readonly next: string;
  /** The machines that carry the rollout out, with their shards. */
  readonly runners: readonly { readonly machine: string; readonly shard?: string }[];
  /** Absent without a queue. */
  readonly queue?: QueueFacts;
  /** The result of the last comparison with the files, by the name of the account. */
  readonly drift?: ReadonlyMap<string, DriftFacts>;
  /** The time in milliseconds since 1970 from which the age of drift is counted. */
  readonly now?: number;
}

/** The states in their order. */
export const STATES: readonly RolloutAccount['state'][] = [
  'waiting',
  'running',
  'applied',
  'healthy',
  'unhealthy',
  'failed',
  'stale',
  'gone',
];

/** `500 accounts: 120 healthy, 3 failed, 377 waiting`. */
export function statusLine({ ledger: { accounts } }: Pick<RolloutStatus, 'ledger'>): string {
  const counts = STATES.flatMap(state => {
    const count = accounts.filter(one => one.state === state).length;
    return count > 0 ? [`${count} ${state}`] : [];
  });
  const all = counted(accounts.length, 'account');
  return counts.length > 0 ? `${all}: ${counts.join(', ')}` : all;
}

/**
 * The state of an account. Also shows whether somebody accepted the account, so that the rollout continues although it is
 * unhealthy.
 */
export const stateText = ({ state, accepted }: RolloutAccount): string =>
  accepted ? `${state}, accepted` : state;

/** The maximum number of names that are listed; the others are counted. */
const LISTED = 20;

/** A sentence with the accounts that take no part in a rollout; empty if there are none. */
export function withoutPlan({ unplanned = [] }: Pick<Ledger, 'unplanned'>): readonly string[] {
  if (unplanned.length === 0) return [];
  return [`Not in this rollout, because they could not be planned: ${listedNames(unplanned)}`];
}

/**
 * A sentence with the accounts of a fleet, given by name, for which no plan of the rollout was tried: accounts that are new since
 * then, or that somebody left out. Empty if there are none.
 */
export function notPlanned(
  { accounts, unplanned = [] }: Pick<Ledger, 'accounts' | 'unplanned'>,
  fleet: readonly string[],
): readonly string[] {
  const known = new Set(accounts.map(({ name }) => name).concat(unplanned));
  const others = fleet.filter(name => !known.has(name));
  if (others.length === 0) return [];
  return [`Not in this rollout, because they were not planned with it: ${listedNames(others)}`];
}

function listedNames(names: readonly string[]): string {
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : '';
  return `${names.slice(0, LISTED).map(nameText).join(', ')}${more}`;
}

/** The time at which an account reached its state, in RFC 3339; empty if the ledger does not contain it. */
export const sinceOf = ({ outcome, applied_at, begun_at }: RolloutAccount): string =>
  outcome?.at ?? applied_at ?? begun_at ?? '';

/** `3 objects, for 2 h`, or `none`; empty if the drift is not known. */
export function driftText(drift: DriftFacts | undefined, now: number | undefined): string {
  if (drift === undefined) return '';
  if (drift.objects === 0) return 'none';
  const age = ageOf(drift, now);
  const since = age === undefined ? '' : `, for ${durationText(age)}`;
  return `${counted(drift.objects, 'object')}${since}`;
}

/** In whole seconds. */
function ageOf(
  { since }: { readonly since?: number },
  now: number | undefined,
): number | undefined {
  return since === undefined || now === undefined
    ? undefined
    : Math.max(0, Math.round((now - since) / 1000));
}

/** `+2 −1`; empty if the change of access is not known. */
export const accessText = ({ access }: RolloutAccount): string =>
  access === undefined ? '' : `+${access.gained} −${access.lost}`;

/** Whether an account needs attention from a person. */
export const isFaulty = ({ state, accepted }: RolloutAccount): boolean =>
  (state === 'failed' || state === 'unhealthy' || state === 'stale') && accepted === undefined;

/** Whether an account could not begin because of others, and waits for the next run. */
const isPostponed = ({ state, outcome }: RolloutAccount): boolean =>
  state === 'waiting' && outcome !== undefined;

/**
 * The rollout as a table of waves, a table of the accounts that need attention, and what to do next. With `isWhole`, the second
 * table has every account.
 */
export function statusText(
  status: RolloutStatus,
  { isWhole }: { readonly isWhole: boolean },
  style: Style,
): string {
  const { ledger, next, runners } = status;
  const { rollout, started_at: since, accounts } = ledger;
  const shown = isWhole ? accounts : accounts.filter(one => isFaulty(one) || isPostponed(one));
  const rows = shown.map(account => accountRow(account, status));
  const held = runners.map(({ machine, shard }) =>
    shard === undefined ? nameText(machine) : `${nameText(machine)} (shard ${shard})`,
  );
  const { text, leftOut } = valueTable(rows, COLUMNS, style);
  // A reason that does not fit into the table is printed on its own line, because the reader needs it most.
  const reasons = leftOut.includes('why') ? rows.filter(({ why }) => why !== '') : [];
  return [
    style.strong(`Rollout ${rollout}`),
    `since ${since}${held.length > 0 ? `, applied by ${held.join(', ')}` : ''}`,
    '',
    valueTable(waveRows(accounts), ['wave', 'accounts', ...STATES], style).text,
    ...(rows.length > 0 ? [text] : []),
    ...reasons.map(({ account, why }) => `${nameText(account)}: ${nameText(why)}`),
    ...(reasons.length > 0 ? [''] : []),
    statusLine(status),
    ...withoutPlan(ledger),
    next,
    '',
  ].join('\n');
}

function waveRows(accounts: readonly RolloutAccount[]) {
  const byWave = [...Map.groupBy(accounts, ({ wave }) => wave)].toSorted(([a], [b]) => a - b);
  return byWave.map(([wave, members]) => ({
    wave,
    accounts: members.length,
    ...Object.fromEntries(
      STATES.map(state => [state, members.filter(one => one.state === state).length || '']),
    ),
  }));
}

const accountRow = (account: RolloutAccount, { drift, now }: RolloutStatus) => ({
  account: account.name,
  wave: account.wave,
  state: stateText(account),
  since: sinceOf(account),
  access: accessText(account),
  drift: driftText(drift?.get(account.name), now),
  why: account.outcome?.why ?? '',
});

const JUNIT_NAME = 'meshform fleet';

/** The sentence while no rollout is open. */
export const NO_ROLLOUT = 'No rollout is open.';

const COLUMNS = ['account', 'wave', 'state', 'since', 'access', 'drift', 'why'];

/** The rollout as a document. */
export const statusJson = ({ ledger, next, runners, queue, drift }: RolloutStatus): string =>
  jsonText({
    format_version: '1.2',
    rollout: ledger.rollout,
    fleet: ledger.fleet,
    plans: ledger.plans,
    started_at: ledger.started_at,
    next,
    runners: runners.map(({ machine, shard }) => ({ machine, shard: shard ?? null })),
    ...(queue && queueDocument(queue)),
    ...(ledger.unplanned && { unplanned: ledger.unplanned }),
    accounts: ledger.accounts.map(
      ({ name, account, wave, state, access, outcome, accepted }): JsonObject => ({
        name,
        account: account ?? null,
        wave,
        state,
        ...(access && { access: { ...access } }),
        ...(outcome && { outcome: { ...outcome } }),
        ...(accepted && { accepted: { ...accepted } }),
        ...driftDocument(drift?.get(name)),
      }),
    ),
  });

/** The document if no rollout is open. It also contains the state of the queue. */
export const noRolloutJson = (queue?: QueueFacts): string =>
  jsonText({
    format_version: '1.2',
    rollout: null,
    fleet: null,
    plans: null,
    started_at: null,
    next: NO_ROLLOUT,
    runners: [],
    ...(queue && queueDocument(queue)),
    accounts: [],
  });

const queueDocument = ({ workers, deadLetters }: QueueFacts): JsonObject => ({
  workers: workers.map(({ machine, since, silent, accounts }) => ({
    machine,
    since,
    silent_seconds: Math.round(silent),
    accounts,
  })),
  dead_letters: deadLetters.map(({ account, step, at, why }) => ({ account, step, at, why })),
});

function driftDocument(drift: DriftFacts | undefined): JsonObject {
  if (drift === undefined) return {};
  const since = drift.since === undefined ? null : new Date(drift.since).toISOString();
  return { drift: { objects: drift.objects, since } };
}

/** The report if no rollout is open; it contains no tests. */
export const noRolloutJunit = (): string => accountsJunit(JUNIT_NAME, []);

/** The rollout as JUnit XML: a test for each account, which is skipped until the account is reached. */
export function statusJunit({ ledger }: RolloutStatus): string {
  const isDone = ({ state }: RolloutAccount) => state === 'healthy' || state === 'gone';
  const cases = ledger.accounts.map((one): AccountCase => {
    const { name, wave, state } = one;
    const same = { name, part: `wave ${wave}` };
    if (isDone(one)) return same;
    const why = one.outcome?.why ?? state;
    return isFaulty(one)
      ? { ...same, outcome: { is: 'failure', type: state, message: why, text: why } }
      : { ...same, outcome: { is: 'skipped', message: state } };
  });
  return accountsJunit(JUNIT_NAME, cases);
}

const PREFIX = 'meshform_fleet_';

const family = (name: string, help: string, samples: readonly string[]): string =>
  [
    `# HELP ${PREFIX}${name} ${help}`,
    `# TYPE ${PREFIX}${name} gauge`,
    ...samples.map(sample => `${PREFIX}${name}${sample}`),
    '',
  ].join('\n');

const openFamily = (count: 0 | 1): string =>
  family('rollout_open', 'Whether a rollout is open.', [` ${count}`]);

/** The metrics if no rollout is open. Without them, the metrics of the last rollout would suggest that it is still open. */
export const noRolloutMetrics = (): string => openFamily(0);

/** The rollout as metrics for the textfile collector of Prometheus' node exporter. The label `account` identifies an account. */
export function statusMetrics({ ledger, drift }: RolloutStatus, now: number): string {
  const begun = Date.parse(ledger.started_at);
  return [
    openFamily(1),
    family('rollout_age_seconds', 'Since when the rollout is open.', [
      ` ${Math.max(0, (now - begun) / 1000)}`,
    ]),
    family(
      'accounts',
      'Accounts of the rollout, by state.',
      STATES.map(
        state => `{state="${state}"} ${ledger.accounts.filter(one => one.state === state).length}`,
      ),
    ),
    family(
      'account_healthy',
      'Whether an account is healthy: 1, or 0 if it failed; absent until its turn comes.',
      ledger.accounts.flatMap(one =>
        isFaulty(one) || one.state === 'healthy'
          ? `{account="${escapedLabel(one.name)}"} ${one.state === 'healthy' ? 1 : 0}`
          : [],
      ),
    ),
    family(
      'account_state',
      'The state of each account: 1.',
      ledger.accounts.map(one => `{account="${escapedLabel(one.name)}",state="${one.state}"} 1`),
    ),
    family(
      'account_drift_objects',
      'Objects of the account that differ from its files, as the last comparison found them.',
      driftSamples(drift, ({ objects }) => objects),
    ),
    family(
      'account_drift_age_seconds',
      'Since when the account differs from its files; absent if it does not.',
      driftSamples(drift, one => (one.objects > 0 ? ageOf(one, now) : undefined)),
    ),
  ].join('');
}

const driftSamples = (
  drift: RolloutStatus['drift'],
  measured: (one: DriftFacts) => number | undefined,
): readonly string[] =>
  [...(drift ?? [])].flatMap(([name, one]) => {
    const value = measured(one);
    return value === undefined ? [] : [`{account="${escapedLabel(name)}"} ${value}`];
  });

const escapedLabel = (value: string): string =>
  value.toWellFormed().replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
