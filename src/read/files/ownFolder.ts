// Folders in which only the user of the run can put anything. Later runs trust what they read in these folders.
import type { Stats } from 'node:fs';
import { relative, sep } from 'node:path';
import { quoted } from '../../model/text/visible.ts';
import { onTheWayTo } from './entriesOnPath.ts';
import { makeFolder } from './makeFolder.ts';
import { groupId, userId } from './owners.ts';
import { realOf } from './projectFilesAbove.ts';

/** A folder that has to be the user's own, and may not exist. */
export interface OwnFolder {
  readonly path: string;
  /** The topmost folder of the user. This folder and everything below it belong to the user. */
  readonly root: string;
  /**
   * Whether the user chose the root. Then the folders above it are the user's choice too. A root that belongs to the
   * administrator is accepted as it is, because for example the volume of a container is often writable for everybody in the
   * container.
   */
  readonly isChosen: boolean;
}

/**
 * The error for a folder that has to be the user's own, and that somebody else could put something into. The message says who
 * could, and in which folder.
 */
export class ForeignFolder extends Error {
  override readonly name = 'ForeignFolder';
  /**
   * The folder that others can write to; undefined if the user cannot change its permissions, or if somebody may rely on them.
   */
  readonly writable: string | undefined;

  constructor(message: string, writable?: string) {
    super(message);
    this.writable = writable;
  }
}

/**
 * Throws a `ForeignFolder` if anybody except this user and the administrator can put something into a folder, or can replace the
 * folder.
 */
export function refuseForeign({ path, root, isChosen }: OwnFolder): void {
  const user = userOfProcess();
  if (user === null) return;
  const roots = [root, realOf(root)];
  const isRoot = (at: string) => roots.includes(at);
  const isBelow = (at: string) => roots.some(one => isInside(one, at));
  for (const { at, stats } of onTheWayTo(path)) {
    const isOwn = stats.uid === user.id || stats.uid === 0;
    if (stats.isSymbolicLink()) {
      if (!isOwn) throw new ForeignFolder(`${quoted(at)} is a link of another user`);
      continue;
    }
    const isFree = isChosen && (isRoot(at) ? stats.uid === 0 && user.id !== 0 : !isBelow(at));
    if (isFree || !stats.isDirectory()) continue;
    if (!isOwn) throw new ForeignFolder(`${quoted(at)} belongs to another user`);
    // In a folder with the sticky bit, others cannot rename the entries of this user, but they can add entries.
    const isSticky = (stats.mode & 0o1000) !== 0 && (isChosen || !isRoot(at)) && !isBelow(at);
    const writers = isSticky ? null : writersOf(stats, user);
    // Only the owner and root can change who may write to a folder.
    const isChangeable = stats.uid === user.id || user.id === 0;
    if (writers === 'others')
      throw new ForeignFolder(`others can write to ${quoted(at)}`, isChangeable ? at : undefined);
    if (writers === 'own group')
      throw new ForeignFolder(`everybody in the group ${stats.gid} can write to ${quoted(at)}`);
  }
}

/** Creates a folder that only the user can read. Rejects with a `ForeignFolder` if the folder is not the user's own. */
export async function makeOwnFolder(folder: OwnFolder): Promise<void> {
  refuseForeign(folder);
  await makeFolder(folder.path, 0o700);
  // Checked again, because somebody else may have created the folder in the meantime.
  refuseForeign(folder);
}

interface User {
  readonly id: number;
  readonly group: number | undefined;
}

// The user of the process; null on Windows, which has no owners and modes of this form. There, all folders count as the user's
// own.
function userOfProcess(): User | null {
  const id = userId();
  return id === undefined ? null : { id, group: groupId() };
}

/** Whether anybody but this user, their private group and the owner can write to a folder; false on Windows. */
export function othersWrite(stats: Stats): boolean {
  const user = userOfProcess();
  return user !== null && writersOf(stats, user) !== null;
}

// Who besides the user can write to a folder. Many systems give each user a private group with the same number, and let this
// group write by default; this counts as nobody. Some platforms run each container as a different user of one group, such as 0;
// this counts as `own group`, because the whole group is meant to write to the folder.
function writersOf({ mode, gid }: Stats, { id, group }: User): 'others' | 'own group' | null {
  if ((mode & 0o002) !== 0) return 'others';
  if ((mode & 0o020) === 0 || (gid === group && gid === id)) return null;
  return gid === group ? 'own group' : 'others';
}

const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`);
};
