// The files of a base: of a revision, a folder, or the recorded base of an earlier apply.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { quoted } from '../../model/text/visible.ts';
import type { ProgramHost } from '../environment.ts';
import { type FileTexts, readFolder } from '../files/folder.ts';
import type { Selection } from '../files/select.ts';
import { folderOf } from '../project.ts';
import { accountUnknown, baseRef, firstBase, isFirstRun, nothingRecorded } from './baseRef.ts';
import { filesAtRevision } from './git.ts';
import { commitOf, type NoCommit } from './revision.ts';
import type { GitPlace } from './runGit.ts';

/** The recorded base of an earlier apply: `--base auto`. */
export const RECORDED = 'auto';

/** The requested base, and its files. */
export interface BaseRequest {
  /** The folder or file that it is the base of. */
  readonly path: string;
  readonly host: ProgramHost;
  /** The folder that relative base paths start from. */
  readonly cwd: string;
  readonly shownAs: (path: string) => string;
  readonly selection: Selection;
  readonly account: string | undefined;
  /** Whether this run will be recorded as the base of the next run. */
  readonly isRecording: boolean;
}

/** The files of a base, and their commit, if they have one. */
export interface BaseTexts extends FileTexts {
  readonly commit?: string;
}

const placeOf = ({ path, host }: BaseRequest): GitPlace => ({ folder: folderOf(path), host });

const nothing = (...diagnostics: Diagnostic[]): BaseTexts => ({ files: [], diagnostics });

/** The files of the given base. A revision takes precedence: a folder with the same name is written ./name. */
export async function baseTexts(request: BaseRequest, base: string): Promise<BaseTexts> {
  const { cwd, shownAs, selection } = request;
  if (base === RECORDED) return recordedTexts(request);
  const found = await commitOf(placeOf(request), base);
  if ('commit' in found) return textsAt(request, { ...found, name: base });
  const folder = resolve(cwd, base);
  const isPath = /^\.{0,2}(?:\/|$)/.test(base);
  const isFolder = existsSync(folder) && (isPath || found.is !== 'untrusted');
  return isFolder ? readFolder(folder, selection, shownAs) : nothing(noSuchBase(base, found));
}

/** The files of the recorded base of the account. */
async function recordedTexts(request: BaseRequest): Promise<BaseTexts> {
  const { account, isRecording } = request;
  if (account === undefined) return nothing(accountUnknown);
  const found = await commitOf(placeOf(request), baseRef(account));
  if ('commit' in found) return textsAt(request, { ...found, name: baseRef(account) });
  if (found.is !== 'unknown' && found.is !== 'shallow') return nothing(unusable(found));
  if (!isRecording) return nothing(nothingRecorded(account));
  const first = await isFirstRun(placeOf(request), account);
  return nothing(first === true ? firstBase(account) : first);
}

/** The recorded base for a run that will be recorded and was given no base, or another base; null if there is none. */
export async function recordedBefore(request: BaseRequest): Promise<BaseTexts | null> {
  const { account } = request;
  const place = placeOf(request);
  const found = account === undefined ? null : await commitOf(place, baseRef(account));
  if (account !== undefined && found !== null && 'commit' in found)
    return textsAt(request, { ...found, name: baseRef(account) });
  const first = await isFirstRun(place, account);
  return first === true ? null : nothing(first);
}

async function textsAt(
  { path, host, selection }: BaseRequest,
  revision: { readonly commit: string; readonly name: string },
): Promise<BaseTexts> {
  return {
    ...(await filesAtRevision({ path, host }, revision, selection)),
    commit: revision.commit,
  };
}

const ANOTHER = 'use --base with a revision that `git log` shows, or with a folder';

function noSuchBase(base: string, { is, why, hint }: NoCommit): Diagnostic {
  const isNothing = is === 'unknown' || is === 'no-repository';
  return {
    code: 'BASE_INVALID',
    severity: 'error',
    message: isNothing
      ? `${quoted(base)} is neither a revision in this repository nor a folder${is === 'unknown' ? '' : `: ${why}`}`
      : `${quoted(base)} is not available here: ${why}`,
    hint: hint ?? ANOTHER,
  };
}

function unusable({ why, hint }: NoCommit): Diagnostic {
  return {
    ...{ code: 'BASE_INVALID', severity: 'error', message: why },
    hint: hint ?? ANOTHER,
  };
}
