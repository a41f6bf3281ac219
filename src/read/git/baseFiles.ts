// The files of a base: of a revision or a folder.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { quoted } from '../../model/text/visible.ts';
import type { ProgramHost } from '../environment.ts';
import type { FileTexts } from '../files/folder.ts';
import type { Selection } from '../files/select.ts';
import { folderOf } from '../files/upwards.ts';
import { readCheckout } from './checkout.ts';
import { filesAtRevision, type Revision } from './git.ts';
import { commitOf, type NoCommit } from './revision.ts';

/** Where the files of a base are read. */
export interface FilesRequest {
  readonly host: ProgramHost;
  /** The folder or file that it is the base of. */
  readonly path: string;
  /** The folder that relative base paths start from. */
  readonly cwd: string;
  readonly shownAs: (path: string) => string;
  readonly selection: Selection;
}

/** The files of a base, and where they are from. */
export interface BaseTexts extends FileTexts {
  /** Their commit, if they have one. */
  readonly commit?: string;
  /** Absent if there is no such base. */
  readonly source?: Revision | { readonly folder: string };
}

/** The files of the given base. A revision takes precedence: a folder with the same name is written ./name. */
export async function baseTexts(request: FilesRequest, base: string): Promise<BaseTexts> {
  const { path, cwd, host, shownAs, selection } = request;
  const found = await commitOf({ folder: folderOf(path), host }, base);
  if ('commit' in found) return textsAt(request, { ...found, name: base });
  const folder = resolve(cwd, base);
  const isPath = /^\.{0,2}(?:\/|$)/.test(base);
  const isFolder =
    existsSync(folder) && (isPath || (found.is !== 'untrusted' && found.is !== 'ambiguous'));
  return isFolder
    ? {
        ...(await readCheckout({ path: folder, selection, shownAs, host })),
        source: { folder },
      }
    : { files: [], diagnostics: [noSuchBase(base, found)] };
}

/** The files of the same folder in a revision. */
export async function textsAt(
  { path, host, selection }: Omit<FilesRequest, 'cwd' | 'shownAs'>,
  revision: Revision,
): Promise<BaseTexts> {
  return {
    ...(await filesAtRevision({ path, host }, revision, selection)),
    commit: revision.commit,
    source: revision,
  };
}

function noSuchBase(base: string, { is, why, hint }: NoCommit): Diagnostic {
  const isNothing = is === 'unknown' || is === 'no-repository';
  const fault = is === 'ambiguous' ? 'ambiguous' : 'not available here';
  return {
    code: 'BASE_INVALID',
    severity: 'error',
    message: isNothing
      ? `${quoted(base)} is neither a revision in this repository nor a folder${is === 'unknown' ? '' : `: ${why}`}`
      : `${quoted(base)} is ${fault}: ${why}`,
    hint: hint ?? 'use --base with a revision that `git log` shows, or with a folder',
  };
}
