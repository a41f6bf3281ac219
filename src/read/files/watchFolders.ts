// Reports events in folders. An event is only a hint: some file systems report none, so the caller must also check from time to
// time. Each folder is watched separately, because on Linux a watch on a tree misses entries in a new folder.
import { type FSWatcher, statSync, watch } from 'node:fs';

/** Watched folders. */
export interface FolderWatch {
  /** Watches these folders, and no others. */
  readonly follow: (folders: readonly string[]) => void;
  readonly close: () => void;
}

/** Returns a watch on folders, which calls `onHint` at each event in one of them. */
export function watchFolders(onHint: () => void): FolderWatch {
  const watched = new Map<string, Watched>();
  const leave = (folder: string): void => {
    watched.get(folder)?.watcher.close();
    watched.delete(folder);
  };
  const enter = (folder: string): void => {
    try {
      // The watch does not keep the process running, because the server of the program does.
      const watcher = watch(folder, { persistent: false }, onHint);
      watcher.on('error', () => {
        leave(folder);
        onHint();
      });
      watched.set(folder, { watcher, identity: identityOf(folder) });
    } catch {
      // The folder no longer exists, or the system allows no further watches. The periodic checks of the caller are enough.
    }
  };
  return {
    follow: folders => {
      const wanted = new Set(folders);
      for (const [folder, { identity }] of [...watched])
        if (!wanted.has(folder) || identity !== identityOf(folder)) leave(folder);
      for (const folder of wanted) if (!watched.has(folder)) enter(folder);
    },
    close: () => {
      for (const folder of [...watched.keys()]) leave(folder);
    },
  };
}

interface Watched {
  readonly watcher: FSWatcher;
  /** Identifies the folder on the disk. If a folder is deleted and created again, its identity differs. */
  readonly identity: string | undefined;
}

// Contains the time of creation, because a new folder may get the inode number of a deleted one.
function identityOf(folder: string): string | undefined {
  try {
    const { ino, birthtimeMs } = statSync(folder);
    return `${ino} ${birthtimeMs}`;
  } catch {
    return undefined;
  }
}
