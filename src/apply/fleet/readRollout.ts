// A rollout as the remote has it: the joined ledger that its runs and shards wrote, and the runs that carry it out.
import {
  ALL_SHARD_REFS,
  leaseRefsOf,
  openRolloutRef,
  ROLLOUT_REFS,
  rolloutRef,
  shardOfLease,
  shardRefsOf,
} from '../../base/refName.ts';
import { mergedLedger } from '../../fleet/rollout/mergedLedger.ts';
import {
  type AccountIdentity,
  namesAmong,
  sameAccounts,
} from '../../fleet/rollout/sameAccounts.ts';
import type { LockRecord } from '../../model/lockRecord.ts';
import type { Ledger, Shard } from '../../model/rollout.ts';
import type { RefCommits } from '../../read/remote/remoteRefs.ts';
import type { RemoteTrouble } from '../lock/remoteLock.ts';
import { lockOfMessage } from '../lockRecord.ts';
import type { RemoteRefusal, RolloutRefusal } from './rolloutRefusal.ts';
import { isTrouble } from './rolloutRemote.ts';
import { claimAt, ledgerAt, type RolloutStore } from './signedLedger.ts';

/** A run that carries out a rollout, or that did so until it was killed. */
export interface Runner {
  /** The ref of the lease, and its commit. */
  readonly ref: string;
  readonly commit: string;
  /** Absent for a run that carries out all accounts. */
  readonly shard?: Shard;
  /** The content of the lease; null if meshform did not write it. */
  readonly record: LockRecord | null;
}

/** A rollout at the remote. */
export interface SeenRollout {
  readonly ledger: Ledger;
  readonly runners: readonly Runner[];
  /** The commits of the refs of the rollout's ledgers. */
  readonly commits: RefCommits;
}

/**
 * Reads a rollout by its id. `known`: the ledgers that were verified before. Newly verified ledgers
 * are added to it.
 */
export async function readRollout(
  store: RolloutStore,
  rollout: string,
  known: Map<string, Ledger> = new Map(),
): Promise<SeenRollout | RolloutRefusal> {
  const { remote } = store;
  const own = rolloutRef(rollout);
  const leases = leaseRefsOf(rollout);
  const found = await remote.read([own, `${shardRefsOf(rollout)}*`, `${leases}*`]);
  if (isTrouble(found)) return unreachable(remote.name, found);
  const commits = new Map([...found].filter(([ref]) => !ref.startsWith(leases)));
  let joined: Ledger | null = null;
  for (const [ref, commit] of commits) {
    const ledger = known.get(commit) ?? (await ledgerAt(store, ref, commit));
    if ('refused' in ledger) return ledger;
    known.set(commit, ledger);
    const next: Ledger | null = joined === null ? ledger : mergedLedger(joined, ledger);
    if (next === null || ledger.rollout !== rollout)
      return { refused: 'ledger-unverified', ref, because: 'elsewhere' };
    joined = next;
  }
  if (joined === null || !commits.has(own)) return { refused: 'no-rollout', rollout };
  const current = new Set(commits.values());
  for (const commit of known.keys()) if (!current.has(commit)) known.delete(commit);
  const runners: Runner[] = [];
  for (const [ref, commit] of found)
    if (ref.startsWith(leases)) runners.push(await runnerAt(store, ref, commit));
  return { ledger: joined, runners: runners.filter(isHolding), commits };
}

async function runnerAt({ remote }: RolloutStore, ref: string, commit: string): Promise<Runner> {
  const message = await remote.messageIn(commit);
  const shard = shardOfLease(ref);
  const record = message === null ? null : lockOfMessage(message);
  return { ref, commit, record, ...(shard && { shard }) };
}

const isHolding = ({ record }: Runner): boolean => record?.is !== 'free';

