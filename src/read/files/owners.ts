// Who owns an entry of the file system, and who else can write it. Other users of the machine can prepare files where a run looks for them.
import { type BigIntStats, lstatSync, type Stats, statSync } from 'node:fs';
import { shellWord } from '../../model/text/shellWord.ts';

/** The owner, the group and the permissions of an entry. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

/** The owner of an entry with these stats; undefined on systems on which files have none. */
export const ownerIn = ({ uid, gid, mode }: Stats | BigIntStats): Owner | undefined =>
  userId() === undefined ? undefined : { uid: Number(uid), gid: Number(gid), mode: Number(mode) };

/** The owner of what is at a path; undefined as well if it cannot be looked at. */
export function ownerOf(path: string): Owner | undefined {
  try {
    return ownerIn(statSync(path));
  } catch {
    return undefined;
  }
}

/** The owner of a file, or another user who owns the link at its path: whoever owns a link decides which file it leads to. */
export function ownerThrough(path: string, target: Owner | undefined): Owner | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  const own = stats?.isSymbolicLink() ? ownerIn(stats) : undefined;
  return isForeign(own) ? { ...own, mode: target?.mode ?? 0 } : target;
}

/** Why an entry is not used that another user has prepared. Completes "… cannot be written: ". */
export const foreignText = ({ uid }: Owner): string => `it belongs to another user (uid ${uid})`;

/** A file that another user of the machine has prepared, or can read by another name. Nothing was written to it. */
export class ForeignFile extends Error {
  override readonly name = 'ForeignFile';
}

/** A file or a pipe that other users of the machine may read. Nothing was written to it. */
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

/** Whether an entry belongs to this user, and to nobody else: not to root either. */
export const isOwn = (owner: Owner | undefined): boolean =>
  owner === undefined || owner.uid === userId();

/** Whether users can write an entry who cannot write to the folder `home`. */
export function hasOtherWriters({ mode, gid }: Owner, home: Owner | undefined): boolean {
  const ofHome = home?.mode ?? 0;
  if ((ofHome & EVERYBODY) !== 0) return false;
  const group = home?.gid === gid ? ofHome & GROUP : 0;
  return (mode & (EVERYBODY | GROUP) & ~group) !== 0;
}

const EVERYBODY = 0o002;
const GROUP = 0o020;

/** Whether an entry belongs to this user, and nobody else can write it. */
export const isOursAlone = (owner: Owner | undefined): boolean =>
  isOwn(owner) && (owner === undefined || !hasOtherWriters(owner, undefined));

/** The user of the run; undefined on Windows, where files have no owners of this kind. */
export const userId = (): number | undefined => process.geteuid?.();

/** The main group of that user. */
export const groupId = (): number | undefined => process.getegid?.();
