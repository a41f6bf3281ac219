// `lock hold`, `lock release` and `lock break`: change the lock of an account for a person.
import { breakLock, holdLock, type Managed, releaseHold } from '../../apply/lock/manageLock.ts';
import type { RemoteTrouble, SeenLock } from '../../apply/lock/remoteLock.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import { holderText } from '../../report/lockText.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { foundElsewhere, tellAsNote } from '../otherRemotes.ts';
import { refusePathForRun } from '../pathForRun.ts';
import { Stop } from '../stop.ts';
import { heldEndsOf } from './heldEnds.ts';
import { fetchedFromStop } from './otherFetchAddress.ts';
import { refuseOtherAccount } from './ownAccount.ts';
import { type OwnLock, unreadLock, withOwnLock } from './ownLock.ts';

/** The flags of `lock hold`. */
export interface HoldFlags {
  readonly reason?: string;
  /** In RFC 3339. */
  readonly until?: string;
}

/** Holds the lock. Resolves to the exit code; throws a `Stop`. */
export async function hold(path: string, { reason, until }: HoldFlags, io: Io): Promise<number> {
  if (reason === undefined)
    throw new Stop(EXIT.usage, 'a hold needs a reason', 'add --reason TEXT');
  if (until !== undefined && Date.parse(until) <= io.now())
    throw new Stop(EXIT.usage, `--until ${until} is in the past`, 'give a time in the future');
  return withOwnLock(path, io, async own => {
    const { lock, clocks } = own;
    await refuseOtherAccount(path, own.account, io);
    await refuseOverlooked(path, own, io);
    const record = { ...(await own.holder()), reason, ...(until !== undefined && { until }) };
    endOrStop(await holdLock(lock, record, clocks), own);
    const end =
      until === undefined ? `until \`meshform lock release ${shellWord(path)}\`` : `until ${until}`;
    say(
      io.stderr,
      `The account ${own.account} is held at the remote ${quoted(own.remote.name)} ${end}: no apply starts, and no machine takes the lock over.`,
    );
    for (const line of await heldEndsOf(path, record, io)) say(io.stderr, line);
    return EXIT.done;
  });
}

/** Ends a hold. Resolves to the exit code; throws a `Stop`. */
export async function release(path: string, io: Io): Promise<number> {
  return withOwnLock(path, io, async own => {
    await endAtFetched(await releaseHold(own.lock, own.clocks), own);
    const stops = await stopsElsewhere(path, own, io);
    const then = stops.length === 0 ? ': applies may start' : '';
    say(
      io.stderr,
      `The account ${own.account} is not held any more at the remote ${quoted(own.remote.name)}${then}.`,
    );
    for (const stop of stops) tellAsNote(stop, io);
    return EXIT.done;
  });
}

/** Breaks the lock of a run. Resolves to the exit code; throws a `Stop`. */
export async function breakRun(run: string, path: string, io: Io): Promise<number> {
  refusePathForRun(run, path, { command: 'lock break', io });
  return withOwnLock(path, io, async own => {
    const { sleep } = io;
    const broken = await breakLock(own.lock, run, { clocks: own.clocks, sleep }, (found, wait) => {
      say(
        io.stderr,
        `Watching the lock for ${Math.ceil(wait / 1000)} s, to see whether its run renews it:`,
      );
      io.stderr.write(holderText(found.record, found.commit));
    });
    await endAtFetched(broken, own);
    say(
      io.stderr,
      `The lock is broken. Continue the run with \`meshform apply ${shellWord(path)} --resume\`, or apply again.`,
    );
    return EXIT.done;
  });
}

/**
 * Throws a `Stop` if the hold would not stop the applies of others, because these use another
 * remote of the clone. An unfinished apply at another remote does not prevent a hold.
 */
async function refuseOverlooked(path: string, { account, remote }: OwnLock, io: Io): Promise<void> {
  const { overlooked } = await foundElsewhere(remote, { account, writesFor: path }, io);
  const first = overlooked.find(({ is }) => is !== 'apply');
  if (first !== undefined) throw first.stop;
  const stop = await fetchedFromStop(remote, account);
  if (stop !== null) throw stop;
}

