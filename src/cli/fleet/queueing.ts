// `fleet apply --queue` and `fleet schedule`: give jobs to the workers of a fleet and show the
// progress.
import type { WriteResult } from '../../apply/fleet/ledgerWriter.ts';
import { unacceptedOf, whyStopped } from '../../fleet/rollout/next.ts';
import { abandon, accept, type Transition } from '../../fleet/rollout/transitions.ts';
import { identityOf, type SavedFleet } from '../../fleet/savedFleet.ts';
import type { Allowance } from '../../model/allowance.ts';
import type { Ledger } from '../../model/rollout.ts';
import { jobsAgain } from '../../queue/advance.ts';
import type { DeadLetter } from '../../queue/jobs.ts';
import {
  changeLedger,
  ledgersIn,
  ledgerWith,
  openLedger,
  othersIn,
  startLedger,
} from '../../queue/ledgers.ts';
import { type KnownWorker, workersOf } from '../../queue/workers.ts';
import { counted } from '../../report/text/summary.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';
import { type FleetFile, fleetOrStop } from './fleetFiles.ts';
import { tellMissingFile, withoutFile } from './missingFleetFiles.ts';
import { planFlagsIn, planFlagsOf } from './planFlags.ts';
import {
  DATABASE_URL,
  type DatabaseFlags,
  type FleetQueue,
  queuedOrStop,
  withQueue,
} from './queues.ts';
import { ledgerOf, withRollouts } from './rollouts.ts';

/** The flags of `fleet schedule drift`. */
export interface ScheduleFlags extends DatabaseFlags {
  /** A cron expression. */
  readonly every?: string;
  readonly off?: boolean;
}

/**
 * The flags of `fleet apply --queue`. The flags of the workers determine how accounts are applied.
 */
export interface QueueFlags extends DatabaseFlags {
  readonly continue?: boolean;
  readonly accept?: readonly string[];
  /** Why the rollout is abandoned. */
  readonly abandon?: string;
  readonly allow?: readonly Allowance[];
  readonly recordBase?: boolean;
}

/** Gives saved plans to the workers of a fleet, or lets the workers continue; resolves to the exit code. */
export async function queueFleet(
  fleet: FleetFile,
  saved: (SavedFleet & { readonly digest: string }) | undefined,
  flags: QueueFlags,
  io: Io,
): Promise<number> {
  // A rollout that runs without the queue also counts as an open rollout.
  await withRollouts(fleet, {}, io, async ({ open, refuseTaken }) => {
    const other = await open();
    if (other !== null) queuedOrStop({ refused: 'rollout-open', ledger: other.ledger });
    if (saved !== undefined) await refuseTaken(saved.plans.map(identityOf));
  });
  return withQueue(fleet, flags, io, async queue => {
    if (flags.abandon !== undefined) return giveUp(queue, { fleet, why: flags.abandon }, io);
    if (flags.continue === true || saved === undefined) return goOn(queue, { ...flags, fleet }, io);
    const { ledger } = queuedOrStop(
      await startLedger(queue.table, ledgerFor(saved, flags, { queue, io })),
    );
    const { length } = ledger.accounts;
    say(
      io.stdout,
      `Rollout ${ledger.rollout} of ${counted(length, 'account')} is left to the workers.`,
    );
    say(io.stdout, '`meshform fleet status` shows its progress.');
    return EXIT.done;
  });
}

/**
 * Refuses to begin a rollout of saved plans without the queue while the queue has a rollout of the
 * fleet or of one of the accounts. If the database does not answer, this is reported, but the
 * command continues.
 */
export async function refuseBesideQueued(
  fleet: FleetFile,
  saved: SavedFleet | undefined,
  io: Io,
): Promise<void> {
  try {
    await withQueue(fleet, {}, io, async ({ table, path }) => {
      const found = await openLedger(table, path);
      if (found !== null) {
        const { ledger } = queuedOrStop(found);
        queuedOrStop({ refused: 'rollout-open', ledger, isQueued: true });
      }
      const accounts = (saved?.plans ?? []).map(identityOf);
      const taken = await ledgerWith(table, { fleet: path, accounts });
      if (taken !== null) queuedOrStop(taken);
    });
  } catch (error) {
    if (!(error instanceof Stop) || error.code !== EXIT.environment) throw error;
    say(
      io.stderr,
      `note: an open rollout in the queue of ${DATABASE_URL} would not be seen: ${error.message}`,
    );
  }
}

// The ledger of a new rollout. The workers apply with the accepted hazards and the `--record-base`
// of the user who starts the rollout.
function ledgerFor(
  saved: SavedFleet & { readonly digest: string },
  { allow = [], recordBase }: QueueFlags,
  { queue, io }: { readonly queue: FleetQueue; readonly io: Io },
): Ledger {
  const made = planFlagsIn(saved.flags);
  const flags = planFlagsOf({
    ...(made as Parameters<typeof planFlagsOf>[0]),
    allow: [...(made.allow ?? []), ...allow],
    ...(recordBase === true && { recordBase }),
  });
  return ledgerOf({ ...saved, flags }, queue.path, io);
}

async function openOrStop(queue: FleetQueue, fleet: FleetFile, io: Io): Promise<Ledger> {
  const found = await openOrTold(queue, fleet, io);
  if (found !== null) return found;
  throw new Stop(
    EXIT.invalid,
    'the queue has no open rollout of the fleet',
    'start one with `meshform fleet apply FOLDER --queue`',
  );
}