/** The content of the ref that names the open rollout of a fleet file. */
export interface OpenRef {
  readonly ref: string;
  /** Null if the remote does not have the ref. */
  readonly commit: string | null;
  /** The rollout that the ref names if it is open, or if it is finished and the remote refuses to delete refs. Otherwise null. */
  readonly rollout: SeenRollout | null;
  /**
   * The ledgers of rollouts of other fleet files that may be open. They are not read if `rollout`
   * is open.
   */
  readonly others: readonly Ledger[];
}

/**
 * Reads the open rollout of a fleet file. The ref that names the rollout is only a shortcut,
 * because somebody may have moved or deleted it. If the ref names no open rollout, all ledgers are
 * read.
 */
export async function readOpenRef(
  store: RolloutStore,
  fleet: string,
): Promise<OpenRef | RolloutRefusal> {
  const { remote } = store;
  const ref = openRolloutRef(fleet);
  const found = await remote.read([ref, `${ROLLOUT_REFS}*`]);
  if (isTrouble(found)) return unreachable(remote.name, found);
  const commit = found.get(ref) ?? null;
  const named = commit === null ? null : await rolloutNamed(store, { ref, commit, fleet });
  if (named !== null && !('refused' in named) && !named.ledger.finished)
    return { ref, commit, rollout: named, others: [] };
  const { ledgers, unsigned } = await openAmong(store, found);
  const others = ledgers.filter(ledger => ledger.fleet !== fleet);
  for (const ledger of ledgers.filter(one => one.fleet === fleet)) {
    const rollout = await readRollout(store, ledger.rollout);
    if (!('refused' in rollout || rollout.ledger.finished)) return { ref, commit, rollout, others };
  }
  if (named !== null && 'refused' in named) return named;
  const [claimed] = unsigned.filter(one => one.fleet === fleet);
  return claimed
    ? { refused: 'ledger-unverified', ref: rolloutRef(claimed.rollout), because: 'not-signed' }
    : { ref, commit, rollout: named, others };
}

async function rolloutNamed(
  store: RolloutStore,
  { ref, commit, fleet }: { readonly ref: string; readonly commit: string; readonly fleet: string },
): Promise<SeenRollout | RolloutRefusal> {
  const named = await ledgerAt(store, ref, commit);
  if ('refused' in named) return named;
  if (named.fleet !== fleet) return { refused: 'ledger-unverified', ref, because: 'elsewhere' };
  const rollout = await readRollout(store, named.rollout);
  return 'refused' in rollout && rollout.refused === 'no-rollout'
    ? { refused: 'ledger-gone', rollout: named.rollout, ref: rolloutRef(named.rollout) }
    : rollout;
}

/**
 * The ledgers without an end among these refs. The end of such a rollout may be in the ledger of
 * another shard.
 */
interface OpenLedgers {
  readonly ledgers: readonly Ledger[];
  /**
   * Ledgers that no key of this run signed. They prove nothing, but may belong to a run with
   * another key.
   */
  readonly unsigned: readonly Ledger[];
}

async function openAmong(store: RolloutStore, found: RefCommits): Promise<OpenLedgers> {
  const ledgers: Ledger[] = [];
  const unsigned: Ledger[] = [];
  for (const [ref, commit] of found) {
    if (!ref.startsWith(ROLLOUT_REFS)) continue;
    const ledger = await ledgerAt(store, ref, commit);
    const isUnsigned =
      'refused' in ledger &&
      ledger.refused === 'ledger-unverified' &&
      ledger.because === 'not-signed';
    const known = isUnsigned ? await claimAt(store, commit) : ledger;
    if (known === null || 'refused' in known || known.finished) continue;
    if (rolloutRef(known.rollout) === ref) (isUnsigned ? unsigned : ledgers).push(known);
  }
  return { ledgers, unsigned };
}

/** The ledgers of rollouts of other fleet files that may be open. */
export async function othersOpen(
  store: RolloutStore,
  fleet: string,
): Promise<readonly Ledger[] | RolloutRefusal> {
  const { remote } = store;
  const found = await remote.read([`${ROLLOUT_REFS}*`]);
  if (isTrouble(found)) return unreachable(remote.name, found);
  return (await openAmong(store, found)).ledgers.filter(ledger => ledger.fleet !== fleet);
}

