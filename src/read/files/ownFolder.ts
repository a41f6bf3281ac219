// Folders in which nobody but the user who runs can put anything: what is read there later is believed.
import type { Stats } from 'node:fs';
import { relative, sep } from 'node:path';
import { quoted } from '../../model/text/visible.ts';
import { makeFolder } from './makeFolder.ts';
import { groupId, userId } from './owners.ts';
import { realOf } from './upwards.ts';
import { onTheWayTo } from './wayTo.ts';

/** A folder that has to be the user's own, and may not exist. */
export interface OwnFolder {
  readonly path: string;
  /** The folder at its top: this one and all below it are the user's. */
  readonly root: string;
  /**
   * Whether somebody chose the root: then what is above it is their choice too, and a root that the administrator has made is used
   * as it is, as a volume of a container, which often everybody in it can write to.
   */
  readonly isChosen: boolean;
}

/** Somebody else could put something into a folder that has to be the user's own. The message says who, and where. */
export class ForeignFolder extends Error {
  override readonly name = 'ForeignFolder';
  /** The folder that others can write to, if the user can change that, and nobody is likely to count on it. */
  readonly writable: string | undefined;

  constructor(message: string, writable?: string) {
    super(message);
    this.writable = writable;
  }
}

/** Throws a `ForeignFolder` if somebody else than this user and the administrator can put something into a folder, or in its place. */
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
    // Where the sticky bit is set, others cannot rename what is ours, but they can add to it.
    const isSticky = (stats.mode & 0o1000) !== 0 && (isChosen || !isRoot(at)) && !isBelow(at);
    const writers = isSticky ? null : writersOf(stats, user);
    // Whoever does not own it cannot change who may write to it.
    const isChangeable = stats.uid === user.id || user.id === 0;
    if (writers === 'others')
      throw new ForeignFolder(`others can write to ${quoted(at)}`, isChangeable ? at : undefined);
    if (writers === 'own group')
      throw new ForeignFolder(`everybody in the group ${stats.gid} can write to ${quoted(at)}`);
  }
}

/** Creates a folder that only the user can read. Rejects with a `ForeignFolder` if it is not the user's own. */
export async function makeOwnFolder(folder: OwnFolder): Promise<void> {
  refuseForeign(folder);
  await makeFolder(folder.path, 0o700);
  // Somebody else may have been faster.
  refuseForeign(folder);
}

interface User {
  readonly id: number;
  readonly group: number | undefined;
}

// Windows has no owners and modes of this form; there, the folders of a user are their own.
function userOfProcess(): User | null {
  const id = userId();
  return id === undefined ? null : { id, group: groupId() };
}

// Many systems give each user a group of their own with the number of the user, and let it write by default. Some platforms give each
// container another user of one group, such as 0: there, the folder is meant to be written by all of them.
function writersOf({ mode, gid }: Stats, { id, group }: User): 'others' | 'own group' | null {
  if ((mode & 0o002) !== 0) return 'others';
  if ((mode & 0o020) === 0 || (gid === group && gid === id)) return null;
  return gid === group ? 'own group' : 'others';
}

const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`);
};
