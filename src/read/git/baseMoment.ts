// The time at which the base of a folder was recorded. Earlier changes in the account do not matter, because the apply at that
// time has overwritten them.
import { baseRef, formerRef } from '../../base/refName.ts';
import type { ProgramHost } from '../environment.ts';
import { folderOf } from '../files/projectFilesAbove.ts';
import { RECORDED } from './loadBases.ts';
import { commitOf } from './revision.ts';
import { type GitPlace, git } from './runGit.ts';
import { storedBase } from './storedBases.ts';
import { pathInRepository } from './workRevision.ts';

/** The base of a run, and the folder or file to which it belongs. */
export interface MomentRequest {
  readonly host: ProgramHost;
  readonly path: string;
  readonly base: string | undefined;
  readonly account: string | undefined;
  /** The `name` in the project file. */
  readonly name: string | undefined;
}

/**
 * The time at which the base was recorded, in seconds since 1970. For the ref of earlier versions, it is the time of the commit,
 * which is earlier. Null for a base that no apply has recorded.
 */
export async function baseMoment(request: MomentRequest): Promise<number | null> {
  const { host, path, base, account, name } = request;
  if (base === undefined || account === undefined) return null;
  const place = { folder: folderOf(path), host };
  const owner = { folder: pathInRepository(path), ...(name !== undefined && { name }) };
  const stored = await storedBase(place, baseRef(account, owner)).catch(() => null);
  if (stored === null || 'why' in stored) return formerMoment(place, base, account);
  const { revision, recordedAt } = stored.base;
  if (base !== RECORDED && !(await isCommit(place, base, revision))) return null;
  const moment = Date.parse(recordedAt);
  return Number.isNaN(moment) ? null : Math.floor(moment / 1000);
}

async function formerMoment(
  place: GitPlace,
  base: string,
  account: string,
): Promise<number | null> {
  const recorded = await commitOf(place, formerRef(account));
  if (!('commit' in recorded)) return null;
  if (base !== RECORDED && !(await isCommit(place, base, recorded.commit))) return null;
  const shown = await git(place, ['show', '-s', '--format=%ct', recorded.commit]).catch(() => '');
  const committed = shown.toString().trim();
  return /^\d+$/.test(committed) ? Number(committed) : null;
}

async function isCommit(place: GitPlace, name: string, commit: string): Promise<boolean> {
  const found = await commitOf(place, name);
  return 'commit' in found && found.commit === commit;
}
