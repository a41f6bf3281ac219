// Prevents the files of a change from bypassing guards or a hold by choosing another remote. The guards of the last apply are
// known only at the remote that has the base of that apply, and a hold only at the remote with the lock. So a run is refused while
// another remote of the clone has a newer base or a hold.
import { isAhead } from '../apply/lock/accountRefs.ts';
import { baseRefsOf, fetchBases, isBaseRef, pushBases } from '../base/refName.ts';
import { shellWord } from '../model/text/shellWord.ts';
import { quoted } from '../model/text/visible.ts';
import type { GitFault } from '../read/git/runGit.ts';
import {
  fetchRefs,
  isFault,
  type RefCommits,
  type Remote,
  remoteRefs,
} from '../read/remote/remoteRefs.ts';
import { EXIT } from './exitCodes.ts';
import { type Io, say } from './io.ts';
import type { OwnRemote } from './remoteOfClone.ts';
import { Stop } from './stop.ts';
import {
  type AccountUse,
  type OverlookedState,
  refsOfWriters,
  type UnusedRemote,
  writersAt,
} from './writersElsewhere.ts';

/**
 * The time limit of a connection to another remote, in milliseconds. A remote that does not answer
 * is skipped.
 */
const PATIENCE = 10_000;

/**
 * Throws a `Stop` if another remote of the clone has a lock, a base or an unfinished apply that a
 * run with this remote would miss.
 */
export async function refuseOtherRemotes(
  remote: OwnRemote,
  use: AccountUse,
  io: Io,
): Promise<void> {
  const [first] = (await foundElsewhere(remote, use, io)).overlooked;
  if (first !== undefined) throw first.stop;
}

/** The relevant data of an account at the other remotes of a clone. */
export interface FoundElsewhere {
  readonly overlooked: readonly OverlookedState[];
  /** The remotes that do not answer, with the reasons. */
  readonly silent: readonly { readonly name: string; readonly why: string }[];
}

/** Prints the remotes that do not answer. They do not stop the command. */
export function tellSilent({ silent }: Pick<FoundElsewhere, 'silent'>, io: Io): void {
  for (const { name, why } of silent)
    say(
      io.stderr,
      `note: the remote ${quoted(name)} does not answer, so a lock of the account there would not be seen: ${why}; if nobody uses the remote any more, remove it with \`git remote remove ${shellWord(name)}\``,
    );
}

/** Prints a `Stop` as a note, for a command that is not refused. */
export function tellAsNote({ message, hint, lines }: Stop, io: Io): void {
  const text = [`note: ${message}`, ...lines, ...(hint === null ? [] : [`  ${hint}`])];
  for (const line of text) say(io.stderr, line);
}

/**
 * The locks, bases and unfinished applies at other remotes of the clone that a run with this remote
 * would miss.
 */
export async function foundElsewhere(
  remote: OwnRemote,
  use: AccountUse,
  io: Io,
): Promise<FoundElsewhere> {
  const bases = `${baseRefsOf(use.account)}*`;
  const writers = refsOfWriters(use);
  const others = await Promise.all(
    remote.others.map(async name => {
      const other: Remote = { objects: remote.objects, name, patience: PATIENCE };
      const refs = await remoteRefs(other, [bases, ...writers]);
      return { remote: other, refs };
    }),
  );
  const silent = others.flatMap(({ remote: { name }, refs }) =>
    isFault(refs) ? [{ name, why: refs.why }] : [],
  );
  const found = others.flatMap(({ remote: other, refs }) =>
    isFault(refs) || refs.size === 0 ? [] : [{ remote: other, refs }],
  );
  if (found.length === 0) return { overlooked: [], silent };
  const here = await remoteRefs(remote, [bases]);
  if (isFault(here)) {
    const unknown = found.map(({ remote: { name } }) => uncompared(name, remote.name, here));
    if (use.writesFor !== undefined) return { overlooked: unknown, silent };
    // A command that only reads continues with what the clone has.
    for (const { stop } of unknown) tellAsNote(stop, io);
    return { overlooked: [], silent };
  }
  const overlooked: OverlookedState[][] = [];
  for (const other of found) {
    const writers = await writersAt(other, use, passed(remote, other.remote), io);
    const stop = await basesStop(other, { remote, refs: here }, bases);
    overlooked.push([...writers]);
    if (stop !== null) overlooked.push([{ remote: other.remote.name, is: 'base', stop }]);
  }
  return { overlooked: overlooked.flat(), silent };
}

/** A remote, and the refs that were found there. */
interface Found<R extends Remote> {
  readonly remote: R;
  readonly refs: RefCommits;
}

async function basesStop(
  other: Found<Remote>,
  own: Found<OwnRemote>,
  bases: string,
): Promise<Stop | null> {
  const recorded = [...other.refs].filter(([ref]) => isBaseRef(ref));
  if (recorded.length === 0) return null;
  // If this remote is the default, another remote may be an old copy with a base that was forgotten
  // at this remote.
  const isMissing = own.refs.size === 0 || own.remote.isChosen;
  if (isMissing && recorded.some(([ref]) => !own.refs.has(ref)))
    return elsewhere(own.remote, other.remote.name, 'bases');
  if (recorded.every(([ref, commit]) => (own.refs.get(ref) ?? commit) === commit)) return null;
  for (const remote of [own.remote, other.remote]) {
    const fetched = await fetchRefs(remote, [bases]);
    if (isFault(fetched)) return unread(other.remote.name, remote.name, fetched);
  }
  for (const [ref, there] of recorded)
    if (await isOverlooked(own, { ref, there }))
      return elsewhere(own.remote, other.remote.name, 'newer bases');
  return null;
}

const uncompared = (other: string, silent: string, fault: GitFault): OverlookedState => ({
  remote: other,
  is: 'base',
  stop: unread(other, silent, fault),
});

// The `Stop` for a base that cannot be compared. It may be newer.
const unread = (other: string, silent: string, { why, hint }: GitFault): Stop =>
  new Stop(
    EXIT.refused,
    `it is unknown whether the bases of the account at the remote ${quoted(other)} are newer: ${quoted(silent)} cannot be read: ${why}`,
    hint ?? 'check the remote with `git ls-remote`',
  );

// If the files choose the remote, each base has to follow the bases of the other remotes. If the
// remote is the default, another remote may be a copy that lags behind.
async function isOverlooked(
  { remote: { objects, isChosen }, refs }: Found<OwnRemote>,
  { ref, there }: { readonly ref: string; readonly there: string },
): Promise<boolean> {
  const here = refs.get(ref);
  if (here === undefined || here === there) return false;
  return isChosen
    ? !(await isAhead(objects.place, here, there))
    : isAhead(objects.place, there, here);
}

const passed = (used: OwnRemote, { name }: Remote): UnusedRemote => ({
  because: used.isChosen
    ? `\`lock_remote: ${used.name}\` in meshform.yaml`
    : `a run with its lock at ${quoted(used.name)}`,
  instead: `name ${quoted(name)} as \`lock_remote\` in meshform.yaml`,
  used,
});

const elsewhere = ({ name, isChosen }: OwnRemote, other: string, what: string): Stop =>
  new Stop(
    EXIT.refused,
    `the remote ${quoted(other)} has ${what} of the account that ${quoted(name)} does not have, and meshform reads them at ${quoted(name)}${isChosen ? ', because `lock_remote` in meshform.yaml names it' : ''}`,
    `name ${quoted(other)} as \`lock_remote\` in meshform.yaml; or move the bases: ${fetchBases(shellWord(other))} and then ${pushBases(shellWord(name))}`,
  );
