// The next step of a rollout, from its ledger alone, so that every process that continues it decides the same.
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
  untriedBefore,
} from './progress.ts';

/** The next step. Accounts are given by name, in the order of the rollout. */
export type RolloutStep =
  /** These accounts begin now: as many as the run can apply at once. */
  | { readonly is: 'apply'; readonly wave: number; readonly accounts: readonly string[] }
  /** The bake time of these accounts is over: their fresh plans must be empty, and their access tests must pass. */
  | { readonly is: 'check'; readonly wave: number; readonly accounts: readonly string[] }
  /** All accounts of the wave were applied; `until` is in milliseconds since 1970. */
  | { readonly is: 'baking'; readonly wave: number; readonly until: number }
  /**
   * Nothing to do for this run: it is already working on these accounts, or other runs are. `dead` are the accounts without a
   * live run: a run for all accounts takes them over.
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
      /** Each of these accounts must be accepted before the rollout continues. */
      readonly unhealthy: readonly string[];
      /** Accounts with an apply whose end was not reported: their applies continue first. */
      readonly running: readonly string[];
      readonly notBegun: readonly string[];
    }
  /** No step is left. Accounts with a stale plan need a new plan. */
  | { readonly is: 'done'; readonly stale: readonly string[] };

/** The run that asks for the next step. */
export interface Asker {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether this run works on an account. By default it works on all. */
  readonly isOwn?: (name: string) => boolean;
  /** Whether no live run works on an account. By default every account has a live run. */
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

/** Why no account may begin, in a sentence without its full stop; null if the rollout continues. */
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
  const untried = untriedBefore(ledger);
  return untried.length > 0 ? nothingTried(ledger, untried) : whyWaveEnds(ledger);
}

// Why a wave stops the rollout; null while some of its accounts have yet to be applied. Once all
// are applied, a failed apply stops the rollout at once. Any other unhealthy account stops it after
// all accounts of the wave are checked.
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

function nothingTried(ledger: Ledger, untried: readonly RolloutAccount[]): string {
  const [first] = untried;
  const who = first && untried.length === 1 ? quoted(first.name) : `${untried.length} accounts`;
  return `nothing was tried before wave ${currentWave(ledger)}: ${who} vanished or changed since the plan`;
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
export const unacceptedOf = (ledger: Ledger): string[] => namesOf(mustBeAccepted(ledger));

const namesOf = (accounts: readonly RolloutAccount[]): string[] => accounts.map(({ name }) => name);