// The ledger of the open rollout of the fleet file. If there is none, prints notes about open
// rollouts whose fleet file may have been renamed.
async function openOrTold(
  { table, path }: FleetQueue,
  fleet: FleetFile,
  io: Io,
): Promise<Ledger | null> {
  const found = await openLedger(table, path);
  if (found !== null) return queuedOrStop(found).ledger;
  const others = await othersIn(table, path);
  for (const ledger of withoutFile(others, fleet)) tellMissingFile(ledger, io, true);
  return null;
}

// Abandons a rollout. Accounts in progress are completed, because a plan should not be interrupted.
// No further account begins.
async function giveUp(
  queue: FleetQueue,
  { fleet, why }: { readonly fleet: FleetFile; readonly why: string },
  io: Io,
): Promise<number> {
  const { rollout, accounts } = await openOrStop(queue, fleet, io);
  const ended = await changeLedger(queue.table, rollout, abandon(why, io.now()));
  if (ended.is !== 'done')
    throw new Stop(EXIT.refused, `the rollout is not ended: ${whyNot(ended)}`, 'try again');
  await queue.jobs.buryDead(rollout);
  const waiting = accounts.filter(({ state }) => state === 'waiting').length;
  say(io.stdout, `The rollout ${rollout} is given up; ${counted(waiting, 'account')} not begun.`);
  return EXIT.done;
}

function whyNot(changed: Exclude<WriteResult, { readonly is: 'done' }>): string {
  if (changed.is === 'cannot') return changed.cannot;
  return 'why' in changed ? changed.why : 'somebody else wrote the ledger';
}

async function goOn(
  queue: FleetQueue,
  { accept: names = [], fleet }: QueueFlags & { readonly fleet: FleetFile },
  io: Io,
): Promise<number> {
  const { table, jobs } = queue;
  const ledger = await openOrStop(queue, fleet, io);
  const { rollout } = ledger;
  const isStopped = whyStopped(ledger) !== null;
  const missing = unacceptedOf(ledger).filter(name => !names.includes(name));
  const transition: Transition =
    names.length > 0 || isStopped ? accept(names, { at: io.now() }) : same => same;
  const changed = await changeLedger(table, rollout, transition, statements =>
    jobsAgain(statements, rollout),
  );
  if (changed.is !== 'done')
    throw new Stop(
      EXIT.refused,
      `the rollout cannot continue: ${whyNot(changed)}`,
      missing.length > 0
        ? 'name each account that is not healthy with --accept NAME: `meshform fleet status` lists them'
        : '`meshform fleet status` shows its accounts',
    );
  await jobs.buryDead(rollout);
  say(io.stdout, `The workers continue rollout ${rollout}.`);
  return EXIT.done;
}

/**
 * Makes the workers check for drift on a schedule, or ends the schedule; resolves to the exit code.
 */
export async function scheduleDrift(path: string, flags: ScheduleFlags, io: Io): Promise<number> {
  const { every, off = false } = flags;
  if (off === (every !== undefined))
    throw new Stop(
      EXIT.usage,
      'a schedule takes either an interval or --off',
      'add --every 1h, or only --off to stop the schedule',
    );
  return withQueue(fleetOrStop(path, io), flags, io, async ({ jobs }) => {
    if (every === undefined) await jobs.unschedule();
    else await jobs.schedule(every);
    say(
      io.stdout,
      every === undefined ? 'Drift is no longer checked on a schedule.' : `Drift: ${every}`,
    );
    return EXIT.done;
  });
}

/** The ledgers of all rollouts in the queue, open and finished. */
export const queuedLedgers = (
  fleet: FleetFile,
  flags: DatabaseFlags,
  io: Io,
): Promise<readonly Ledger[]> => withQueue(fleet, flags, io, ({ table }) => ledgersIn(table));

/** The state of a fleet's queue. */
export interface QueueStatus {
  /** The open rollout; null if there is none. */
  readonly ledger: Ledger | null;
  readonly workers: readonly KnownWorker[];
  /** The accounts that need a person: `fleet apply --continue --queue` creates new jobs for them. */
  readonly deadLetters: readonly DeadLetter[];
  /** The cron expression of the scheduled drift checks; undefined without a schedule. */
  readonly drift: string | undefined;
}

/** The current state of the queue of a fleet, for `fleet status`. */
export const queueStatus = (fleet: FleetFile, flags: DatabaseFlags, io: Io): Promise<QueueStatus> =>
  withQueue(fleet, flags, io, async queue => {
    const { jobs, database, path } = queue;
    return {
      ledger: await openOrTold(queue, fleet, io),
      workers: await workersOf(database, path),
      deadLetters: await jobs.deadLetters(),
      drift: await jobs.scheduled(),
    };
  });

/**
 * After this number of seconds without a sign of life, a worker that holds a lock counts as paused
 * or disconnected from the database.
 */
const SILENT_AFTER = 15;

/**
 * The lines about a queue in addition to its rollout: the workers, and the accounts that need a
 * person.
 */
export function queueLines({ workers, deadLetters, drift }: QueueStatus): readonly string[] {
  const silent = workers.filter(one => one.silent > SILENT_AFTER && one.accounts.length > 0);
  return [
    workers.length === 0
      ? 'No worker is running: start one with `meshform fleet worker`.'
      : `${counted(workers.length, 'worker')} on ${[...new Set(workers.map(one => one.machine))].join(', ')}.`,
    ...silent.map(
      one =>
        `A worker on ${one.machine} has been silent for ${Math.round(one.silent)} s, and ${counted(one.accounts.length, 'account')} wait for it: if the worker is paused, end it.`,
    ),
    ...deadLetters.map(
      ({ account, step, why, at }) =>
        `Given up since ${at}: ${step} ${account}: ${why}. To try again: meshform fleet apply --continue --queue`,
    ),
    ...(drift === undefined ? [] : [`Drift is checked on the schedule ${drift}.`]),
  ];
}
