// Carries out a rollout: applies the accounts of a wave, checks them after the watch time, and
// continues with the next wave. All decisions come from the ledger.

import type { HeldRollout } from '../../apply/fleet/holdRollout.ts';
import type { WriteResult } from '../../apply/fleet/ledgerWriter.ts';
import { nextStep, type RolloutStep } from '../../fleet/rollout/next.ts';
import {
  type ApplyEnd,
  begin,
  checked,
  ended,
  type Health,
  plannedAgain,
  postponed,
  vanished,
} from '../../fleet/rollout/transitions.ts';
import type { FleetAccount } from '../../model/fleet.ts';
import type { RolloutAccount, RolloutCause } from '../../model/rollout.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { rememberingFiles } from '../../read/git/rememberedAnswers.ts';
import { changesOfAccount } from '../../report/drift/drift.ts';
import type { SavedPlan } from '../../report/plan/savedPlan.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import type { Ran } from './eachAccount.ts';

/** The work on one account. Each run is independent and never throws. */
export interface AccountWork {
  /** Returns the account as the fleet has it now; undefined if it no longer exists. */
  readonly accountOf: (name: string) => FleetAccount | undefined;
  /** Resolves to the text of the account's approved plan; null if this machine does not have the plan. */
  readonly planOf: (name: string, digest: string) => Promise<string | null>;
  readonly plan: (account: FleetAccount) => Promise<Ran<SavedPlan>>;
  /** Applies a plan; resolves to its exit code. */
  readonly apply: (
    account: FleetAccount,
    plan: { readonly text: string; readonly digest: string },
  ) => Promise<Ran<number>>;
  /**
   * Continues the apply of a plan whose end was not recorded, or determines that the apply was
   * complete. `refused` shows whether nothing was begun.
   */
  readonly resume: (account: FleetAccount, digest: string) => Promise<Ran<number>>;
  /** Plans an account again after its apply; the plan must be empty. */
  readonly look: (account: FleetAccount) => Promise<Ran<SavedPlan>>;
}

/** The settings with which a rollout is carried out. */
export interface RollingOut {
  readonly work: AccountWork;
  /** How many accounts are applied at the same time. */
  readonly atOnce: number;
  readonly now: Io['now'];
  /** The words that name the clock behind `now`; by default the clock of this machine. */
  readonly clock?: string;
  /** Returns whether no further account may begin, because somebody interrupted the run. */
  readonly isInterrupted: () => boolean;
  /** Called with the whole output of a run for an account. */
  readonly onAccount?: (name: string, ran: Ran<unknown>) => void;
  /** Called with an account that waits for another user or run. */
  readonly onPostponed?: (name: string) => void;
  /**
   * Called if the clock of this machine is ahead of the clock of a server by this many
   * milliseconds. The difference is so large that no watch time counts as over.
   */
  readonly onAhead?: (by: number) => void;
}

/** The functions that do the work on one account. */
type WorkingOn = Pick<
  RollingOut,
  'work' | 'now' | 'clock' | 'onAccount' | 'onPostponed' | 'onAhead'
>;

/** Why a run ends: the next step contains no work for this run, or the run has lost the rollout. */
export type RolloutEnd =
  | Exclude<RolloutStep, { readonly is: 'apply' | 'check' | 'others' }>
  /**
   * `postponed`: the accounts whose apply could not begin or that could not be checked, because of
   * another user or run.
   */
  | (Extract<RolloutStep, { readonly is: 'others' }> & { readonly postponed: readonly string[] })
  | { readonly is: 'interrupted' }
  /**
   * The clock of this machine is ahead of the clock of a server by this many milliseconds. The
   * difference is so large that no watch time counts as over.
   */
  | { readonly is: 'ahead'; readonly by: number }
  | { readonly is: 'lost'; readonly why: string };

/** Carries out all work that is possible now. Resolves to the reason why the run ends. */
export async function rollOut(held: HeldRollout, rolling: RollingOut): Promise<RolloutEnd> {
  // Accounts whose apply could not begin because of another user or run are left to the next run.
  const later = new Set<string>();
  const onPostponed = (name: string) => later.add(name);
  let ahead = 0;
  const onAhead = (by: number): void => {
    ahead = by;
  };
  for (;;) {
    const { isDead } = held;
    const isOwn = (name: string) => held.isOwn(name) && !later.has(name);
    if (rolling.isInterrupted()) return { is: 'interrupted' };
    const step = nextStep(held.ledger(), { now: rolling.now(), isOwn, isDead });
    if (step.is === 'others')
      return { ...step, postponed: step.accounts.filter(name => later.has(name)) };
    if (step.is !== 'apply' && step.is !== 'check') return step;
    const work = lookingTogether(rolling.work);
    const why = await together(step.accounts, rolling, name =>
      carryOut(step.is, name, held, { ...rolling, work, onPostponed, onAhead }),
    );
    if (ahead > 0) return { is: 'ahead', by: ahead };
    if (why !== null) return { is: 'lost', why };
  }
}

