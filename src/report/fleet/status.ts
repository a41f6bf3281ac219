// How far a rollout is: for a terminal, for programs, for CI systems, and for a collector of metrics.
import type { Ledger, RolloutAccount } from '../../model/rollout.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { nameText } from '../../model/text/visible.ts';
import type { JsonObject } from '../../model/value.ts';
import type { Style } from '../text/style.ts';
import { counted } from '../text/summary.ts';
import { valueTable } from '../text/table.ts';
import { xmlAttribute, xmlText } from '../text/xmlText.ts';

/** A rollout, and who carries it out. */
export interface RolloutStatus {
  readonly ledger: Ledger;
  /** What happens next, in a sentence with what to do. */
  readonly next: string;
  /** Whoever carries it out: the machine, and the shard. */
  readonly runners: readonly { readonly machine: string; readonly shard?: string }[];
}

const STATES: readonly RolloutAccount['state'][] = [
  'waiting',
  'running',
  'applied',
  'healthy',
  'unhealthy',
  'failed',
  'stale',
  'gone',
];

/** Whether an account needs somebody. */
const isFaulty = ({ state, accepted }: RolloutAccount): boolean =>
  (state === 'failed' || state === 'unhealthy' || state === 'stale') && accepted === undefined;

/** The rollout as a table of waves, the accounts that need somebody, and what to do next. `detail`: every account. */
export function statusText(
  { ledger, next, runners }: RolloutStatus,
  { isWhole }: { readonly isWhole: boolean },
  style: Style,
): string {
  const { rollout, started_at: since, accounts } = ledger;
  const byWave = [...Map.groupBy(accounts, ({ wave }) => wave)].toSorted(([a], [b]) => a - b);
  const waves = byWave.map(([wave, members]) => ({
    wave,
    accounts: members.length,
    ...Object.fromEntries(
      STATES.map(state => [state, members.filter(one => one.state === state).length || '']),
    ),
  }));
  const shown = isWhole ? accounts : accounts.filter(isFaulty);
  const rows = shown.map(account => ({
    account: account.name,
    wave: account.wave,
    state: account.accepted ? `${account.state}, accepted` : account.state,
    since: account.outcome?.at ?? account.applied_at ?? account.begun_at ?? '',
    why: account.outcome?.why ?? '',
  }));
  const held = runners.map(({ machine, shard }) =>
    shard === undefined ? nameText(machine) : `${nameText(machine)} (shard ${shard})`,
  );
  return [
    style.strong(`Rollout ${rollout}`),
    `since ${since}, ${counted(accounts.length, 'account')}${held.length > 0 ? `, carried out by ${held.join(', ')}` : ''}`,
    '',
    valueTable(waves, ['wave', 'accounts', ...STATES], style).text,
    ...(rows.length > 0
      ? [valueTable(rows, ['account', 'wave', 'state', 'since', 'why'], style).text]
      : []),
    next,
    '',
  ].join('\n');
}

/** The rollout as a document. */
export const statusJson = ({ ledger, next, runners }: RolloutStatus): string =>
  jsonText({
    format_version: '1.0',
    rollout: ledger.rollout,
    fleet: ledger.fleet,
    plans: ledger.plans,
    started_at: ledger.started_at,
    next,
    runners: runners.map(({ machine, shard }) => ({ machine, shard: shard ?? null })),
    accounts: ledger.accounts.map(
      ({ name, account, wave, state, outcome, accepted }): JsonObject => ({
        name,
        account: account ?? null,
        wave,
        state,
        ...(outcome && { outcome: { ...outcome } }),
        ...(accepted && { accepted: { ...accepted } }),
      }),
    ),
  });

/** The rollout as JUnit XML: a test for each account, skipped until its turn comes. */
export function statusJunit({ ledger }: RolloutStatus): string {
  const { accounts } = ledger;
  const failed = accounts.filter(isFaulty).length;
  const isDone = ({ state }: RolloutAccount) => state === 'healthy' || state === 'gone';
  const skipped = accounts.filter(one => !isFaulty(one) && !isDone(one)).length;
  const counts = `tests="${accounts.length}" failures="${failed}" errors="0" skipped="${skipped}"`;
  const cases = accounts.map(one => {
    const head = `    <testcase classname="wave ${one.wave}" name="${xmlAttribute(one.name)}"`;
    if (isDone(one)) return `${head}/>`;
    const why = one.outcome?.why ?? one.state;
    const part = isFaulty(one)
      ? `<failure type="${one.state}" message="${xmlAttribute(why)}">${xmlText(why)}</failure>`
      : `<skipped message="${one.state}"/>`;
    return `${head}>${part}</testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="meshform fleet" ${counts}>`,
    `  <testsuite name="meshform fleet" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

const PREFIX = 'meshform_fleet_';

/** The rollout as metrics for the textfile collector of Prometheus' node exporter: one label for each account. */
export function statusMetrics({ ledger }: RolloutStatus, now: number): string {
  const begun = Date.parse(ledger.started_at);
  const family = (name: string, help: string, samples: readonly string[]) =>
    [
      `# HELP ${PREFIX}${name} ${help}`,
      `# TYPE ${PREFIX}${name} gauge`,
      ...samples.map(sample => `${PREFIX}${name}${sample}`),
      '',
    ].join('\n');
  return [
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
  ].join('');
}

const escapedLabel = (value: string): string =>
  value.toWellFormed().replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
