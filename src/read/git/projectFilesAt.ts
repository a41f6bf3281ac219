// The project files of a git revision: beside the files of a folder, and above them up to the root of the repository.
import { isUtf8 } from 'node:buffer';
import { posix } from 'node:path';
import type { FoundFile } from '../files/projectFilesAbove.ts';
import type { Revision } from './filesAtRevision.ts';
import { contentsOf } from './objectContents.ts';
import { prefixOf } from './repository.ts';
import { type GitPlace, git } from './runGit.ts';

/** A project file of a revision. */
export type FileAtRevision = FoundFile & {
  /** The path from the root of the repository to the folder with the file; '' for the root. */
  readonly folder: string;
};

/**
 * All files called `file` in a revision from a folder upwards, the nearest first. The folder is given by its path from the root
 * of the repository; the default is the folder of the place. Throws if git fails.
 */
export async function projectFilesAt(
  place: GitPlace,
  { commit, name }: Revision,
  file: string,
  folder: string = prefixOf(place),
): Promise<readonly FileAtRevision[]> {
  const parts = folder.split('/').filter(Boolean);
  const paths = [...parts.keys(), parts.length]
    .map(count => posix.join(...parts.slice(0, count), file))
    .reverse();
  const found = await entriesAt(place, commit, paths);
  return Promise.all(
    paths
      .flatMap(path => found.get(path) ?? [])
      .map(async (entry): Promise<FileAtRevision> => {
        const text = await textOf(place, commit, entry);
        const shown = `${name}:${entry.path}`;
        const at = { file: shown, folder: entry.path.slice(0, -file.length).replace(/\/$/, '') };
        return text === null ? { ...at, why: UNREADABLE } : { ...at, text };
      }),
  );
}

const UNREADABLE = 'it is not a file with UTF-8 text, or a link out of its folder';

/**
 * The path in a revision after links are followed, and whether it is a file; null if nothing is there, or if a link leads out of
 * the repository. Throws if git fails.
 */
export async function followedAt(
  place: GitPlace,
  commit: string,
  path: string,
): Promise<{ readonly path: string; readonly isFile: boolean } | null> {
  let parts = path.split('/').filter(part => part !== '' && part !== '.');
  for (let links = 0; links <= MOST_LINKS; links++) {
    const paths = parts.map((_, i) => parts.slice(0, i + 1).join('/'));
    if (paths.length === 0) return { path: '', isFile: false };
    if (parts[0] === '..') return null;
    // Each path is a separate question. If several paths were asked at once, git would list the content of a folder instead of
    // the folder.
    const each = await Promise.all(paths.map(one => entriesAt(place, commit, [one])));
    const found = new Map(each.flatMap(entries => [...entries]));
    const at = paths.findIndex(one => found.get(one)?.mode === LINK);
    const last = found.get(paths.at(-1) ?? '');
    if (at < 0) return last ? { path: last.path, isFile: last.mode.startsWith('100') } : null;
    const [content] = await contentsOf(place, [found.get(paths[at] ?? '')?.object ?? '']);
    const target = content?.toString('utf8') ?? '';
    const whole = posix.join(...parts.slice(0, at), target, ...parts.slice(at + 1));
    if (target === '' || target.startsWith('/')) return null;
    parts = whole.split('/').filter(part => part !== '' && part !== '.');
  }
  return null;
}

/** File systems follow at most this many links. */
const MOST_LINKS = 40;

interface Entry {
  readonly path: string;
  readonly mode: string;
  readonly object: string;
}

async function textOf(
  place: GitPlace,
  commit: string,
  { path, mode, object }: Entry,
): Promise<string | null> {
  const [content] = await contentsOf(place, [object]);
  if (!content || !isUtf8(content)) return null;
  const text = content.toString('utf8');
  if (mode !== LINK) return text;
  // As on a disk, a link is followed only inside its own folder.
  const home = posix.dirname(path);
  const target = posix.join(home, text);
  const isOut = home === '.' ? target.startsWith('..') : !target.startsWith(`${home}/`);
  if (isOut || text.startsWith('/')) return null;
  const entry = (await entriesAt(place, commit, [target])).get(target);
  return entry === undefined || entry.mode === LINK ? null : textOf(place, commit, entry);
}

const LINK = '120000';

/** The entries at paths from the root of the repository, by path. Throws if git fails. */
async function entriesAt(
  place: GitPlace,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Entry>> {
  const listed = await git(place, ['ls-tree', '-z', commit, '--', ...paths]);
  const lines = listed.toString('utf8').split('\0').filter(Boolean);
  return new Map(
    lines.map(line => {
      const [, mode = '', object = '', path = ''] = line.match(/^(\d+) \w+ (\w+)\t(.*)$/s) ?? [];
      return [path, { path, mode, object }] as const;
    }),
  );
}