/** The refusal for an open rollout that has some of these accounts; null if there is none. */
export async function rolloutWith(
  store: RolloutStore,
  wanted: readonly AccountIdentity[],
  others: readonly Ledger[],
): Promise<RolloutRefusal | null> {
  const isAmong = sameAccounts(wanted);
  for (const { rollout } of others.filter(other => namesAmong(other, isAmong).length > 0)) {
    const seen = await readRollout(store, rollout);
    if ('refused' in seen || seen.ledger.finished) continue;
    const accounts = namesAmong(seen.ledger, isAmong);
    return { refused: 'accounts-in-rollout', ledger: seen.ledger, accounts };
  }
  return null;
}

/**
 * The ledgers of all rollouts, open and finished, that a key of this run signed. A rollout in
 * shards has a ledger for each shard.
 */
export async function allLedgers({
  remote,
  signer,
}: RolloutStore): Promise<readonly Ledger[] | RolloutRefusal> {
  const found = await remote.read([`${ROLLOUT_REFS}*`, `${ALL_SHARD_REFS}*`]);
  if (isTrouble(found)) return unreachable(remote.name, found);
  const ledgers: Ledger[] = [];
  for (const [ref, commit] of found) {
    const ledger = await ledgerAt({ remote, signer }, ref, commit);
    if (!('refused' in ledger)) ledgers.push(ledger);
  }
  return ledgers;
}

/** The open rollout of a fleet file; null if there is none. */
export async function openRollout(
  store: RolloutStore,
  fleet: string,
): Promise<SeenRollout | RolloutRefusal | null> {
  const open = await readOpenRef(store, fleet);
  if ('refused' in open) return open;
  return open.rollout?.ledger.finished ? null : open.rollout;
}

/**
 * Removes the ref that names the open rollout, if no rollout can be read there. Resolves to the
 * reason why no rollout can be read. If a rollout is open or the ref does not exist, it removes
 * nothing and resolves to null.
 */
export async function removeOpenRef(
  store: RolloutStore,
  fleet: string,
): Promise<RolloutRefusal | null> {
  const { remote } = store;
  const ref = openRolloutRef(fleet);
  // The ref is read first. If somebody starts a rollout in the meantime, the ref moves, so this
  // call does not remove it.
  const found = await remote.read([ref]);
  if (isTrouble(found)) return unreachable(remote.name, found);
  const open = await readOpenRef(store, fleet);
  if (!('refused' in open) || !isLost(open)) return 'refused' in open ? open : null;
  const pushed = await remote.push([{ ref, from: found.get(ref) ?? null, to: null }]);
  if (pushed.is === 'done') return open;
  if (pushed.is === 'refused') return refusing(remote.name, pushed);
  const why = pushed.is === 'unknown' ? pushed : { why: 'its refs keep changing' };
  return unreachable(remote.name, why);
}

/**
 * Whether no ledger of the rollout can be read, now or later. If only this run lacks the key of a
 * ledger, the ledger is not lost.
 */
export const isLost = (refusal: RolloutRefusal): boolean =>
  refusal.refused === 'ledger-gone' ||
  refusal.refused === 'ledger-unreadable' ||
  (refusal.refused === 'ledger-unverified' && refusal.because === 'elsewhere');

/** The refusal for a remote that does not answer. */
export const unreachable = (remote: string, { why, hint }: RemoteTrouble): RemoteRefusal => ({
  refused: 'remote-unreachable',
  remote,
  why,
  ...(hint !== undefined && { hint }),
});

/** The refusal for a remote that refuses to move the refs of rollouts. */
export const refusing = (remote: string, { why, hint }: RemoteTrouble): RemoteRefusal => ({
  ...unreachable(remote, { why, hint }),
  refused: 'remote-refuses',
});
