// Finds the project files: beside the files they are for, and above them, up to the root of their repository.
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

/** A file that exists and cannot be read, and why, in words that complete "… cannot be read: ". */
interface UnreadableFile {
  readonly file: string;
  readonly text?: undefined;
  readonly why: string;
  /** What to do, if another user of the machine may have written it. */
  readonly foreign?: string;
}

interface ReadableFile extends FileText {
  /** Absent if it is not known, as of a file of a revision. */
  readonly owner?: Owner;
}

/** A project file, or why it cannot be read. */
export type FoundFile = ReadableFile | UnreadableFile;

/** The file called `name` in a folder; null if there is none. */
export interface FileInFolder {
  (folder: string, name: string): FoundFile | null;
  /** What a fleet says of the files at a path. */
  readonly inFleet?: (path: string) => FleetSettings | undefined;
}

/** The settings in a fleet entry for the files of one account. */
export interface FleetSettings {
  /** The fleet file. */
  readonly file: string;
  readonly account?: string | undefined;
  /** Where the fleet file has the entry. */
  readonly accountAt?: Span | undefined;
  /** The name of the base, if no project file has it. */
  readonly name?: string | undefined;
  /** The paths of all layers of the account, links resolved. */
  readonly layers: readonly string[];
  /** Those of them that do not exist, and so declare nothing. */
  readonly absent: readonly string[];
}

/** Reads each file once, so that a run does not see half of a change. */
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
 * All files called `name` from `path` upwards to the root of the repository, the nearest first. If `path` is a link and nothing is found
 * above it, its target is tried. A file that other users of the machine can have written is not read, and not passed over: without it, the
 * files would lose their guards.
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

/** The folder of the nearest of these files, which is not read; null if there is none. */
export function folderUpwards(path: string, name: string): string | null {
  const nearest = (start: string) =>
    foldersFrom(start).find(folder => mayBeThere(join(folder, name)));
  const folder = folderOf(path);
  return nearest(folder) ?? nearest(realOf(folder)) ?? null;
}

// Whoever owns the folder of desired state decides what it says anyway, and so do all who can write there: a checkout may belong to
// another user throughout, as in a container.
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
const CLOSE = `read it, then take the right to write it away with \`chmod go-w\`, ${BELOW}`;

function foldersFrom(path: string): readonly string[] {
  const above = dirname(path);
  return isRootOfRepository(path) || above === path ? [path] : [path].concat(foldersFrom(above));
}

// A submodule is a part of the repository around it, and a commit there decides that it is one: the guards of the files above it hold.
function isRootOfRepository(folder: string): boolean {
  const entry = join(folder, '.git');
  if (!existsSync(entry)) return false;
  const file = readRegular(entry);
  return !('text' in file && /^gitdir: .*[\\/]modules[\\/]/.test(file.text));
}

/** Reads the file called `name` in a folder; null if there is none. No link leads out of the folder. */
export function fileIn(folder: string, name: string): FoundFile | null {
  const file = join(folder, name);
  if (!mayBeThere(file)) return null;
  const read = readConfined(realOf(folder), file);
  if ('why' in read) return { file, why: read.why };
  const owner = ownerThrough(file, read.owner);
  return { file, text: read.text, ...(owner && { owner }) };
}

// An unreadable file may exist: without it the files would lose their guards.
function mayBeThere(file: string): boolean {
  try {
    return !lstatSync(file).isDirectory();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}

/** The folder `path`, or the folder that contains it; a parent of it if the system cannot read it. */
export function folderOf(path: string): string {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? dirname(path) : path;
  } catch {
    return dirname(path);
  }
}

/** `path` with its links resolved; if it does not exist, with those of the folders above it. */
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