// The same work, whose looks read the files of the checkout once for all accounts of a step.
function lookingTogether(work: AccountWork): AccountWork {
  const remembering = rememberingFiles();
  return { ...work, look: account => remembering(() => work.look(account)) };
}

/** Why the run cannot continue; null if it can. */
type Lost = string | null;

/** The parts of a rollout that the work on an account needs. */
export type HeldLedger = Pick<HeldRollout, 'runner' | 'ledger' | 'change'>;

/** Applies an account, or checks it. Resolves to the reason why the run lost the rollout, or to null. */
export function carryOut(
  step: 'apply' | 'check',
  name: string,
  held: HeldLedger,
  rolling: WorkingOn,
): Promise<string | null> {
  return step === 'apply' ? applyOne(name, held, rolling) : checkOne(name, held, rolling);
}

async function together(
  names: readonly string[],
  { atOnce, isInterrupted }: RollingOut,
  use: (name: string) => Promise<Lost>,
): Promise<Lost> {
  const waiting = [...names];
  let lost: Lost = null;
  const work = async (): Promise<void> => {
    while (lost === null && !isInterrupted()) {
      const name = waiting.shift();
      if (name === undefined) return;
      lost = (await use(name)) ?? lost;
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, names.length) }, work));
  return lost;
}

async function applyOne(
  name: string,
  held: HeldLedger,
  { work, now, onAccount, onPostponed }: WorkingOn,
): Promise<Lost> {
  const entry = entryOf(held, name);
  const account = work.accountOf(name);
  if (entry === undefined) return null;
  if (account === undefined) return lostBy(await held.change(vanished(name)));
  const wasRunning = entry.state === 'running';
  const begun = await held.change(begin(name, held.runner, now()));
  if (begun.is === 'cannot') return null;
  if (begun.is !== 'done') return lostBy(begun);
  const end = async (ran: Ran<number>): Promise<Lost> => {
    onAccount?.(name, ran);
    // The watch time starts here, for runs on other machines too.
    const at = now() + behindBy(ran);
    // The apply was interrupted, so the next run resumes it.
    if (INTERRUPTED.has(ran.value ?? ran.code)) return null;
    if (isPassing(ran)) {
      onPostponed?.(name);
      // If an earlier run had begun the account, it still counts as begun.
      return wasRunning ? null : lostBy(await held.change(postponed(name, endOf(ran), now())));
    }
    return lostBy(await held.change(ended(name, endOf(ran), at)));
  };
  const begunAccount = { account, entry, wasRunning };
  const approved = await approvedRun(begunAccount, work);
  if (approved !== undefined) return end(approved);
  const again = await runPlannedAgain(begunAccount, held, { work, now });
  return 'ran' in again ? end(again.ran) : again.lost;
}

/** An account whose apply has begun. */
interface BegunAccount {
  readonly account: FleetAccount;
  readonly entry: RolloutAccount;
  /** Whether an earlier run had begun the apply. */
  readonly wasRunning: boolean;
}

// Carries out the approved plan: continues the killed run, or applies the saved plan. Undefined if
// neither is possible.
async function approvedRun(
  { account, entry, wasRunning }: BegunAccount,
  work: AccountWork,
): Promise<Ran<number> | undefined> {
  if (wasRunning) {
    const resumed = await work.resume(account, entry.plan);
    if (!NOTHING_BEGUN.has(resumed.refused ?? '')) return resumed;
  }
  const text = await work.planOf(entry.name, entry.plan);
  if (text === null) return undefined;
  const ran = await work.apply(account, { text, digest: entry.plan });
  return ran.code === EXIT.stale || ran.value === EXIT.stale ? undefined : ran;
}

// Plans an account again, because the account changed while others were watched, or because another
// machine has the approved plan. A new plan with the same effect replaces the approved plan.
async function runPlannedAgain(
  { account, entry, wasRunning }: BegunAccount,
  held: HeldLedger,
  { work, now }: Pick<WorkingOn, 'work' | 'now'>,
): Promise<{ readonly ran: Ran<number> } | { readonly lost: Lost }> {
  const made = await work.plan(account);
  const { value: plan, ...failed } = made;
  // The approved plan may have been carried out although the ledger does not show this, if somebody
  // restored an older ledger.
  if (!wasRunning && plan?.contentDigest !== entry.content_digest) {
    const resumed = await work.resume(account, entry.plan);
    if (resumed.value !== undefined) return { ran: resumed };
  }
  if (plan === undefined) return { ran: failed };
  const { digest, contentDigest, document } = plan;
  const fresh = { text: jsonText(document), digest };
  // The killed run had completed the plan but not recorded this in the ledger. An apply without
  // changes records the base if it is missing.
  if (wasRunning && plan.plan.changes.length === 0)
    return { ran: await work.apply(account, fresh) };
  const again = await held.change(
    plannedAgain(entry.name, { plan: digest, content_digest: contentDigest }, now()),
  );
  if (again.is !== 'cannot' && again.is !== 'done') return { lost: lostBy(again) };
  const isRunning = again.is === 'done' && entryOf(held, entry.name)?.state === 'running';
  return isRunning ? { ran: await work.apply(account, fresh) } : { lost: null };
}

