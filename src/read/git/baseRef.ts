// The base of an account, stored in git beside the files: a ref to the last applied revision (docs/design.md#the-base).
import type { Diagnostic } from '../../model/diagnostic.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { prefixOf } from './repository.ts';
import { commitOf } from './revision.ts';
import { type GitFault, type GitPlace, git, gitFault, remoteGit } from './runGit.ts';

const ALL = 'refs/meshform/';

/** Fetches every recorded base. It fails only if the remote cannot be reached, also before the first run. */
const FETCH_BASES = `git fetch origin '+${ALL}*:${ALL}*'`;

/** The ref of the last applied revision of an account. */
export function baseRef(account: string): string {
  return `${ALL}${account}`;
}

/** The commit of the files in a folder, or why they have none, in words. */
export async function revisionIn(
  place: GitPlace,
): Promise<{ revision: string } | { why: string; hint?: string | undefined }> {
  const head = await commitOf(place, 'HEAD');
  if (!('commit' in head)) {
    const isNew = head.is === 'unknown' || head.is === 'no-repository' || head.is === 'shallow';
    return isNew ? { why: 'they are not committed to git' } : { why: head.why, hint: head.hint };
  }
  try {
    const status = await git(place, ['status', '--porcelain', '-z', '--', prefixOf(place) || '.']);
    const [first = ''] = status.toString('utf8').split('\0');
    return first === ''
      ? { revision: head.commit }
      : { why: `${nameText(first.slice(3))} has uncommitted changes` };
  } catch (error) {
    return gitFault(error);
  }
}

/** Records that `revision` was applied to the account; resolves to why that failed, or to null. */
export async function recordBase(
  place: GitPlace,
  account: string,
  revision: string,
): Promise<GitFault | null> {
  try {
    const message = ['--create-reflog', '-m', 'meshform apply'];
    await git(place, ['update-ref', ...message, baseRef(account), revision]);
    return null;
  } catch (error) {
    return gitFault(error);
  }
}

/** The time limit for listing the refs of a remote, in milliseconds. */
const PATIENCE = 30_000;

/**
 * Whether no base is recorded for the account, or for any account without a name: neither in the repository nor at the
 * remote. A base that was merely not fetched must not look like a first run.
 */
export async function isFirstRun(
  place: GitPlace,
  account: string | undefined,
): Promise<true | Diagnostic> {
  const pattern = account === undefined ? `${ALL}*` : baseRef(account);
  const here = await linesOf(place, ['for-each-ref', '--count=1', pattern]);
  if (here.length > 0) return account === undefined ? accountUnknown : true;
  const remotes = await linesOf(place, ['remote']);
  const remote = remotes.includes('origin') ? 'origin' : remotes[0];
  if (remote === undefined) return true;
  try {
    const asked = ['ls-remote', '--end-of-options', remote, pattern];
    const there = await remoteGit(place, asked, { timeout: PATIENCE });
    return there.length === 0 ? true : notFetched(remote, there.toString('utf8'));
  } catch (error) {
    return unknowable(remote, gitFault(error));
  }
}

// If git does not work at all, nothing can be recorded, which is reported elsewhere.
async function linesOf(place: GitPlace, args: readonly string[]): Promise<string[]> {
  const answer = await git(place, args).catch(() => Buffer.alloc(0));
  return answer.toString('utf8').split('\n').filter(Boolean);
}

/** The error for a recorded base of an account that no file names. */
export const accountUnknown: Diagnostic = {
  code: 'BASE_INVALID',
  severity: 'error',
  message: '`--base auto` needs to know the account of the recorded base',
  hint: 'write `account` into meshform.yaml: the id of its group All',
};

/** The error for a base that was not recorded, or is not in this repository. */
export function nothingRecorded(account: string): Diagnostic {
  return {
    code: 'BASE_INVALID',
    severity: 'error',
    message: `no base of the account is recorded in this clone: git has no ${nameText(baseRef(account))}`,
    hint: `\`apply --record-base\` records it; a clone fetches it with ${quoted(FETCH_BASES)}`,
  };
}

/** The note for the first run that records a base. */
export function firstBase(account: string): Diagnostic {
  return {
    code: 'BASE_NOT_RECORDED',
    severity: 'note',
    message: `no base of the account is recorded yet: ${nameText(baseRef(account))} starts with this run, and nothing is treated as removed`,
  };
}

function notFetched(remote: string, listed: string): Diagnostic {
  const [, ref = ''] = listed.split('\n')[0]?.split('\t') ?? [];
  return {
    code: 'BASE_INVALID',
    severity: 'error',
    message: `${quoted(remote)} has a recorded base that was not fetched: ${nameText(ref)}`,
    hint: `fetch it first: ${FETCH_BASES.replace('origin', () => shellWord(remote))}`,
  };
}

function unknowable(remote: string, { why, hint }: GitFault): Diagnostic {
  return {
    code: 'BASE_INVALID',
    severity: 'error',
    message: `it is unknown whether ${quoted(remote)} has a recorded base of the account: ${why}`,
    hint:
      hint ??
      `make ${quoted(remote)} reachable for git, or use a folder as the base: --base ./FOLDER`,
  };
}