/**
 * What still stops an apply at other remotes of the clone, or in the repository from which git
 * fetches.
 */
async function stopsElsewhere(
  path: string,
  { account, remote }: OwnLock,
  io: Io,
): Promise<readonly Stop[]> {
  const { overlooked } = await foundElsewhere(remote, { account, writesFor: path }, io);
  const fetched = await fetchedFromStop(remote, account);
  return [...overlooked.map(({ stop }) => stop), ...(fetched === null ? [] : [fetched])];
}

// If the repository to which git pushes lacks a lock, the repository from which git fetches may
// have it.
async function endAtFetched(managed: Managed, own: OwnLock): Promise<void> {
  const stop = managed.is === 'not-held' ? await fetchedFromStop(own.remote, own.account) : null;
  if (stop !== null) throw stop;
  endOrStop(managed, own);
}

function endOrStop(managed: Managed, own: OwnLock): void {
  const stop = stopOf(managed, own);
  if (stop !== null) throw stop;
}

// The return type forces this function to handle every result. An unhandled result would count as
// success.
function stopOf(managed: Managed, own: OwnLock): Stop | null {
  const { account, remote } = own;
  switch (managed.is) {
    case 'done':
      return null;
    case 'taken':
      return managed.by.record === null ? notOurs(managed.by, account) : takenStop(managed.by, own);
    case 'renewed':
      return new Stop(
        EXIT.refused,
        'the run renews its lock, so it is alive:',
        'wait until it ends, or end it where it runs',
        linesOf(managed.by),
      );
    case 'not-held':
      if (managed.found?.record === null) return notOurs(managed.found, account);
      return notHeldStop(managed.found, account);
    case 'unread':
      return unreadLock(remote, managed.trouble);
    case 'refused':
      return new Stop(EXIT.refused, ...sentenceOf(remote, 'was not changed', managed.trouble));
    case 'unsure': {
      const { isUnasked, trouble } = managed;
      const what = isUnasked ? 'may have been changed' : 'was not changed';
      return new Stop(EXIT.failed, ...sentenceOf(remote, what, trouble));
    }
  }
}

function takenStop(by: SeenLock, { path, account }: OwnLock): Stop {
  const folder = shellWord(path);
  if (by.record?.is === 'hold')
    return new Stop(
      EXIT.refused,
      `the account ${account} is held on purpose already:`,
      `end that hold with \`meshform lock release ${folder}\``,
      linesOf(by),
    );
  return new Stop(
    EXIT.refused,
    `a run holds the lock of the account ${account}:`,
    `wait until it ends; if its machine is gone, run \`meshform lock break RUN ${folder}\``,
    linesOf(by),
  );
}

function notHeldStop(found: SeenLock | null, account: string): Stop {
  const hint = 'see who holds it with `meshform lock show FOLDER`';
  if (found === null || found.record?.is === 'free')
    return new Stop(EXIT.refused, `nobody holds the lock of the account ${account}`, hint);
  return new Stop(EXIT.refused, 'that run does not hold the lock:', hint, linesOf(found));
}

type Unfinished = 'was not changed' | 'may have been changed';

/** The message about a lock that a command may not have changed, and the next step. */
const sentenceOf = (
  { name }: OwnLock['remote'],
  what: Unfinished,
  { why, hint }: RemoteTrouble,
): readonly [string, string] => [
  `the lock at the remote ${quoted(name)} ${what}: ${why}`,
  hint ?? NEXT[what],
];

const NEXT: Readonly<Record<Unfinished, string>> = {
  'was not changed': 'see what the remote allows with `meshform lock show FOLDER --check`',
  'may have been changed': 'see whether it was with `meshform lock show FOLDER`',
};

const notOurs = ({ commit, untouchable }: SeenLock, account: string): Stop =>
  new Stop(
    EXIT.refused,
    untouchable?.why ??
      `the lock of the account ${account} was not written by meshform: it is ${commit}`,
    untouchable?.hint ??
      `if nobody needs it, remove it with \`meshform lock break ${commit} FOLDER\``,
  );

const linesOf = ({ record }: SeenLock): readonly string[] =>
  holderText(record).trimEnd().split('\n');
