// Carries out a rollout: applies the accounts of a wave, checks them after the watch time, and continues with the next wave. All
// decisions come from the ledger.

import type { HeldRollout } from '../../apply/fleet/holdRollout.ts';
import type { Written } from '../../apply/fleet/ledgerWriter.ts';
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
import { changesOfAccount } from '../../report/drift/drift.ts';
import type { SavedPlan } from '../../report/plan/savedPlan.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import type { Ran } from './eachAccount.ts';

/** The work on one account. Each run is independent, and never throws. */
export interface AccountWork {
  /** The account in the fleet as it is now; undefined if it vanished. */
  readonly accountOf: (name: string) => FleetAccount | undefined;
  /** The text of its approved plan; null if this machine does not have it. */
  readonly planOf: (name: string, digest: string) => Promise<string | null>;
  readonly plan: (account: FleetAccount) => Promise<Ran<SavedPlan>>;
  /** Applies a plan; resolves to its exit code. */
  readonly apply: (
    account: FleetAccount,
    plan: { readonly text: string; readonly digest: string },
  ) => Promise<Ran<number>>;
  /** Goes on with the apply of a plan that was not seen to end, or finds that it was complete; `refused` says if nothing was begun. */
  readonly resume: (account: FleetAccount, digest: string) => Promise<Ran<number>>;
  /** A plan of what is left to do, which must be empty. */
  readonly look: (account: FleetAccount) => Promise<Ran<SavedPlan>>;
}

/** How a rollout is carried out. */
export interface RollingOut {
  readonly work: AccountWork;
  /** How many accounts are applied at a time. */
  readonly atOnce: number;
  readonly now: Io['now'];
  /** Whether no account may begin any more, because somebody interrupted the run. */
  readonly isInterrupted: () => boolean;
  /** Is called with everything that a run for an account has printed. */
  readonly onAccount?: (name: string, ran: Ran<unknown>) => void;
  /** Is called with an account that waits for somebody else. */
  readonly onPostponed?: (name: string) => void;
}

/** How the work on one account is done. */
type WorkingOn = Pick<RollingOut, 'work' | 'now' | 'onAccount' | 'onPostponed'>;

/** Why a run ends: the step for which it has nothing to do, or that it lost the rollout. */
export type RolloutEnd =
  | Exclude<RolloutStep, { readonly is: 'apply' | 'check' | 'others' }>
  /** `postponed`: those that could not begin, or be looked at, because of somebody else. */
  | (Extract<RolloutStep, { readonly is: 'others' }> & { readonly postponed: readonly string[] })
  | { readonly is: 'interrupted' }
  | { readonly is: 'lost'; readonly why: string };

/** Carries out all that can be done now. */
export async function rollOut(held: HeldRollout, rolling: RollingOut): Promise<RolloutEnd> {
  // What could not begin because of somebody else is left to the next run.
  const later = new Set<string>();
  const onPostponed = (name: string) => later.add(name);
  for (;;) {
    const { isDead } = held;
    const isOwn = (name: string) => held.isOwn(name) && !later.has(name);
    if (rolling.isInterrupted()) return { is: 'interrupted' };
    const step = nextStep(held.ledger(), { now: rolling.now(), isOwn, isDead });
    if (step.is === 'others')
      return { ...step, postponed: step.accounts.filter(name => later.has(name)) };
    if (step.is !== 'apply' && step.is !== 'check') return step;
    const why = await together(step.accounts, rolling, name =>
      carryOut(step.is, name, held, { ...rolling, onPostponed }),
    );
    if (why !== null) return { is: 'lost', why };
  }
}

/** Why the run cannot go on; null if it can. */
type Lost = string | null;

/** A rollout as far as the work on one account needs it. */
export type HeldLedger = Pick<HeldRollout, 'runner' | 'ledger' | 'change'>;

/** Applies an account, or looks at it; resolves to why the run lost the rollout, or null. */
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
    // The apply did not end: the next run resumes it.
    if (INTERRUPTED.has(ran.value ?? ran.code)) return null;
    if (isPassing(ran)) {
      onPostponed?.(name);
      // What an earlier run had begun stays begun.
      return wasRunning ? null : lostBy(await held.change(postponed(name, endOf(ran), now())));
    }
    return lostBy(await held.change(ended(name, endOf(ran), now())));
  };
  if (wasRunning) {
    const resumed = await work.resume(account, entry.plan);
    if (!NOTHING_BEGUN.has(resumed.refused ?? '')) return end(resumed);
  }
  const text = await work.planOf(name, entry.plan);
  if (text !== null) {
    const ran = await work.apply(account, { text, digest: entry.plan });
    if (ran.code !== EXIT.stale && ran.value !== EXIT.stale) return end(ran);
  }
  // The account changed while others were watched, or another machine has the plan: one that does the same takes its place.
  const made = await work.plan(account);
  const { value: plan, ...failed } = made;
  // The approved plan may have been carried out, although the ledger does not say so: somebody put it back.
  if (!wasRunning && plan?.contentDigest !== entry.content_digest) {
    const resumed = await work.resume(account, entry.plan);
    if (resumed.value !== undefined) return end(resumed);
  }
  if (plan === undefined) return end(failed);
  const { digest, contentDigest, document } = plan;
  const fresh = { text: jsonText(document), digest };
  // The run that was killed had done everything, and not said so in the ledger: an apply of nothing records the base that it may lack.
  if (wasRunning && plan.plan.changes.length === 0) return end(await work.apply(account, fresh));
  const again = await held.change(
    plannedAgain(name, { plan: digest, content_digest: contentDigest }, now()),
  );
  if (again.is !== 'cannot' && again.is !== 'done') return lostBy(again);
  if (again.is === 'cannot' || entryOf(held, name)?.state !== 'running') return null;
  return end(await work.apply(account, fresh));
}

/** The exit codes of an apply that somebody interrupted. */
const INTERRUPTED: ReadonlySet<number> = new Set([EXIT.interrupted, EXIT.terminated]);

/** What says of the journals of an account that the run which was killed had sent nothing by this plan. */
const NOTHING_BEGUN: ReadonlySet<string> = new Set(['no-run', 'no-journal', 'digest']);

async function checkOne(
  name: string,
  held: HeldLedger,
  { work, now, onAccount, onPostponed }: WorkingOn,
): Promise<Lost> {
  const account = work.accountOf(name);
  if (account === undefined) return lostBy(await held.change(vanished(name)));
  const ran = await work.look(account);
  onAccount?.(name, ran);
  if (isPassing(ran)) {
    onPostponed?.(name);
    return null;
  }
  const isRecorded = held.ledger().flags.recordBase === true;
  return lostBy(await held.change(checked(name, healthOf(ran, isRecorded), now())));
}

/** The refusals behind which is somebody else, or a network: nothing was written, and the same run may succeed later. */
const PASSING: ReadonlySet<string> = new Set([
  'account-locked',
  'account-on-hold',
  'not-waited',
  'remote-unreachable',
]);

/** Whether a run was refused because of somebody else, or of a network. */
export const isPassing = ({ refused }: Ran<unknown>): boolean =>
  refused !== undefined && PASSING.has(refused);

const entryOf = (held: HeldLedger, name: string): RolloutAccount | undefined =>
  held.ledger().accounts.find(one => one.name === name);

// A change that cannot be recorded must not be made: others would not know of it.
function lostBy(changed: Written): Lost {
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

// The files may have changed while the account was watched. If the applies of the rollout record a base, the account is compared
// with that base, and only changes of the account since then count.
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
