// `lock hold`, `lock release` and `lock break`: the commands with which people change the lock of an account.
import { breakLock, holdLock, type Managed, releaseHold } from '../../apply/lock/manageLock.ts';
import type { SeenLock } from '../../apply/lock/remoteLock.ts';
import { quoted } from '../../model/text/visible.ts';
import { holderText } from '../../report/lockText.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { foundElsewhere, tellAsNote } from '../otherRemotes.ts';
import { Stop } from '../stop.ts';
import { heldEndsOf } from './heldEnds.ts';
import { type OwnLock, withOwnLock } from './ownLock.ts';

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
    const record = { ...(await own.holder()), reason, ...(until !== undefined && { until }) };
    endOrStop(await holdLock(lock, record, clocks), own);
    const end = until === undefined ? 'until `meshform lock release`' : `until ${until}`;
    say(
      io.stderr,
      `The account ${own.account} is held ${end}: no apply starts, and no machine takes the lock over.`,
    );
    for (const line of await heldEndsOf(path, record, io)) say(io.stderr, line);
    return EXIT.done;
  });
}

/** Ends a hold. Resolves to the exit code; throws a `Stop`. */
export async function release(path: string, io: Io): Promise<number> {
  return withOwnLock(path, io, async own => {
    endOrStop(await releaseHold(own.lock, own.clocks), own);
    say(io.stderr, `The account ${own.account} is not held any more: applies may start.`);
    await tellElsewhere(path, own, io);
    return EXIT.done;
  });
}

/** Breaks the lock of a run. Resolves to the exit code; throws a `Stop`. */
export async function breakRun(run: string, path: string, io: Io): Promise<number> {
  return withOwnLock(path, io, async own => {
    const { sleep } = io;
    const broken = await breakLock(own.lock, run, { clocks: own.clocks, sleep }, (found, wait) => {
      say(
        io.stderr,
        `Watching the lock for ${Math.ceil(wait / 1000)} s, to see whether its run renews it:`,
      );
      io.stderr.write(holderText(found.record, found.commit));
    });
    endOrStop(broken, own);
    say(
      io.stderr,
      `The lock is broken. Continue the run with \`meshform apply --resume\`, or apply again.`,
    );
    return EXIT.done;
  });
}

/** Prints which locks and bases at other remotes of the clone still stop an apply. */
async function tellElsewhere(path: string, { account, remote }: OwnLock, io: Io): Promise<void> {
  const found = await foundElsewhere(remote, { account, writesFor: path }, io);
  for (const { stop } of found.overlooked) tellAsNote(stop, io);
}

function endOrStop(managed: Managed, { account, remote }: OwnLock): void {
  switch (managed.is) {
    case 'done':
      return;
    case 'taken': {
      if (managed.by.record === null) throw notOurs(managed.by, account);
      const isHold = managed.by.record?.is === 'hold';
      throw new Stop(
        EXIT.refused,
        isHold
          ? `the account ${account} is held on purpose already:`
          : `a run holds the lock of the account ${account}:`,
        isHold
          ? 'end that hold with `meshform lock release`'
          : 'wait until it ends; if its machine is gone, run `meshform lock break RUN`',
        linesOf(managed.by),
      );
    }
    case 'renewed':
      throw new Stop(
        EXIT.refused,
        'the run renews its lock, so it is alive:',
        'wait until it ends, or end it where it runs',
        linesOf(managed.by),
      );
    case 'not-held':
      if (managed.found?.record === null) throw notOurs(managed.found, account);
      throw new Stop(
        EXIT.refused,
        managed.found === null || managed.found.record?.is === 'free'
          ? `nobody holds the lock of the account ${account}`
          : 'that run does not hold the lock:',
        'see who holds it with `meshform lock show`',
        managed.found === null || managed.found.record?.is === 'free' ? [] : linesOf(managed.found),
      );
    case 'failed':
      throw new Stop(
        EXIT.failed,
        `the lock at the remote ${quoted(remote.name)} was not changed: ${managed.why}`,
        managed.hint ?? 'see what the remote allows with `meshform lock show --check`',
      );
  }
}

const notOurs = ({ commit, untouchable }: SeenLock, account: string): Stop =>
  new Stop(
    EXIT.refused,
    untouchable?.why ??
      `the lock of the account ${account} was not written by meshform: it is ${commit}`,
    untouchable?.hint ?? `if nobody needs it, remove it with \`meshform lock break ${commit}\``,
  );

const linesOf = ({ record }: SeenLock): readonly string[] =>
  holderText(record).trimEnd().split('\n');
