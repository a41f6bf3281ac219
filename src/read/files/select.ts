// Selects the desired-state files of a folder tree, by one rule for folders and for git revisions.
import { matchesGlob, relative, sep } from 'node:path';
import { folderUpwards, realOf } from './projectFilesAbove.ts';

export interface Selection {
  /** The name of the project file, which is not desired state. */
  readonly projectFile: string;
  /** Paths and patterns that the project excludes, relative to the folder of the project file. */
  readonly exclude: readonly string[];
}

/** Decides which paths are desired state. The paths have slashes, and are relative to one folder. */
export interface Selector {
  /** Whether the file at `path` is read. */
  readonly isSelected: (path: string) => boolean;
  /** Whether the file at `path` would be read if its extension were spelt correctly. */
  readonly isMisspelt: (path: string) => boolean;
  /** Whether the file at `path` is a project file of an inner folder, which this run does not read. */
  readonly isInnerProject: (path: string) => boolean;
  /** Whether the file or folder at `path` is excluded with everything in it. */
  readonly isLeftOut: (path: string) => boolean;
}

/** The selector for the files in `folder`. */
export function selectorFor(folder: string, selection: Selection): Selector {
  const home = folderUpwards(folder, selection.projectFile);
  return selectorIn(home === null ? '' : wayTo(folder, home), selection);
}

/**
 * The selector for a folder that is given by its path from the folder of the project file, with slashes; '' for that folder
 * itself.
 */
export function selectorIn(way: string, { projectFile, exclude }: Selection): Selector {
  const patterns = exclude.map(pattern => pattern.replace(/^\.\//, '').replace(/\/$/, ''));
  const isLeftOut = (path: string): boolean =>
    path.split('/').some(part => part.startsWith('.')) ||
    foldersOf(way === '' ? path : `${way}/${path}`).some(part =>
      patterns.some(pattern => part === pattern || matchesGlob(part, pattern)),
    );
  return {
    isLeftOut,
    isSelected: path =>
      /\.ya?ml$/.test(path) && path.split('/').at(-1) !== projectFile && !isLeftOut(path),
    isInnerProject: path =>
      path.includes('/') && path.split('/').at(-1) === projectFile && !isLeftOut(path),
    isMisspelt: path => NEARLY_YAML.test(path) && !/\.ya?ml$/.test(path) && !isLeftOut(path),
  };
}

// The path of a folder from the folder of the project file. If the folder is a link, the project file may be above the target but
// not above the link; the path is then taken from the target.
function wayTo(folder: string, home: string): string {
  const way = relative(home, folder);
  const isBelow = way.split(sep)[0] !== '..';
  return (isBelow ? way : relative(home, realOf(folder))).split(sep).join('/');
}

// Misspelt or capitalised forms of `yaml`. If such a file were ignored, its declarations would look removed.
const NEARLY_YAML = /\.(y[aml]{2,5}|aml|ayml|mly)$/i;

// `a/b/c` and its parents: a, a/b, a/b/c.
function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}
