// The refs of an account: its bases, its journals and its lock, at a remote and in the clone.
import { digestOfBase } from '../../base/baseDocument.ts';
import {
  ALL_BASES,
  formerRef,
  isBaseOfAny,
  isBaseOfOther,
  isInTheWay,
  journalRef,
  lockRef,
} from '../../base/refName.ts';
import { present } from '../../model/errors.ts';
import type { SharedRefs } from '../../read/environment.ts';
import { isOrFollows } from '../../read/git/baseChain.ts';
import { isKnownCommit } from '../../read/git/knownCommits.ts';
import type { ListedRef } from '../../read/git/listRemote.ts';
import { localBases } from '../../read/git/localRefs.ts';
import { type GitFault, type GitPlace, isPushedElsewhere } from '../../read/git/runGit.ts';
import { storedBase } from '../../read/git/storedBases.ts';
import { messageOf } from '../../read/remote/lockAtRemote.ts';
import {
  commitsOf,
  fetchListed,
  isFault,
  type RefCommits,
  type Remote,
} from '../../read/remote/remoteRefs.ts';
import { inTheWayAmong, type RefInTheWay, refsOf } from './inTheWay.ts';

/**
 * The refs of an account, both as a run uses them and as the remote has them. A base whose push failed is only in the clone, or
 * is newer in the clone.
 */
export interface AtRemote {
  readonly shared: SharedRefs;
  readonly atRemote: RefCommits;
  /** Bases that are in the clone but not at the remote: their push failed, or somebody deleted them at the remote. */
  readonly onlyHere: readonly string[];
  /** Refs that prevent the last push of any run. */
  readonly inTheWay: readonly RefInTheWay[];
  /** Whether something else is at the ref of the journals. */
  readonly areJournalsGone: boolean;
}

/** The refs of an account, and the ref of its lock from the same listing. */
export type BeforeAtRemote = AtRemote & { readonly before: RefCommits };

/** Fetches the refs of an account and their objects from a remote. Resolves to the refs, or to why they cannot be read. */
export async function sharedRefs(remote: Remote, account: string): Promise<AtRemote | GitFault> {
  const found = await listed(remote, account);
  return isFault(found) ? found : withOwn(remote, account, found);
}

const listed = (
  remote: Remote,
  account: string,
  more: readonly string[] = [],
): Promise<readonly ListedRef[] | GitFault> =>
  fetchListed(
    remote,
    [...refsOf(account), ...more],
    ref => ref === formerRef(account) || !isInTheWay(ref, account),
  );

/**
 * Fetches the refs of an account as `sharedRefs` does, with the ref of the lock from the same listing. If the files do not name
 * the account, the listing also shows whether the remote has a base of any account.
 */
export async function refsBeforeLock(
  remote: Remote,
  account: string,
  { isNamed = true }: { readonly isNamed?: boolean } = {},
): Promise<BeforeAtRemote | GitFault> {
  const found = await listed(remote, account, isNamed ? [] : ALL_BASES);
  if (isFault(found)) return found;
  const own = found.filter(({ ref }) => !isBaseOfOther(ref, account));
  const at = await withOwn(remote, account, own);
  const { objects, name } = remote;
  // Other bases may be in the repository that git fetches from.
  const isAll = !isNamed && !(await isPushedElsewhere(objects.place, name));
  const ofAny = { remote: name, ref: found.find(({ ref }) => isBaseOfAny(ref))?.ref };
  return {
    ...at,
    ...(isAll && { shared: { ...at.shared, ofAny } }),
    before: commitsOf(own),
  };
}

async function withOwn(
  { objects: { place } }: Remote,
  account: string,
  listing: readonly ListedRef[],
): Promise<AtRemote> {
  const inTheWay = inTheWayAmong(listing, account);
  const found = commitsOf(listing);
  const areJournalsGone = await hasNoJournals(place, found, account);
  const foreign = new Set([lockRef(account), ...inTheWay.map(({ ref }) => ref)]);
  const atRemote = new Map([...found].filter(([ref]) => !foreign.has(ref)));
  const objects = present(place.objects, 'the folder of objects');
  const refs = new Map(atRemote);
  for (const [ref, commit] of await localBases(place, account)) {
    const there = atRemote.get(ref);
    if (there === commit) continue;
    if (there === undefined || (await isAhead(place, commit, there))) refs.set(ref, commit);
  }
  const onlyHere = [...refs.keys()].filter(ref => !atRemote.has(ref));
  return { shared: { refs, objects }, atRemote, onlyHere, inTheWay, areJournalsGone };
}

// Whether an object contains no journals because it is not a commit. An apply begins new journals in its place.
async function hasNoJournals(
  place: GitPlace,
  found: RefCommits,
  account: string,
): Promise<boolean> {
  const commit = found.get(journalRef(account));
  if (commit === undefined || isKnownCommit(place, commit)) return false;
  return (await messageOf(place, commit)) === null;
}

/** Whether one base follows another. If a push failed, the base of the clone follows the base of the remote. */
export async function isAhead(place: GitPlace, here: string, there: string): Promise<boolean> {
  const bases = [await storedBase(place, here), await storedBase(place, there)];
  const [own, other] = bases.flatMap(base => (base === null || 'why' in base ? [] : base));
  return (
    own !== undefined &&
    other !== undefined &&
    (await isOrFollows(place, own, digestOfBase(other.text)))
  );
}
