// The git refs that machines share: a base for each account and folder, a lock and a journal for each account, and the ledgers of
// rollouts.
import type { BaseFolder } from '../model/recordedBase.ts';
import type { Shard } from '../model/rollout.ts';

/**
 * The prefixes of all refs of bases, locks and journals. git keeps no ref above or below another ref, so each has its own prefix.
 */
export const FOLDERS_OF_REFS = {
  bases: 'refs/meshform-base/',
  locks: 'refs/meshform-locks/',
  journals: 'refs/meshform-journal/',
} as const;

const { bases: ALL, locks: LOCKS, journals: JOURNALS } = FOLDERS_OF_REFS;

/** The prefix of the refs in which versions before 0.1.0 recorded bases. */
export const FORMER_REFS = 'refs/meshform/';

/** The prefix of the refs of all bases of an account. */
export const baseRefsOf = (account: string): string => `${ALL}${component(account)}/`;

/** The ref of the base of a folder, from its `name:`, or without one from its path. */
export const baseRef = (account: string, { name, folder }: BaseFolder): string =>
  `${baseRefsOf(account)}${component(name ?? folder)}`;

/** The name of the base at a ref: the `name:` of its folder, or the path of a folder without one. */
export function nameOfBaseRef(ref: string): string {
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Whether a ref is one for bases. */
export const isBaseRef = (ref: string): boolean => ref.startsWith(ALL);

/** The ref of the lock of an account. */
export const lockRef = (account: string): string => `${LOCKS}${component(account)}`;

/** The ref of the journals of an account. */
export const journalRef = (account: string): string => `${JOURNALS}${component(account)}`;

/** The account whose journals are at a ref. */
export const accountOfJournals = (ref: string): string => nameOfBaseRef(ref);

/**
 * Patterns of the refs of an account, of its lock and of its journals, and of other refs that prevent git from creating these.
 */
export const refsAround = (account: string): readonly string[] => [
  `${baseRefsOf(account)}*`,
  lockRef(account),
  `${lockRef(account)}/*`,
  journalRef(account),
  `${journalRef(account)}/*`,
  ...Object.values(FOLDERS_OF_REFS).map(folder => folder.slice(0, -1)),
  baseRefsOf(account).slice(0, -1),
];

/**
 * Whether a ref that matches these patterns is not a ref of meshform: git then cannot create some of the refs of meshform beside
 * it.
 */
export const isInTheWay = (ref: string, account: string): boolean =>
  ref !== lockRef(account) &&
  ref !== journalRef(account) &&
  !(ref.startsWith(baseRefsOf(account)) && !ref.slice(baseRefsOf(account).length).includes('/'));

/** Patterns of the refs of all bases of all accounts. */
export const ALL_BASES: readonly string[] = [`${ALL}*`, `${FORMER_REFS}*`];

/** Whether a ref matches one of these patterns, for this account or another one. */
export const isBaseOfAny = (ref: string): boolean =>
  ref.startsWith(ALL) || ref.startsWith(FORMER_REFS);

/** Whether a ref that matches one of these patterns concerns only other accounts. */
export const isBaseOfOther = (ref: string, account: string): boolean =>
  isBaseOfAny(ref) && !`${ref}/`.startsWith(baseRefsOf(account)) && ref !== formerRef(account);

/** The ref in which versions before 0.1.0 recorded one revision for all folders of an account. No run moves it. */
export const formerRef = (account: string): string => `${FORMER_REFS}${account}`;

/**
 * The places of all bases of the account that a ref belongs to: the prefix of their refs, and the ref of earlier versions. Null
 * for a ref that is not a base.
 */
export function placesOfBases(ref: string): readonly string[] | null {
  const account = ref.startsWith(FORMER_REFS) ? ref.slice(FORMER_REFS.length) : accountOfBase(ref);
  const places = [baseRefsOf(account), formerRef(account)];
  return places.some(place => ref.startsWith(place)) ? places : null;
}

function accountOfBase(ref: string): string {
  const [account = ''] = ref.startsWith(ALL) ? ref.slice(ALL.length).split('/') : [];
  return nameOfBaseRef(account);
}

/** The command that fetches all bases. It fails only if the remote cannot be reached, and also works before the first run. */
export const fetchBases = (remote: string): string => `git fetch ${remote} '+${ALL}*:${ALL}*'`;

/** The line that pushes all bases. */
export const pushBases = (remote: string): string => `git push ${remote} '${ALL}*:${ALL}*'`;

/** The prefix of the refs of the ledgers of all rollouts. */
export const ROLLOUT_REFS = 'refs/meshform-fleet/';

/** The ref of the ledger of a rollout. */
export const rolloutRef = (rollout: string): string => `${ROLLOUT_REFS}${component(rollout)}`;

/** The ref that names the open rollout of a fleet file: a commit with the ledger of the rollout. */
export const openRolloutRef = (fleet: string): string =>
  `refs/meshform-fleet-open/${component(fleet)}`;

/** The prefix of the refs of the ledgers that the shards of all rollouts write. */
export const ALL_SHARD_REFS = 'refs/meshform-fleet-shards/';

/** The prefix of the refs of the ledgers that the shards of a rollout write. */
export const shardRefsOf = (rollout: string): string => `${ALL_SHARD_REFS}${component(rollout)}/`;

/** The ref of the ledger that a shard of a rollout writes. */
export const shardRef = (rollout: string, shard: Shard): string =>
  `${shardRefsOf(rollout)}${shardText(shard)}`;

/** The prefix of the refs of the leases of a rollout. */
export const leaseRefsOf = (rollout: string): string =>
  `refs/meshform-fleet-runners/${component(rollout)}/`;

/** The ref of the lease on a shard of a rollout; without a shard, on the whole rollout. */
export const leaseRef = (rollout: string, shard?: Shard): string =>
  `${leaseRefsOf(rollout)}${shard ? shardText(shard) : 'all'}`;

/** The shard that the ref of a lease names; undefined if the ref names a whole rollout or is not one of meshform's. */
export function shardOfLease(ref: string): Shard | undefined {
  const { index, of } = /\/(?<index>[1-9]\d{0,4})-of-(?<of>[1-9]\d{0,4})$/.exec(ref)?.groups ?? {};
  return index === undefined || of === undefined
    ? undefined
    : { index: Number(index), of: Number(of) };
}

const shardText = ({ index, of }: Shard): string => `${index}-of-${of}`;

// One component of a ref, percent-encoded: git forbids some characters, two dots in a row, and some beginnings and ends.
function component(text: string): string {
  const code = (character: string) =>
    `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  return encodeURIComponent(text.toWellFormed())
    .replaceAll(/[!~*'()]/g, code)
    .replaceAll(/^\.|\.(?=\.|$|lock$)/g, code);
}