/** The exit codes of an apply that somebody interrupted. */
const INTERRUPTED: ReadonlySet<number> = new Set([EXIT.interrupted, EXIT.terminated]);

/**
 * Refusals which prove, from the journals of an account, that the killed run had sent nothing for
 * this plan.
 */
const NOTHING_BEGUN: ReadonlySet<string> = new Set(['no-run', 'no-journal', 'digest']);

async function checkOne(
  name: string,
  held: HeldLedger,
  { work, now, clock = CLOCK, onAccount, onPostponed, onAhead }: WorkingOn,
): Promise<Lost> {
  const account = work.accountOf(name);
  if (account === undefined) return lostBy(await held.change(vanished(name)));
  const ran = await work.look(account);
  const ahead = aheadBy(ran);
  if (ahead > 0 && isWatched(held, name)) {
    onAhead?.(ahead);
    return `${clock} is ${clockWords(ahead)}, so its watch time may not be over`;
  }
  onAccount?.(name, ran);
  if (isPassing(ran)) {
    onPostponed?.(name);
    return null;
  }
  const isRecorded = held.ledger().flags.recordBase === true;
  return lostBy(await held.change(checked(name, healthOf(ran, isRecorded), now())));
}

const CLOCK = 'the clock of this machine';

/** The smallest difference of clocks, in milliseconds, that makes times untrustworthy. */
const MOST_SKEW = 5 * 60_000;

// By how many milliseconds the clock of this machine is ahead of the server, or behind it; 0 for a small difference.
const aheadBy = ({ skew = 0 }: Ran<unknown>): number => (-skew < MOST_SKEW ? 0 : -skew);
const behindBy = ({ skew = 0 }: Ran<unknown>): number => (skew < MOST_SKEW ? 0 : skew);

/** A difference of clocks, in words that follow "the clock … is". */
export const clockWords = (ahead: number): string =>
  `${Math.floor(ahead / 60_000)} minutes ahead of the clock of the server`;

// Whether the wave of an account has a watch time.
function isWatched(held: HeldLedger, name: string): boolean {
  const { waves } = held.ledger();
  const wave = entryOf(held, name)?.wave ?? 0;
  return (waves[wave - 1]?.bake ?? 0) > 0;
}

/** Refusals that another user, another run or the network causes. Nothing was written, and the same run may succeed later. */
const PASSING: ReadonlySet<string> = new Set([
  'account-locked',
  'account-on-hold',
  'not-waited',
  'remote-unreachable',
]);

/** Whether another user, another run or the network caused the refusal of a run. */
export const isPassing = ({ refused }: Ran<unknown>): boolean =>
  refused !== undefined && PASSING.has(refused);

const entryOf = (held: HeldLedger, name: string): RolloutAccount | undefined =>
  held.ledger().accounts.find(one => one.name === name);

// Why the rollout is lost if a change of the ledger cannot be recorded. In that case, the change
// must not be carried out, because other runs would not see it.
function lostBy(changed: WriteResult): Lost {
  switch (changed.is) {
    case 'done':
    case 'cannot':
      return null;
    case 'moved':
      return 'somebody else moved its refs';
    default:
      return changed.why;
  }
}

const CAUSES: Readonly<Record<string, RolloutCause>> = {
  hazards: 'hazards',
  access: 'access-tests',
};

function causeOf({ refused = '' }: Ran<unknown>): Pick<ApplyEnd, 'cause'> {
  const cause = CAUSES[refused];
  return cause ? { cause } : {};
}

function endOf(ran: Ran<number>): ApplyEnd {
  const { value, code, why } = ran;
  const said = why ?? (value ? lastLine(ran) : undefined);
  return { code: value ?? code, ...(said !== undefined && { why: said }), ...causeOf(ran) };
}

// The health of an account after its watch time. The files may have changed in the meantime. If the
// applies of the rollout record a base, the account is compared with that base, and only later
// changes in the account count.
function healthOf(ran: Ran<SavedPlan>, isRecorded: boolean): Health {
  const { value, code, why = 'it could not be read' } = ran;
  if (value === undefined) return { is: 'unhealthy', code, why, ...causeOf(ran) };
  const { plan } = value;
  const hasRecorded = isRecorded && plan.base?.recorded !== undefined;
  const { length } = hasRecorded ? changesOfAccount(plan) : plan.changes;
  if (length === 0) return { is: 'healthy' };
  const changes = length === 1 ? 'a change' : `${length} changes`;
  return { is: 'unhealthy', code: EXIT.changes, why: `a fresh plan has ${changes}` };
}

const lastLine = ({ stdout, stderr }: Ran<unknown>): string | undefined =>
  `${stderr}${stdout}`.trimEnd().split('\n').at(-1)?.trim() || undefined;
