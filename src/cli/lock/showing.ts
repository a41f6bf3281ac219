// `lock show`: shows who holds the lock of an account, and what the remote supports.
import { danglingRefs, type FoundByPush } from '../../apply/lock/danglingRefs.ts';
import { refsInTheWay, sentenceOfRef } from '../../apply/lock/inTheWay.ts';
import { isOnHold } from '../../apply/lock/remoteLock.ts';
import { baseRefsOf } from '../../base/refName.ts';
import { probeRemote } from '../../read/remote/probe.ts';
import { isFault, type Remote, remedyOf } from '../../read/remote/remoteRefs.ts';
import { lockJson, lockText } from '../../report/lockText.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { foundElsewhere, tellSilent } from '../otherRemotes.ts';
import { fetchedFromStop } from './otherFetchAddress.ts';
import { lockOrStop, withOwnLock } from './ownLock.ts';

/** The flags of `lock show`. */
export interface ShowFlags {
  readonly format: 'text' | 'json';
  /** Whether to test what the remote supports. */
  readonly check?: boolean;
}

/** Prints who holds the lock. Resolves to the exit code; throws a `Stop`. */
export async function showLock(path: string, flags: ShowFlags, io: Io): Promise<number> {
  return withOwnLock(path, io, async own => {
    const { account, lock, remote } = own;
    const found = await foundElsewhere(remote, { account, writesFor: path }, io);
    tellSilent(found, io);
    const fetched = await fetchedFromStop(remote, account);
    if (fetched !== null) throw fetched;
    const elsewhere = found.overlooked.map(({ stop: { message, lines }, held, ...rest }) => ({
      ...rest,
      message,
      lines,
      record: held?.record,
    }));
    const now = await lockOrStop(own);
    const shown = {
      account,
      ref: lock.ref,
      remote: remote.name,
      lock: now,
      isOver: now?.record?.is === 'hold' && !isOnHold(now, own.clocks),
      elsewhere,
    };
    io.stdout.write(flags.format === 'json' ? lockJson(shown) : lockText(shown));
    if (!flags.check) return EXIT.done;
    // Findings at other remotes were already printed above.
    const isRefused = found.overlooked.length > 0;
    return (await tellRemote(remote, io, { account, isRefused })) ? EXIT.done : EXIT.refused;
  });
}

function remedyFor(read: string | null, create: string | null): string {
  if (read !== null) return 'make it reachable for git, and check that with `git ls-remote`';
  const known = remedyOf(create ?? '');
  return known ?? 'use `--lock file`, or ask for the right to push refs/meshform-*';
}

/**
 * The account for which a remote is tested, and whether other remotes of the clone cause an apply
 * to be refused.
 */
interface TriedFor {
  readonly account: string;
  readonly isRefused: boolean;
}

const NOTHING_FOUND: FoundByPush = { inTheWay: [], left: [] };

/**
 * Tests what a remote supports, for an account if it is known, and prints the result. Resolves to
 * whether an apply can have its lock there.
 */
export async function tellRemote(
  remote: Remote,
  io: Io,
  { account, isRefused }: Partial<TriedFor> = {},
): Promise<boolean> {
  const bases = account === undefined ? [] : [baseRefsOf(account)];
  const { read, create, replace, remove, left } = await probeRemote(remote, io.now(), bases);
  const found = account === undefined ? [] : await refsInTheWay(remote, account);
  // If refs cannot be removed, the refs that the test pushes would remain.
  const isTried = account !== undefined && create === null && remove === null;
  const pushed = isTried ? await danglingRefs(remote, account, io.now()) : NOTHING_FOUND;
  const all = isFault(found) ? pushed.inTheWay : [...found, ...pushed.inTheWay];
  const inTheWay = all.map(one => sentenceOfRef(one, remote.name));
  const unread = read ?? (isFault(found) ? found.why : null);
  say(io.stderr, '');
  say(io.stderr, `The remote ${remote.name}:`);
  const allowed = { unread, create, replace, remove, inTheWay };
  for (const line of allowedLines(allowed)) say(io.stderr, line);
  const leftBehind = [...(left === null ? [] : [left]), ...pushed.left];
  if (leftBehind.length > 0) say(io.stderr, `  left behind: ${leftBehind.join(', ')}`);
  say(io.stderr, verdictText(allowed, isRefused === true));
  return works(allowed) && isRefused !== true;
}

/** What a remote does not support, with the reasons; null for what it supports. */
interface Allowed {
  readonly unread: string | null;
  readonly create: string | null;
  readonly replace: string | null;
  readonly remove: string | null;
  readonly inTheWay: readonly { readonly why: string; readonly hint: string }[];
}

// Whether the lock works. It also works on a remote that does not delete or replace refs: a free
// lock is marked as free instead of being deleted, and each commit of the journals follows the
// previous commit.
const works = ({ unread, create, inTheWay }: Allowed): boolean =>
  (unread ?? create) === null && inTheWay.length === 0;

function verdictText(allowed: Allowed, isRefused: boolean): string {
  const { unread, create, inTheWay } = allowed;
  if (inTheWay.length > 0) return '`lock: git` does not work with this remote until that is gone.';
  if (!works(allowed))
    return `\`lock: git\` does not work with this remote: ${remedyFor(unread, create)}.`;
  return isRefused
    ? 'The remote allows `lock: git`, but applies are refused because of other remotes of this clone, as said above.'
    : '`lock: git` works with this remote.';
}

function allowedLines({ unread, create, replace, remove, inTheWay }: Allowed): readonly string[] {
  const rows = [
    ['reads refs/meshform-*', unread],
    ['creates a ref', create],
    ['replaces a ref', replace],
    ['removes a ref', remove],
  ] as const;
  return [
    ...rows.map(([what, why]) => (why === null ? `  yes  ${what}` : `  no   ${what}: ${why}`)),
    ...inTheWay.flatMap(({ why, hint }) => [
      `  no   has room for the refs of the account: ${why}`,
      `       ${hint}`,
    ]),
  ];
}
