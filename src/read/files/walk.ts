// Lists the entries of a folder tree: those that may be read, and those that cannot be read and must be reported.
import { type Dirent, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LEADS_OUT, locate } from './confined.ts';
import { reasonOf, specialFile } from './fileText.ts';
import { OTHER_REPOSITORY } from './findings.ts';

/** An entry that is not read. `why` completes "… cannot be read: ". */
interface Unread {
  readonly path: string;
  readonly why: string;
}

/** The content of a folder tree; paths have slashes and are relative to the folder. */
export interface Tree {
  /** Regular files, and links to regular files inside the folder. */
  readonly files: readonly string[];
  readonly unread: readonly Unread[];
}

/** Which entries of a tree matter. */
export interface TreeRules {
  /** Whether an entry is skipped with everything in it. */
  readonly isLeftOut: (path: string) => boolean;
  /** Whether a file with this path is of interest. A link to any other file is ignored, because it may point anywhere. */
  readonly isWanted: (path: string) => boolean;
}

/** Walks through `home`, a folder without links in its path. Throws if `home` cannot be listed. */
export function walk(home: string, { isLeftOut, isWanted }: TreeRules): Tree {
  const files: string[] = [];
  const unread: Unread[] = [];
  const look = (entry: Dirent, path: string): void => {
    const found = isMangled(entry.name, join(home, path))
      ? MANGLED
      : kindOf(entry, join(home, path));
    // An undecodable name does not matter if the file is not wanted.
    if (found === MANGLED && entry.isFile() && !isWanted(path)) return;
    const why = found === 'link' ? linkFault(home, path, isWanted(path)) : found;
    if (found === 'folder') visit(path);
    else if (why === null) files.push(path);
    else unread.push({ path, why });
  };
  const list = (inside: string): readonly Dirent[] => {
    try {
      return readdirSync(join(home, inside), { withFileTypes: true });
    } catch (error) {
      if (inside === '') throw error;
      unread.push({ path: inside, why: reasonOf(error) });
      return [];
    }
  };
  const visit = (inside: string): void => {
    const entries = list(inside);
    if (inside !== '' && entries.some(({ name }) => name === '.git')) {
      unread.push({ path: inside, why: OTHER_REPOSITORY });
      return;
    }
    for (const entry of entries) {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
      if (!isLeftOut(path)) look(entry, path);
    }
  };
  visit('');
  return { files, unread };
}

const MANGLED = 'its name is not UTF-8 text';

// Whether a name cannot be decoded. Node replaces undecodable bytes with U+FFFD, so no file with the resulting name exists.
const isMangled = (name: string, path: string): boolean =>
  name.includes('\uFFFD') && !existsSync(path);

// The type of an entry; some file systems do not give it in a listing. Null means a regular file.
// Any other text is the reason why the entry is not read.
function kindOf(entry: Dirent, path: string): 'folder' | 'link' | string | null {
  try {
    const isKnown = entry.isFile() || entry.isDirectory() || entry.isSymbolicLink();
    const stats = isKnown ? entry : lstatSync(path, { bigint: true });
    if (stats.isDirectory()) return 'folder';
    return stats.isSymbolicLink() ? 'link' : specialFile(stats);
  } catch (error) {
    return reasonOf(error);
  }
}

function linkFault(home: string, path: string, isWanted: boolean): string | null {
  try {
    const stats = statSync(join(home, path), { bigint: true });
    if (stats.isDirectory()) return 'it is a link to a folder, which is not followed';
    if (!stats.isFile()) return specialFile(stats);
  } catch (error) {
    return reasonOf(error);
  }
  if (!isWanted) return null;
  const found = locate(home, join(home, path));
  if ('real' in found) return null;
  return found.why === LEADS_OUT ? 'it is a link to a target outside the folder' : found.why;
}
