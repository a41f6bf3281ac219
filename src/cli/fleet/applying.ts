// `fleet apply`: carries out the saved plans of a fleet, wave by wave, or continues a rollout.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { HeldRollout } from '../../apply/fleet/holdRollout.ts';
import type { WriteResult } from '../../apply/fleet/ledgerWriter.ts';
import type { PlaceChoice } from '../../apply/secrets/places.ts';
import { unacceptedOf, whyStopped } from '../../fleet/rollout/next.ts';
import { abandon, accept, complete, isCannot } from '../../fleet/rollout/transitions.ts';
import type { Allowance } from '../../model/allowance.ts';
import type { Ledger, Shard } from '../../model/rollout.ts';
import { quoted } from '../../model/text/visible.ts';
import type { JsonObject } from '../../model/value.ts';
import { loadSchemas } from '../../pipeline/schemas.ts';
import { withRememberedSettings } from '../../read/git/rememberedAnswers.ts';
import { jointListings } from '../../read/remote/jointListings.ts';
import { jointPushes } from '../../read/remote/jointPushes.ts';
import { notPlanned, withoutPlan } from '../../report/fleet/rolloutStatus.ts';
import { counted } from '../../report/text/summary.ts';
import { type RolloutEvent, rolloutBody } from '../../watch/rolloutMessage.ts';
import { applySaved } from '../apply/applySaved.ts';
import { resumeJournal } from '../apply/resuming.ts';
import { refuseUnapproved } from '../apply/unapproved.ts';
import { senderFor } from '../drift/notifying.ts';
import { EXIT } from '../exitCodes.ts';
import type { FleetServerFlags } from '../flags/fleetFlags.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';
import { type FleetRun, fleetRun, forAccount, type Ran } from './eachAccount.ts';
import { fleetOrStop, type OpenFleet, openFleet } from './fleetFiles.ts';
import { planAccount } from './planAccounts.ts';
import { planFlagsAfter, planFlagsIn } from './planFlags.ts';
import { DATABASE_URL } from './queues.ts';
import { type AccountWork, type RollingOut, type RolloutEnd, rollOut } from './rollingOut.ts';
import { tellAccount, tellEnd } from './rolloutLines.ts';
import { type Rollouts, withRollouts } from './rollouts.ts';
import { planFileIn, planIndexIn, readPlans } from './savedPlans.ts';

/** The flags of `fleet apply`. */
export interface ApplyFleetFlags extends FleetServerFlags {
  readonly digest?: string;
  readonly yes?: boolean;
  readonly atOnce: number;
  readonly continue?: boolean;
  readonly accept?: readonly string[];
  /** Why the rollout is abandoned. */
  readonly abandon?: string;
  readonly allow?: readonly Allowance[];
  readonly recordBase?: boolean;
  readonly secretsTo?: PlaceChoice;
  readonly wait?: number;
  readonly onError: 'continue' | 'stop';
  readonly shard?: Shard;
  readonly notify?: boolean;
  readonly notifyUrlFile?: string;
  /** Whether workers carry the rollout out. */
  readonly queue?: boolean;
  /** The database of the queue. */
  readonly database?: string;
}

/** The plans of a rollout, and how they are applied. */
interface ApprovedPlans {
  /** The folder with the saved plans, if this machine has it. */
  readonly folder: string | undefined;
  /** The flags with which the plans were made. */
  readonly planFlags: JsonObject;
  readonly flags: ApplyFleetFlags;
}

