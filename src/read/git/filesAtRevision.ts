// Desired-state files of a git revision. They are read from git objects; no checkout is changed.
import { isUtf8 } from 'node:buffer';
import { basename, posix } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import type { ProgramHost } from '../environment.ts';
import { nothingFound, SUBMODULE, unreadable, unreadableEntry } from '../files/findings.ts';
import type { FileTexts } from '../files/folder.ts';
import { folderOf, realOf } from '../files/projectFilesAbove.ts';
import { type Selection, type Selector, selectorFor } from '../files/select.ts';
import { contentsOf } from './objectContents.ts';
import { prefixOf } from './repository.ts';
import { type GitPlace, git, gitFault } from './runGit.ts';
import { type EntryKind, type Followed, follower } from './treeLinks.ts';

/** A commit, and the name that people use for it. */
export interface Revision {
  readonly commit: string;
  readonly name: string;
}

/** A folder or one file of desired state. */
interface FilesPlace {
  readonly host: ProgramHost;
  readonly path: string;
}

/**
 * The desired-state files at a path in a revision. Links are followed if their targets are in the folder. Unreadable files are
 * errors, as for a folder on a disk.
 */
export async function filesAtRevision(
  { path, host }: FilesPlace,
  { commit, name }: Revision,
  selection: Selection,
): Promise<FileTexts> {
  const real = realOf(path);
  const folder = folderOf(real);
  const place = { folder, host };
  try {
    const listed = await listing(place, commit, prefixOf(place));
    const wanted = real === folder ? selectorFor(path, selection) : only(basename(real));
    const found = await textsIn(place, { listed, wanted, nameOf: file => `${name}:${file}` });
    return found ?? { files: [], diagnostics: [nothingAt(real, name, listed)] };
  } catch (error) {
    const { why, hint } = gitFault(error);
    return { files: [], diagnostics: [unreadable(name, why, hint)] };
  }
}

/** A folder or one file of a revision, by its path from the root of the repository. */
export interface TreePlace {
  readonly path: string;
  readonly isFile: boolean;
  /** Which files of a folder are desired state. */
  readonly selector: Selector;
}

/**
 * The desired-state files of a folder or a file in a revision, even if the checkout does not have it there; null if the revision
 * has no such path. Throws if git fails.
 */
export async function filesInTree(
  place: GitPlace,
  { commit, name }: Revision,
  { path, isFile, selector }: TreePlace,
): Promise<FileTexts | null> {
  const folder = isFile ? posix.dirname(path) : path;
  const prefix = folder === '' || folder === '.' ? '' : `${folder}/`;
  const listed = await listing(place, commit, prefix);
  const wanted = isFile ? only(posix.basename(path)) : selector;
  return textsIn(place, { listed, wanted, nameOf: file => `${name}:${prefix}${file}` });
}

/** Null if there are no files. */
async function textsIn(
  place: GitPlace,
  {
    listed,
    wanted,
    nameOf,
  }: {
    readonly listed: Listing;
    readonly wanted: Wanted;
    readonly nameOf: (file: string) => string;
  },
): Promise<FileTexts | null> {
  const found = chosen(listed, wanted);
  if (found.files.length + found.faults.length === 0) return null;
  const texts = await textsOf(place, found.files);
  return {
    files: texts.flatMap(({ file, text }) => (text === null ? [] : [{ file: nameOf(file), text }])),
    diagnostics: [
      ...found.faults.map(({ file, why }) => unreadableEntry(nameOf(file), why)),
      ...texts.flatMap(({ file, text }) => (text === null ? [notText(nameOf(file))] : [])),
    ],
  };
}

const notText = (file: string): Diagnostic =>
  unreadable(file, 'it is not UTF-8 text, or this clone does not have it');

interface Entry {
  readonly kind: EntryKind;
  readonly object: string;
}

interface Listing {
  readonly prefix: string;
  readonly entries: ReadonlyMap<string, Entry>;
  /** Follows a link. */
  readonly follow: (path: string) => Followed;
}

