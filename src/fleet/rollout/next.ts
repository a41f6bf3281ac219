// What a run of a rollout does next, from its ledger alone: whoever continues it anywhere decides the same.
import type { Ledger, RolloutAccount, RolloutCause } from '../../model/rollout.ts';
import { quoted } from '../../model/text/visible.ts';
import {
  accountsOf,
  areTooManyStale,
  bakedAt,
  currentWave,
  isOpen,
  isStale,
  isUnhealthy,
  mustBeAccepted,
} from './progress.ts';

/** The next step; accounts are names, in their order. */
export type RolloutStep =
  /** These begin now, as many at once as the run can carry out. */
  | { readonly is: 'apply'; readonly wave: number; readonly accounts: readonly string[] }
  /** These were watched long enough: their fresh plans must be empty, and their access tests pass. */
  | { readonly is: 'check'; readonly wave: number; readonly accounts: readonly string[] }
  /** All of the wave was applied; `until` is in milliseconds since 1970. */
  | { readonly is: 'baking'; readonly wave: number; readonly until: number }
  /**
   * Nothing to do for this run: it is already working on these, or other runs carry them out. `dead` are those without a live
   * run: a run for all accounts takes them over.
   */
  | {
      readonly is: 'others';
      readonly wave: number;
      readonly accounts: readonly string[];
      readonly dead: readonly string[];
    }
  | {
      readonly is: 'stopped';
      readonly why: string;
      /** Each of them must be accepted before the rollout continues. */
      readonly unhealthy: readonly string[];
      /** Applies without a reported end: they continue first. */
      readonly running: readonly string[];
      readonly notBegun: readonly string[];
    }
  /** Nothing is left. Accounts with a stale plan need a new one. */
  | { readonly is: 'done'; readonly stale: readonly string[] };

/** Who asks. */
export interface Asker {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether an account is this run's to carry out. By default all are. */
  readonly isOwn?: (name: string) => boolean;
  /** Whether no run carries out an account, now or yet. By default one does. */
  readonly isDead?: (account: RolloutAccount) => boolean;
}

/** The next step of a rollout. */
export function nextStep(ledger: Ledger, asker: Asker): RolloutStep {
  const why = whyStopped(ledger);
  if (why !== null) return stopped(ledger, why);
  const wave = currentWave(ledger);
  if (wave === null) return { is: 'done', stale: namesOf(ledger.accounts.filter(isStale)) };
  return stepOf(ledger, wave, asker);
}

function stepOf(
  ledger: Ledger,
  wave: number,
  { now, isOwn = () => true, isDead = () => false }: Asker,
): RolloutStep {
  const accounts = accountsOf(ledger, wave);
  const own = accounts.filter(({ name }) => isOwn(name));
  const toApply = own.filter(
    account => account.state === 'waiting' || (account.state === 'running' && isDead(account)),
  );
  if (toApply.length > 0) return { is: 'apply', wave, accounts: namesOf(toApply) };
  const others = (open: readonly RolloutAccount[]): RolloutStep => {
    return { is: 'others', wave, accounts: namesOf(open), dead: namesOf(open.filter(isDead)) };
  };
  const open = accounts.filter(isOpen);
  if (open.length > 0) return others(open);
  const until = bakedAt(ledger, wave);
  if (until !== undefined && now < until) return { is: 'baking', wave, until };
  const applied = accounts.filter(({ state }) => state === 'applied');
  const toCheck = applied.filter(({ name }) => isOwn(name));
  if (toCheck.length > 0) return { is: 'check', wave, accounts: namesOf(toCheck) };
  return others(applied);
}

/** Why no account may begin, in a sentence without its full stop; null if the rollout goes on. */
export function whyStopped(ledger: Ledger): string | null {
  const { halt, stop, accounts } = ledger;
  if (halt.why !== undefined) return halt.why;
  const unhealthy = accounts.filter(isUnhealthy);
  const by = (cause: RolloutCause) => unhealthy.find(({ outcome }) => outcome?.cause === cause);
  const hazardous = stop.hazards ? by('hazards') : undefined;
  if (hazardous) return `the plan of ${quoted(hazardous.name)} has a hazard that nobody accepted`;
  const failing = stop.access_tests ? by('access-tests') : undefined;
  if (failing) return `an access test of ${quoted(failing.name)} fails`;
  if (unhealthy.length > 0 && unhealthy.length >= stop.failures) return notHealthy(unhealthy);
  if (areTooManyStale(ledger)) return changed(accounts.filter(isStale));
  return whyWaveEnds(ledger);
}

// A wave whose accounts were all applied ends at the first failure, and one that is being checked once all are.
function whyWaveEnds(ledger: Ledger): string | null {
  const wave = currentWave(ledger);
  if (wave === null) return null;
  const accounts = accountsOf(ledger, wave);
  if (accounts.some(isOpen)) return null;
  const failed = accounts.filter(account => isUnhealthy(account) && account.state === 'failed');
  if (failed.length > 0) return notHealthy(failed);
  const isChecked = !accounts.some(({ state }) => state === 'applied');
  const unhealthy = accounts.filter(isUnhealthy);
  return isChecked && unhealthy.length > 0 ? notHealthy(unhealthy) : null;
}

function notHealthy(accounts: readonly RolloutAccount[]): string {
  const [first] = accounts;
  return first && accounts.length === 1
    ? `${quoted(first.name)} is not healthy`
    : `${accounts.length} accounts are not healthy`;
}

function changed(accounts: readonly RolloutAccount[]): string {
  const [first] = accounts;
  return first && accounts.length === 1
    ? `the plan of ${quoted(first.name)} changed since it was approved`
    : `the plans of ${accounts.length} accounts changed since they were approved`;
}

function stopped(ledger: Ledger, why: string): RolloutStep {
  const { accounts } = ledger;
  return {
    is: 'stopped',
    why,
    unhealthy: unacceptedOf(ledger),
    running: namesOf(accounts.filter(({ state }) => state === 'running')),
    notBegun: namesOf(accounts.filter(({ state }) => state === 'waiting')),
  };
}

/** The accounts that must be accepted before the rollout continues. */
export const unacceptedOf = (ledger: Ledger): string[] =>
  namesOf(ledger.accounts.filter(account => mustBeAccepted(ledger, account)));

const namesOf = (accounts: readonly RolloutAccount[]): string[] => accounts.map(({ name }) => name);
