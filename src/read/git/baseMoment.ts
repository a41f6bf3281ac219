// When the base of an account was recorded: what happened in the account before has been applied over since.
import type { ProgramHost } from '../environment.ts';
import { folderOf } from '../project.ts';
import { RECORDED } from './baseFiles.ts';
import { baseRef } from './baseRef.ts';
import { commitOf } from './revision.ts';
import { type GitPlace, git } from './runGit.ts';

/** The base of a run, and of what it is the base. */
export interface MomentRequest {
  readonly host: ProgramHost;
  readonly path: string;
  readonly base: string | undefined;
  readonly account: string | undefined;
}

/**
 * When the base was recorded, in seconds since 1970: from the log of its ref, which only the clone has that recorded it;
 * elsewhere the time of its commit, which is earlier. Null for a base that no apply has recorded.
 */
export async function baseMoment({
  path,
  base,
  account,
  host,
}: MomentRequest): Promise<number | null> {
  if (base === undefined || account === undefined) return null;
  const place = { folder: folderOf(path), host };
  const ref = baseRef(account);
  const recorded = await commitOf(place, ref);
  if (!('commit' in recorded)) return null;
  if (base !== RECORDED) {
    const given = await commitOf(place, base);
    if (!('commit' in given) || given.commit !== recorded.commit) return null;
  }
  const log = ['log', '--walk-reflogs', '-1', '--date=unix', '--format=%H %gd', ref];
  const [logged = '', entry = ''] = (await answered(place, log)).split(' ');
  const [, time] = entry.match(/@\{(\d+)\}$/) ?? [];
  if (logged === recorded.commit && time !== undefined) return Number(time);
  const committed = await answered(place, ['show', '-s', '--format=%ct', recorded.commit]);
  return /^\d+$/.test(committed) ? Number(committed) : null;
}

const answered = (place: GitPlace, args: readonly string[]): Promise<string> =>
  git(place, args).then(
    answer => answer.toString('utf8').trim(),
    () => '',
  );