async function listing(place: GitPlace, commit: string, prefix: string): Promise<Listing> {
  const answer = await git(place, ['ls-tree', '-r', '-z', commit, prefix || '.']);
  const lines = answer.toString('utf8').split('\0');
  const entries = new Map(
    lines.flatMap(line => {
      const [, mode = '', object = '', path = ''] = line.match(/^(\d+) \w+ (\w+)\t(.*)$/s) ?? [];
      return path === ''
        ? []
        : [[path.slice(prefix.length), { kind: kindOf(mode), object }] as const];
    }),
  );
  const links = [...entries].filter(([, { kind }]) => kind === 'link');
  const contents = await contentsOf(
    place,
    links.map(([, { object }]) => object),
  );
  const targets = new Map(links.map(([path], i) => [path, contents[i]?.toString('utf8') ?? '']));
  const kinds = new Map([...entries].map(([path, { kind }]) => [path, kind]));
  return { prefix, entries, follow: follower({ prefix, entries: kinds, targets }) };
}

function kindOf(mode: string): EntryKind {
  if (mode === '160000') return 'submodule';
  return mode === '120000' ? 'link' : 'file';
}

interface Chosen {
  readonly files: readonly { readonly file: string; readonly object: string }[];
  readonly faults: readonly { readonly file: string; readonly why: string }[];
}

/** The files of a revision, and those that cannot be read. */
function chosen({ entries, follow }: Listing, { isSelected, isLeftOut }: Wanted): Chosen {
  const files: { file: string; object: string }[] = [];
  const faults: { file: string; why: string }[] = [];
  for (const [file, { kind, object }] of [...entries].sort(byName)) {
    if (isLeftOut(file)) continue;
    if (kind === 'file' && isSelected(file)) files.push({ file, object });
    if (kind === 'submodule') faults.push({ file, why: LED.submodule });
    if (kind !== 'link') continue;
    const led = follow(file);
    // As for a folder on a disk, a link is ignored if its target has the name of another type of file.
    if ('file' in led) {
      const target = entries.get(led.file)?.object ?? '';
      if (isSelected(file)) files.push({ file, object: target });
    } else if (led.is !== 'out' || isSelected(file)) faults.push({ file, why: LED[led.is] });
  }
  return { files, faults };
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : 1;

const LED = {
  folder: 'it is a link to a folder, which is not followed',
  out: 'it is a link to a target outside the folder',
  loop: 'its links form a loop',
  nothing: 'it is a broken link',
  submodule: SUBMODULE,
} as const;

type Wanted = Pick<Selector, 'isSelected' | 'isLeftOut'>;

const only = (name: string): Wanted => ({
  isSelected: file => file === name,
  isLeftOut: file => file !== name,
});

// The error for a folder or file that the revision lacks, because it had another name then or did not exist yet.
function nothingAt(path: string, name: string, { entries, prefix }: Listing): Diagnostic {
  const isFolder = folderOf(path) === path;
  if (isFolder && (entries.size > 0 || prefix === '')) return nothingFound(name);
  const place = `${prefix}${isFolder ? '' : basename(path)}`.replace(/\/$/, '');
  return {
    code: 'BASE_INVALID',
    severity: 'error',
    message: `${quoted(name)} has no ${quoted(place)}: was the path renamed since?`,
    hint: `check it out with \`git worktree add ../base ${shellWord(name)}\`, and give --base ../base/FORMER-PATH`,
  };
}

async function textsOf(
  place: GitPlace,
  files: readonly { readonly file: string; readonly object: string }[],
): Promise<readonly { readonly file: string; readonly text: string | null }[]> {
  const contents = await contentsOf(
    place,
    files.map(({ object }) => object),
  );
  return files.map(({ file }, i) => {
    const content = contents[i];
    return { file, text: content && isUtf8(content) ? content.toString('utf8') : null };
  });
}