/** The work of a rollout on the accounts, on this machine. */
export function accountWork(
  run: FleetRun & { readonly fleet: OpenFleet },
  { folder, planFlags, flags }: ApprovedPlans,
  io: Io,
): AccountWork {
  const { tools, fleet } = run;
  const byName = new Map(fleet.accounts.map(account => [account.name, account]));
  const made = { ...flags, ...planFlagsIn(planFlags) };
  const recordBase = made.recordBase === true || flags.recordBase === true;
  const allow = [...(planFlagsIn(planFlags).allow ?? []), ...(flags.allow ?? [])];
  const runFlags = { yes: true, format: 'text', extent: {}, lock: 'git' } as const;
  const applying = { flags: { ...made, allow, recordBase, ...runFlags }, io };
  return {
    accountOf: name => byName.get(name),
    planOf: async (name, digest) => {
      if (folder === undefined) return null;
      const text = await readFile(planFileIn(resolve(io.cwd, folder), name), 'utf8').catch(
        () => null,
      );
      return text?.includes(digest) ? text : null;
    },
    plan: account => forAccount(run, account, { flags: made, io }, planAccount(run)),
    look: account => {
      const after = { ...flags, ...planFlagsAfter(planFlags) };
      return forAccount(run, account, { flags: after, io }, planAccount(run));
    },
    apply: (account, { text, digest }) =>
      forAccount(run, account, applying, ({ own, flags: given }) =>
        applySaved(tools, { text, isPiped: false, file: account.name }, { ...given, digest }, own),
      ),
    resume: (account, digest) =>
      forAccount(run, account, applying, ({ own, path, flags: given }) =>
        resumeJournal(tools, { resume: true, path, ofPlan: digest }, { ...given, digest }, own),
      ),
  };
}

/** Carries out the plans in a folder, or continues the open rollout of a fleet file; resolves to the exit code. */
export async function applyFleet(path: string, flags: ApplyFleetFlags, own: Io): Promise<number> {
  // The locks, journals and bases of all accounts go to the remote together with the ledger, and are listed together.
  const io: Io = { ...own, joint: { joined: jointPushes(), listedTogether: jointListings() } };
  const folder = existsSync(resolve(io.cwd, planIndexIn(path))) ? path : undefined;
  const isContinued = flags.continue === true || flags.abandon !== undefined;
  refuseFlags(path, { folder, isContinued }, flags);
  if (folder !== undefined && !isContinued)
    await refuseUnapproved(planIndexIn(folder), { what: 'a saved plan', digest: flags.digest }, io);
  const send = await senderFor(flags, io);
  const saved = folder === undefined ? undefined : await readPlans(folder, flags.digest, io);
  if (flags.queue === true) {
    const { queueFleet } = await import('./queueing.ts');
    return queueFleet(fleetOrStop(saved?.fleet ?? path, io), saved, flags, io);
  }
  if (!isContinued && io.env[DATABASE_URL]) {
    const { refuseBesideQueued } = await import('./queueing.ts');
    await refuseBesideQueued(fleetOrStop(saved?.fleet ?? path, io), saved, io);
  }
  const tools = loadSchemas();
  const { timeout } = flags;
  const opening = { kinds: tools.kinds, flags: { timeout } };
  const fleet = await openFleet(saved?.fleet ?? path, opening, io);
  return withRollouts(fleet, flags, io, async rollouts => {
    const lost = flags.abandon === undefined ? null : await rollouts.clear();
    if (lost !== null) {
      say(io.stdout, `The rollout is given up, because ${lost}. What was applied stays.`);
      return EXIT.done;
    }
    const { ledger, is: begun } =
      isContinued || saved === undefined
        ? { ledger: await openOrStop(rollouts), is: 'open' }
        : await rollouts.start(saved, flags.shard);
    // If the saved plans belong to another rollout, they are not the plans that were approved for
    // this rollout.
    const ofThis = saved?.digest === ledger.plans ? folder : undefined;
    const part = 1 / (flags.shard?.of ?? 1);
    const run = { ...fleetRun({ tools, fleet }, flags, io, part), fleet };
    const held = await rollouts.hold(ledger.rollout, flags.shard);
    if (flags.abandon !== undefined) return giveUp(held, flags.abandon, io);
    const work = accountWork(run, { folder: ofThis, planFlags: ledger.flags, flags }, io);
    const tell = async (event: RolloutEvent, next: string) =>
      send?.(rolloutBody({ event, ledger: held.ledger(), next, now: io.now() }, redact));
    const redact = (text: string) => io.secrets.redact(text);
    if (!isContinued) tellOthers(ledger, fleet, io);
    if (begun === 'started') await tell('started', 'Wave 1 begins.');
    return carryOut(held, { work, flags, tell }, io);
  });
}

