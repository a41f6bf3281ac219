// Whether files have changed since they were read: a text that differs as soon as one of them does.
import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The state of files. */
export interface Stamp {
  /** Equal for files that were not written meanwhile. */
  readonly text: string;
  /** Every folder in which a file of the paths can appear or change. */
  readonly folders: readonly string[];
}

/** The files of a stamp. */
export interface Stamped {
  /** Folders with all that is in them, or single files. */
  readonly paths: readonly string[];
  /** Files that count by their place, whether or not they exist. */
  readonly files: readonly string[];
}

/** The stamp of files. Entries whose name begins with a dot never are desired state. */
export function stampOf({ paths, files }: Stamped): Stamp {
  const folders = new Set<string>();
  const lines: string[] = [];
  const visit = (folder: string): void => {
    folders.add(folder);
    for (const entry of entriesOf(folder)) {
      if (entry.name.startsWith('.')) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) visit(path);
      else lines.push(lineOf(path));
    }
  };
  for (const path of paths) {
    if (statsOf(path)?.isDirectory()) visit(path);
    else {
      folders.add(dirname(path));
      lines.push(lineOf(path));
    }
  }
  for (const file of files) lines.push(lineOf(file));
  return { text: lines.sort().join('\n'), folders: [...folders] };
}

// A folder may be gone before it is listed.
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

// An editor that replaces a file within a tick of the clock makes another inode.
function lineOf(path: string): string {
  const stats = statsOf(path);
  return JSON.stringify([path, stats?.mtimeMs, stats?.ctimeMs, stats?.size, stats?.ino]);
}
