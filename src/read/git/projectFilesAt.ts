// The project files of a git revision: beside the files of a folder, and above them up to the root of the repository.
import { isUtf8 } from 'node:buffer';
import { posix } from 'node:path';
import type { FoundFile } from '../files/upwards.ts';
import type { Revision } from './git.ts';
import { contentsOf } from './objects.ts';
import { prefixOf } from './repository.ts';
import { type GitPlace, git } from './runGit.ts';

/** All files called `file` from a folder upwards, the nearest first, in a revision. Throws if git fails. */
export async function projectFilesAt(
  place: GitPlace,
  { commit, name }: Revision,
  file: string,
): Promise<readonly FoundFile[]> {
  const parts = prefixOf(place).split('/').filter(Boolean);
  const paths = [...parts.keys(), parts.length]
    .map(count => posix.join(...parts.slice(0, count), file))
    .reverse();
  const found = await entriesAt(place, commit, paths);
  return Promise.all(
    paths
      .flatMap(path => found.get(path) ?? [])
      .map(async (entry): Promise<FoundFile> => {
        const text = await textOf(place, commit, entry);
        const shown = `${name}:${entry.path}`;
        return text === null ? { file: shown, why: UNREADABLE } : { file: shown, text };
      }),
  );
}

const UNREADABLE = 'it is not a file with UTF-8 text, or a link out of its folder';

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
  // As on a disk, a link is followed in its folder.
  const home = posix.dirname(path);
  const target = posix.join(home, text);
  const isOut = home === '.' ? target.startsWith('..') : !target.startsWith(`${home}/`);
  if (isOut || text.startsWith('/')) return null;
  const entry = (await entriesAt(place, commit, [target])).get(target);
  return entry === undefined || entry.mode === LINK ? null : textOf(place, commit, entry);
}

const LINK = '120000';

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