// Prints which accounts of the fleet take no part in a rollout.
function tellOthers(ledger: Ledger, { accounts }: OpenFleet, { stdout }: Io): void {
  const names = accounts.map(({ name }) => name);
  for (const line of [...withoutPlan(ledger), ...notPlanned(ledger, names)]) say(stdout, line);
}

function refuseFlags(
  path: string,
  { folder, isContinued }: { readonly folder: string | undefined; readonly isContinued: boolean },
  flags: ApplyFleetFlags,
): void {
  const { accept: accepted, digest, yes } = flags;
  refuseBesideQueue(flags);
  if (folder === undefined && !isContinued)
    throw new Stop(
      EXIT.usage,
      `${quoted(path)} has no plans of a fleet`,
      'create plans with `meshform fleet plan --out FOLDER`; --continue continues a rollout',
    );
  if (accepted && !isContinued)
    throw new Stop(EXIT.usage, '`--accept` works only with --continue', 'add --continue');
  if (!isContinued && digest === undefined && !yes)
    throw new Stop(
      EXIT.usage,
      'nothing says that these plans were approved',
      'add --digest with the digest that was approved, or --yes',
    );
}

// Refuses flags that the workers would ignore.
function refuseBesideQueue(flags: ApplyFleetFlags): void {
  const { queue, database, shard, secretsTo, notify, notifyUrlFile } = flags;
  if (queue !== true) {
    if (database === undefined) return;
    throw new Stop(EXIT.usage, '`--database` works only with --queue', 'add --queue');
  }
  if (shard !== undefined)
    throw new Stop(
      EXIT.usage,
      '`--queue` does not work with --shard: the workers divide the accounts among themselves',
      'remove one of the two',
    );
  if (secretsTo !== undefined)
    throw new Stop(
      EXIT.usage,
      '`--queue` does not work with --secrets-to: the workers store the secrets',
      'add --secrets-to to `meshform fleet worker`',
    );
  if (notify === true || notifyUrlFile !== undefined)
    throw new Stop(
      EXIT.usage,
      '`--queue` does not work with --notify: this run ends before there is anything to report',
      'ask `meshform fleet status`, or use its --metrics',
    );
}

async function openOrStop(rollouts: Rollouts): Promise<Ledger> {
  const found = await rollouts.open();
  if (found !== null) return found.ledger;
  const hint = 'start one with `meshform fleet apply FOLDER`';
  throw new Stop(EXIT.invalid, 'the fleet has no open rollout', hint);
}

// Ends a rollout without undoing anything. Applied accounts do not change, and the next rollout may
// begin.
async function giveUp(held: HeldRollout, why: string, io: Io): Promise<number> {
  const ended = await held.finish(abandon(why, io.now()));
  if (ended.is !== 'done') {
    await held.release();
    throw new Stop(EXIT.refused, `the rollout is not ended: ${whyNotWritten(ended)}`, 'try again');
  }
  const { rollout, accounts } = held.ledger();
  const waiting = accounts.filter(({ state }) => state === 'waiting').length;
  say(io.stdout, `The rollout ${rollout} is given up; ${counted(waiting, 'account')} not begun.`);
  return EXIT.done;
}

