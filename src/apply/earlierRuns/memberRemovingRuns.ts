// Finds earlier runs of the same files that may have removed members from sets. These are
// unfinished runs that updated something.

import { earlierRun } from '../../model/journal.ts';
import { awaitsBase, type ReadJournal } from '../../report/run/journalLines.ts';
import type { HeldAccountLock } from '../lock/accountLock.ts';
import type { UnfinishedRun } from '../run/concurrent/unfinishedRuns.ts';
import { isPlanOf, isVerified, unfinishedRuns } from './remoteRuns.ts';
import { type HereRequest, unfinishedHere } from './unfinishedHere.ts';

/** The tolerance for differing clocks and for a request in progress, in milliseconds. */
const SKEW = 60_000;

/**
 * The part of an account's lock that limits how long a run may have written after the last line in
 * a copy of its journal.
 */
type Lease = Pick<HeldAccountLock, 'longestWrite'> | undefined;

/**
 * The unfinished runs of the files at `path` that may have removed members from sets, oldest first,
 * from the remote and from this machine. Rejects if git fails.
 */
export async function memberRemovingRuns(
  asked: HereRequest,
  lease: Lease,
): Promise<readonly UnfinishedRun[]> {
  const { path, host, signer, journals } = asked;
  const there = journals ? (await unfinishedRuns(journals, signer)).filter(isVerified) : [];
  const copies = there
    .filter(({ text, read }) => !awaitsBase(text) && isPlanOf(read.plan, { path, cwd: host.cwd }))
    .map(({ run, read }) => memberRemovingRun({ ...read, isCopy: true }, run, lease));
  const here = (await unfinishedHere(asked)).map(({ run, read }) =>
    memberRemovingRun(read, run, lease),
  );
  return [...copies, ...here].flatMap(run => run ?? []).reverse();
}

/**
 * Describes a run that may have removed members from sets; undefined if the plan of the run updates
 * nothing.
 */
export function memberRemovingRun(
  { plan, entries, lines, isCopy = false }: ReadJournal & { readonly isCopy?: boolean },
  run: string,
  lease: Lease,
): UnfinishedRun | undefined {
  if (!plan.actions.some(({ verb }) => verb === 'update')) return undefined;
  const earlier = { ...earlierRun(entries), ...(isCopy && { isCopy }) };
  // A copy may lack the lines that the run wrote while it held the lock after its last push.
  const held = isCopy ? 3 * (lease?.longestWrite ?? SKEW) : 0;
  return { run, plan, earlier, until: Date.parse(String(lines.at(-1)?.at)) + held + SKEW };
}
