// The owner of an entry of the file system, and who else can write the entry. Other users of the machine can prepare files where
// a run looks for them.
import { type BigIntStats, lstatSync, type Stats, statSync } from 'node:fs';
import { shellWord } from '../../model/text/shellWord.ts';

/** The owner, the group and the permissions of an entry. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

/** The owner of an entry with these stats; undefined on systems on which files have no owner. */
export const ownerIn = ({ uid, gid, mode }: Stats | BigIntStats): Owner | undefined =>
  userId() === undefined ? undefined : { uid: Number(uid), gid: Number(gid), mode: Number(mode) };

/** The owner of the entry at a path; undefined if the entry cannot be examined, or if files have no owner. */
export function ownerOf(path: string): Owner | undefined {
  try {
    return ownerIn(statSync(path));
  } catch {
    return undefined;
  }
}

/**
 * The owner of a file. If another user owns the link at its path, the result is that user, because the owner of a link decides
 * which file it points to.
 */
export function ownerThrough(path: string, target: Owner | undefined): Owner | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  const own = stats?.isSymbolicLink() ? ownerIn(stats) : undefined;
  return isForeign(own) ? { ...own, mode: target?.mode ?? 0 } : target;
}

/** Why an entry of another user is not used. Completes "… cannot be written: ". */
export const foreignText = ({ uid }: Owner): string => `it belongs to another user (uid ${uid})`;

/**
 * The error for a file or a folder that another user of the machine has prepared, or a file that they can read under another name.
 * Nothing was written there.
 */
export class ForeignFile extends Error {
  override readonly name = 'ForeignFile';
}

/** The error for a file or a pipe that other users of the machine may read. Nothing was written to it. */
export class OpenFile extends Error {
  override readonly name = 'OpenFile';
  readonly hint: string;

  constructor(path: string, { mode }: Owner) {
    super(`others can open it (mode ${(mode & 0o7777).toString(8).padStart(4, '0')})`);
    this.hint = `remove it; or run \`chmod 600 ${shellWord(path)}\`, if nobody else has opened it`;
  }
}

/** Whether an entry belongs to a user who is neither this one nor root, nor one of `others`. */
export const isForeign = (
  owner: Owner | undefined,
  ...others: readonly (Owner | undefined)[]
): owner is Owner => {
  const trusted = [0, userId(), ...others.map(other => other?.uid)];
  return owner !== undefined && !trusted.includes(owner.uid);
};

/** Whether an entry belongs to this user, and not to root; true where files have no owner. */
export const isOwn = (owner: Owner | undefined): boolean =>
  owner === undefined || owner.uid === userId();

/** Whether an entry can be written by users who cannot write to the folder `home`. */
export function hasOtherWriters({ mode, gid }: Owner, home: Owner | undefined): boolean {
  const ofHome = home?.mode ?? 0;
  if ((ofHome & EVERYBODY) !== 0) return false;
  const group = home?.gid === gid ? ofHome & GROUP : 0;
  return (mode & (EVERYBODY | GROUP) & ~group) !== 0;
}

const EVERYBODY = 0o002;
const GROUP = 0o020;

/** Whether an entry belongs to this user, and nobody else can write it; true where files have no owner. */
export const isOursAlone = (owner: Owner | undefined): boolean =>
  isOwn(owner) && (owner === undefined || !hasOtherWriters(owner, undefined));

/** The user of the run; undefined on Windows, where files have no owners of this kind. */
export const userId = (): number | undefined => process.geteuid?.();

/** The main group of the user of the run; undefined on Windows. */
export const groupId = (): number | undefined => process.getegid?.();