async function carryOut(
  held: HeldRollout,
  {
    work,
    flags,
    tell,
  }: {
    readonly work: AccountWork;
    readonly flags: ApplyFleetFlags;
    readonly tell: (event: RolloutEvent, next: string) => Promise<void>;
  },
  io: Io,
): Promise<number> {
  let isInterrupted = false;
  const stopAsking = io.onInterrupt(() => {
    isInterrupted = true;
  });
  const stopRenewing = io.every?.(held.renewEvery, () => void held.renew());
  try {
    await goOn(held, flags, io);
    const rolling = {
      work,
      atOnce: flags.atOnce,
      now: io.now,
      isInterrupted: () => isInterrupted,
      onAccount: (name: string, ran: Ran<unknown>) => tellAccount(name, ran, held.ledger(), io),
    };
    const end = await rollOutAmongShards(held, rolling, flags.shard, io);
    const closed = end.is === 'done' ? await close(held, io) : null;
    if (end.is !== 'done' && end.is !== 'lost') await held.release();
    if (closed?.is === 'closed') await tell('finished', 'Nothing is left to do.');
    if (isStoppedBy(held, end)) await tell('stopped', `Stopped: ${end.why}.`);
    const code = tellEnd(end, held.ledger(), io);
    if (closed?.is !== 'open') return code;
    say(
      io.stdout,
      `The rollout could not be closed: ${closed.why}. No other rollout may begin: continue with \`meshform fleet apply --continue\`.`,
    );
    return EXIT.incomplete;
  } finally {
    stopRenewing?.();
    stopAsking();
  }
}

// Whether an account of this run stopped the rollout, or no account did. A shard without the
// account that stopped the rollout sends no notification.
const isStoppedBy = (
  { isOwn }: HeldRollout,
  end: RolloutEnd,
): end is Extract<RolloutEnd, { is: 'stopped' }> =>
  end.is === 'stopped' && (end.unhealthy.length === 0 || end.unhealthy.some(name => isOwn(name)));

/** Whether a rollout is closed: by this run, by another shard, or not yet. */
type Closed =
  | { readonly is: 'closed' | 'elsewhere' }
  | { readonly is: 'open'; readonly why: string };

// Closes a rollout in which nothing remains to be done, so that the next rollout may begin.
async function close(held: HeldRollout, { now }: Io): Promise<Closed> {
  const finished = await held.finish(complete(now()));
  if (finished.is === 'done') return { is: finished.hasClosed ? 'closed' : 'elsewhere' };
  await held.release();
  return isCannot(finished) ? { is: 'elsewhere' } : { is: 'open', why: whyNotWritten(finished) };
}

// Why the ledger could not be written, in words that follow a colon.
function whyNotWritten(written: Exclude<WriteResult, { readonly is: 'done' }>): string {
  if (isCannot(written)) return written.cannot;
  return 'why' in written ? written.why : 'its refs moved';
}

// Carries out the rollout. A shard that waits for other shards continues after they have applied
// their accounts.
async function rollOutAmongShards(
  held: HeldRollout,
  rolling: RollingOut,
  shard: Shard | undefined,
  io: Io,
): Promise<RolloutEnd> {
  let looks = 0;
  for (;;) {
    const end = await withRememberedSettings(() => rollOut(held, rolling));
    // Other shards carry out the accounts for which this shard waits, or are about to begin: the
    // jobs of a matrix do not start at the same time.
    if (end.is !== 'others' || shard === undefined || rolling.isInterrupted()) return end;
    looks = end.dead.length + end.postponed.length > 0 ? looks + 1 : 0;
    if (looks > LOOKS_FOR_DEAD) return end;
    await io.sleep(LOOKS_EVERY);
    const seen = await held.look();
    if ('refused' in seen) return end;
  }
}

/** How often a shard checks the progress of the other shards, in milliseconds. */
const LOOKS_EVERY = 5000;

/**
 * How many checks a shard makes before it ends, if nobody carries out the shard for which it waits:
 * about three minutes.
 */
const LOOKS_FOR_DEAD = 36;

// Continues a stopped rollout. The user must first name each unhealthy account with `--accept`.
async function goOn(held: HeldRollout, { accept: names = [] }: ApplyFleetFlags, io: Io) {
  const ledger = held.ledger();
  if (names.length === 0 && whyStopped(ledger) === null) return;
  if (names.length === 0 && unacceptedOf(ledger).length > 0) return;
  const accepted = await held.change(accept(names, { at: io.now() }));
  if (accepted.is === 'done') return;
  await held.release();
  throw new Stop(
    EXIT.refused,
    `the rollout cannot continue: ${whyNotWritten(accepted)}`,
    'name each account that is not healthy with --accept NAME: `meshform fleet status` lists them',
  );
}
