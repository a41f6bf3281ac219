// `lock show`: who holds the lock of an account, and what the remote allows.
import { probeRemote } from '../../read/remote/probe.ts';
import type { Remote } from '../../read/remote/remoteRefs.ts';
import { lockJson, lockText } from '../../report/lockText.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { foundElsewhere, tellSilent } from '../otherRemotes.ts';
import { lockOrStop, type OwnLock, withOwnLock } from './ownLock.ts';

/** The flags of `lock show`. */
export interface ShowFlags {
  readonly format: 'text' | 'json';
  /** Whether to try what the remote allows. */
  readonly check?: boolean;
}

/** Prints who holds the lock. Resolves to the exit code; throws a `Stop`. */
export async function showLock(path: string, flags: ShowFlags, io: Io): Promise<number> {
  return withOwnLock(path, io, async own => {
    const { account, lock, remote } = own;
    const found = await foundElsewhere(remote, { account, writesFor: path }, io);
    tellSilent(found, io);
    const elsewhere = found.overlooked.map(({ stop: { message, lines }, held, ...rest }) => ({
      ...rest,
      message,
      lines,
      record: held?.record,
    }));
    const shown = {
      account,
      ref: lock.ref,
      remote: remote.name,
      lock: await lockOrStop(own),
      elsewhere,
    };
    io.stdout.write(flags.format === 'json' ? lockJson(shown) : lockText(shown));
    return flags.check ? checked(own, io) : EXIT.done;
  });
}

async function checked({ remote }: OwnLock, io: Io): Promise<number> {
  return (await tellRemote(remote, io)) ? EXIT.done : EXIT.refused;
}

/** Tries what a remote allows, and prints it. Resolves to whether the lock can be there. */
export async function tellRemote(remote: Remote, io: Io): Promise<boolean> {
  const { read, create, replace, remove, left } = await probeRemote(remote, io.now());
  const rows = [
    ['reads refs/meshform-*', read],
    ['creates a ref', create],
    ['replaces a ref', replace],
    ['removes a ref', remove],
  ] as const;
  say(io.stderr, '');
  say(io.stderr, `The remote ${remote.name}:`);
  for (const [what, why] of rows)
    say(io.stderr, why === null ? `  yes  ${what}` : `  no   ${what}: ${why}`);
  if (left !== null) say(io.stderr, `  left behind: ${left}`);
  // On a remote that does not delete refs, the lock is marked as free, and a journal follows from the previous one.
  const works = read === null && create === null;
  say(
    io.stderr,
    works
      ? '`lock: git` works with this remote.'
      : '`lock: git` does not work with this remote: use `--lock file`, or ask for the right to push refs/meshform-*.',
  );
  return works;
}
