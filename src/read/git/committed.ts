// Checks whether a commit has files with the texts that were read. The index and `git status` cannot answer this, because ignored
// files, settings, attributes and marks in the index hide changes from them.
import { lstatSync, readlinkSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { PROJECT_FILE } from '../../source/project/project.ts';
import { isThere } from '../files/isThere.ts';
import { folderOf, realOf } from '../files/projectFilesAbove.ts';
import { selectorFor } from '../files/select.ts';
import type { CommittedEntry, HeadFiles } from './headFiles.ts';
import type { Layer } from './layers.ts';
import { nameOfObject } from './objectNames.ts';
import { prefixOf } from './repository.ts';

/** A file as it was read. */
export interface TextAt {
  /** The path on the disk. */
  readonly path: string;
  readonly text: string;
}

/** Files as they were read, and the layers to which all of them belong. */
export interface TextsOfLayers {
  readonly layers: readonly Pick<Layer, 'path' | 'selection'>[];
  /** The files of desired state and the project files. */
  readonly texts: readonly TextAt[];
}

/** A file that differs from the commit, by its path from the root of the repository. */
export interface Differing {
  readonly path: string;
  /** `new`: the commit does not have it. `removed`: only the commit has it. */
  readonly is: 'changed' | 'new' | 'removed';
}

/** The files that differ from a commit of the repository with this root. Files that were read come first. */
export const differing = (
  root: string,
  head: Pick<HeadFiles, 'entries'>,
  { layers, texts }: TextsOfLayers,
): readonly Differing[] => [
  ...changedTexts(root, head, texts),
  ...removedFiles(root, head, { layers, texts }),
  ...layers.flatMap(({ path }) => removedProjects(root, head, path)),
];

/** The texts that a commit does not have. */
export const changedTexts = (
  root: string,
  { entries }: Pick<HeadFiles, 'entries'>,
  texts: readonly TextAt[],
): readonly Differing[] => {
  const compare = (
    path: string | null,
    isSame: (entry: CommittedEntry) => boolean,
  ): readonly Differing[] => {
    // A project file in the repository around a submodule is skipped, because the commit does not contain it.
    if (path === null) return [];
    const entry = entries.get(path);
    if (entry === undefined) return [{ path, is: 'new' }];
    return isSame(entry) ? [] : [{ path, is: 'changed' }];
  };
  return texts.flatMap(({ path, text }) => [
    ...linksAt(path).flatMap(link =>
      compare(wayIn(root, link.path), entry => isLink(entry, link.target)),
    ),
    ...compare(wayIn(root, realOf(path)), entry => isFile(entry, text)),
  ]);
};

// The files of desired state that only the commit has. For a layer that is one file, its text shows this.
function removedFiles(
  root: string,
  { entries }: Pick<HeadFiles, 'entries'>,
  { layers, texts }: TextsOfLayers,
): readonly Differing[] {
  const known = new Set(texts.map(({ path }) => wayIn(root, unlinked(path))));
  const removed = layers.flatMap(({ path, selection }) => {
    const real = realOf(path);
    if (folderOf(real) !== real) return [];
    const prefix = prefixOf({ folder: real });
    const { isSelected } = selectorFor(path, selection);
    return [...entries.keys()].filter(
      file => file.startsWith(prefix) && !known.has(file) && isSelected(file.slice(prefix.length)),
    );
  });
  return removed.map(path => ({ path, is: 'removed' }));
}

/** The project files beside and above the files at a path that only the commit has. */
export const removedProjects = (
  root: string,
  { entries }: Pick<HeadFiles, 'entries'>,
  path: string,
): readonly Differing[] =>
  projectPlaces(root, path)
    .filter(file => entries.has(file) && !isThere(join(root, file)))
    .map(one => ({ path: one, is: 'removed' }));

const isLink = ({ mode, object }: CommittedEntry, target: string): boolean =>
  mode === '120000' && object === nameOf(target, object);

// Also compares the text with LF, because git may have checked out the lines with CRLF.
const isFile = ({ mode, object }: CommittedEntry, text: string): boolean =>
  mode.startsWith('100') &&
  (object === nameOf(text, object) || object === nameOf(text.replaceAll('\r\n', '\n'), object));

const nameOf = (text: string, like: string): string =>
  nameOfObject(
    { type: 'blob', content: Buffer.from(text) },
    like.length === 64 ? 'sha256' : 'sha1',
  );

/** The path with all links resolved, except a link at its end. */
const unlinked = (path: string): string => join(realOf(dirname(path)), basename(path));

/** The links from a path to its file. Only the last part of each returned path is a link. */
function linksAt(path: string): { readonly path: string; readonly target: string }[] {
  const links: { path: string; target: string }[] = [];
  for (let at = unlinked(path); links.length <= MOST_LINKS; ) {
    const target = targetOf(at);
    if (target === null) return links;
    links.push({ path: at, target });
    at = unlinked(resolve(dirname(at), target));
  }
  return links;
}

/** File systems follow at most this many links. */
const MOST_LINKS = 40;

function targetOf(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}

/** The possible places of project files for the files at a path: beside them, and above them up to the root of the repository. */
function projectPlaces(root: string, path: string): readonly string[] {
  const found = new Set<string>();
  for (const start of [folderOf(path), folderOf(realOf(path))]) {
    for (let at = start; ; at = dirname(at)) {
      const way = wayIn(root, realOf(at));
      if (way !== null) found.add(way === '' ? PROJECT_FILE : `${way}/${PROJECT_FILE}`);
      if (dirname(at) === at) break;
    }
  }
  return [...found];
}

/** The path from the root of the repository, with slashes; null for a path outside. */
function wayIn(root: string, real: string): string | null {
  const parts = relative(root, real).split(sep);
  return parts[0] === '..' ? null : parts.join('/');
}
