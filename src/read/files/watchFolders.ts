// Hears that something happens in folders. A hint only: some file systems tell nothing, so whoever listens looks from time to
// time as well. Each folder is watched on its own, because watching a tree misses what appears in a new folder on Linux.
import { type FSWatcher, statSync, watch } from 'node:fs';

/** Watched folders. */
export interface FolderWatch {
  /** Watches these folders, and no others. */
  readonly follow: (folders: readonly string[]) => void;
  readonly close: () => void;
}

/** Watches folders. `onHint` is called at each event in one of them. */
export function watchFolders(onHint: () => void): FolderWatch {
  const watched = new Map<string, Watched>();
  const leave = (folder: string): void => {
    watched.get(folder)?.watcher.close();
    watched.delete(folder);
  };
  const enter = (folder: string): void => {
    try {
      // The program lives as long as its server, not as long as its folders.
      const watcher = watch(folder, { persistent: false }, onHint);
      watcher.on('error', () => {
        leave(folder);
        onHint();
      });
      watched.set(folder, { watcher, identity: identityOf(folder) });
    } catch {
      // The folder is gone, or the system watches no more: looking from time to time is enough.
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
  /** A folder that was deleted and created again is a different folder. */
  readonly identity: string | undefined;
}

// The number of a deleted folder is given to the next one.
function identityOf(folder: string): string | undefined {
  try {
    const { ino, birthtimeMs } = statSync(folder);
    return `${ino} ${birthtimeMs}`;
  } catch {
    return undefined;
  }
}
