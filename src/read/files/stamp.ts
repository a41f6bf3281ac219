// Computes a text that changes whenever one of some files changes, so that a run can notice this.
import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The state of files. */
export interface Stamp {
  /** Equal to the text of an earlier stamp if no file was written since then. */
  readonly text: string;
  /** Every folder in which a file of the paths can appear or change. */
  readonly folders: readonly string[];
}

/** The files of a stamp. */
export interface Stamped {
  /** Folders with everything in them, or single files. */
  readonly paths: readonly string[];
  /** Further files, whether or not they exist. */
  readonly files: readonly string[];
}

/** The stamp of files. Entries whose names begin with a dot are skipped, because they are never desired state. */
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

// A folder may be deleted before it is listed.
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

// The line of an entry. It contains the inode, because an editor may replace a file within one tick of the clock.
function lineOf(path: string): string {
  const stats = statsOf(path);
  return JSON.stringify([path, stats?.mtimeMs, stats?.ctimeMs, stats?.size, stats?.ino]);
}
