// Finds the project files beside the desired-state files, and above them up to the root of their repository.
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Span } from '../../model/diagnostic.ts';
import { readConfined } from './confined.ts';
import { type FileText, readRegular } from './fileText.ts';
import {
  foreignText,
  hasOtherWriters,
  isForeign,
  type Owner,
  ownerOf,
  ownerThrough,
} from './owners.ts';

/** A file that exists but cannot be read. `why` completes "… cannot be read: ". */
interface UnreadableFile {
  readonly file: string;
  readonly text?: undefined;
  readonly why: string;
  /** What to do, if another user of the machine may have written the file; otherwise absent. */
  readonly foreign?: string;
}

interface ReadableFile extends FileText {
  /** The owner of the file; absent if it is not known, as for a file of a revision. */
  readonly owner?: Owner;
}

/** A project file, or why it cannot be read. */
export type FoundFile = ReadableFile | UnreadableFile;

/** Reads the file called `name` in a folder; returns null if there is none. */
export interface FileInFolder {
  (folder: string, name: string): FoundFile | null;
  /** The settings of a fleet for the files at a path. */
  readonly inFleet?: (path: string) => FleetSettings | undefined;
}

/** The settings in a fleet entry for the files of one account. */
export interface FleetSettings {
  /** The fleet file. */
  readonly file: string;
  readonly account?: string | undefined;
  /** The place of the entry in the fleet file. */
  readonly accountAt?: Span | undefined;
  /** The name of the base, which is used if no project file sets one. */
  readonly name?: string | undefined;
  /** The paths of all layers of the account, links resolved. */
  readonly layers: readonly string[];
  /** The layers that do not exist, and so declare nothing. */
  readonly absent: readonly string[];
}

/** Returns a reader that reads each file once, so that a run does not see half of a change. */
export function readOnce(read: FileInFolder = fileIn): FileInFolder {
  const known = new Map<string, FoundFile | null>();
  return (folder, name) => {
    const file = join(folder, name);
    const found = known.get(file) ?? (known.has(file) ? null : read(folder, name));
    known.set(file, found);
    return found;
  };
}

/**
 * All files called `name` from `path` upwards to the root of the repository, the nearest first. If `path` is a link and nothing
 * is found above it, the target of the link is tried. A file that other users of the machine may have written is returned as
 * unreadable. It must not be skipped, because without it the files would lose their guards.
 */
export function findAllUpwards(
  path: string,
  name: string,
  read: FileInFolder = fileIn,
): readonly FoundFile[] {
  const find = (start: string) => {
    const home = ownerOf(start);
    return foldersFrom(start).flatMap(folder => trusted(read(folder, name), home) ?? []);
  };
  const folder = folderOf(path);
  const real = realOf(folder);
  const found = find(folder);
  return found.length > 0 || real === folder ? found : find(real);
}

/** The folder of the nearest file called `name`, which is not read; null if there is none. */
export function folderUpwards(path: string, name: string): string | null {
  const nearest = (start: string) =>
    foldersFrom(start).find(folder => mayBeThere(join(folder, name)));
  const folder = folderOf(path);
  return nearest(folder) ?? nearest(realOf(folder)) ?? null;
}

/** Names that a person may give the file `name` by mistake, for which no run looks. */
function nearNames(name: string): {
  readonly hidden: readonly string[];
  readonly shown: readonly string[];
} {
  const stem = name.replace(/\.yaml$/, '');
  const capital = stem.charAt(0).toUpperCase() + stem.slice(1);
  const shown = [stem, capital, stem.toUpperCase()].flatMap(one => [`${one}.yaml`, `${one}.yml`]);
  const others = shown.filter(one => one !== name).concat(name.toUpperCase());
  return { hidden: [`.${name}`, `.${stem}.yml`], shown: others };
}

/**
 * Files whose name is nearly `name`, from `path` upwards to the root of the repository, the nearest
 * first. They look like that file, but nothing reads them. In the folder itself, only hidden files
 * are returned, because any other file there is a file of desired state.
 */
export function misnamedUpwards(path: string, name: string): readonly string[] {
  const { hidden, shown } = nearNames(name);
  const folder = folderOf(path);
  return foldersFrom(folder).flatMap(one => {
    const names = one === folder ? hidden : [...hidden, ...shown];
    return names.map(near => join(one, near)).filter(file => isOther(file, join(one, name)));
  });
}

// Some file systems ignore case: there, both names are the same file. The code that reads the
// folder reports a file that cannot be read.
function isOther(file: string, proper: string): boolean {
  try {
    const there = lstatSync(file, { throwIfNoEntry: false });
    if (there === undefined || there.isDirectory()) return false;
    return lstatSync(proper, { throwIfNoEntry: false })?.ino !== there.ino;
  } catch {
    return false;
  }
}

// The owner of the folder of desired state, and all users who can write there, decide about its content anyway. A checkout may
// belong to another user throughout, as in a container.
function trusted(found: FoundFile | null, home: Owner | undefined): FoundFile | null {
  if (found?.text === undefined || found.owner === undefined) return found;
  const { owner, ...text } = found;
  const { file } = text;
  if (isForeign(owner, home)) return { file, why: foreignText(owner), foreign: TAKE_OVER };
  if (!hasOtherWriters(owner, home)) return text;
  return { file, why: 'other users can write it', foreign: CLOSE };
}

const BELOW = 'or keep the files below a folder in which nobody else can write';
const TAKE_OVER = `remove it, if it is not meant for these files; otherwise take it over with \`chown\`, ${BELOW}`;
const CLOSE = `read it, then remove the write permission of others with \`chmod go-w\`, ${BELOW}`;

function foldersFrom(path: string): readonly string[] {
  const above = dirname(path);
  return isRootOfRepository(path) || above === path ? [path] : [path].concat(foldersFrom(above));
}

// Whether a folder is the root of a repository. A submodule does not count as a root: the commits of the outer repository make it
// a submodule, so the guards of project files above the submodule apply.
function isRootOfRepository(folder: string): boolean {
  const entry = join(folder, '.git');
  if (!existsSync(entry)) return false;
  const file = readRegular(entry);
  return !('text' in file && /^gitdir: .*[\\/]modules[\\/]/.test(file.text));
}

/** Reads the file called `name` in a folder; null if there is none. A link out of the folder is not followed. */
export function fileIn(folder: string, name: string): FoundFile | null {
  const file = join(folder, name);
  if (!mayBeThere(file)) return null;
  const read = readConfined(realOf(folder), file);
  if ('why' in read) return { file, why: read.why };
  const owner = ownerThrough(file, read.owner);
  return { file, text: read.text, ...(owner && { owner }) };
}

// Whether a file may exist. A file that cannot be examined counts as existing, because otherwise the files would lose its guards.
function mayBeThere(file: string): boolean {
  try {
    return !lstatSync(file).isDirectory();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}

/**
 * The folder `path`, or the folder that contains the file `path`; if the system cannot read it, the nearest parent that it can
 * read.
 */
export function folderOf(path: string): string {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? dirname(path) : path;
  } catch {
    return dirname(path);
  }
}

/** `path` with its links resolved; if it does not exist, with the links of the folders above it resolved. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realOf(above), basename(path));
  }
}

/** Whether a path is a layer that an account of a fleet does not have. */
export const isAbsentLayer = (path: string, projectFiles: FileInFolder | undefined): boolean =>
  projectFiles?.inFleet?.(path)?.absent.includes(realOf(path)) === true;
