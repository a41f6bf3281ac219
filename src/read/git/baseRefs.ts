// Finds out whether the remote has recorded bases that this clone lacks. Without this check, a run whose base was merely not
// fetched would look like a first run, or would start from an older base.
import {
  ALL_BASES,
  baseRef,
  baseRefsOf,
  FOLDERS_OF_REFS,
  FORMER_REFS,
  fetchBases,
  formerRef,
} from '../../base/refName.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { BaseFolder } from '../../model/recordedBase.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { listRemote } from './listRemote.ts';
import { remotesOf } from './remotes.ts';
import { type GitFault, type GitPlace, git, gitFault } from './runGit.ts';

/** The time limit for listing the refs of a remote, in milliseconds. */
const PATIENCE = 30_000;

/**
 * The error for bases of the account that only the remote has; null if there are none. The base of the folder counts or, if this
 * clone has no base of the account, any base of the account.
 */
export async function notFetched(
  place: GitPlace,
  account: string,
  base: BaseFolder,
  { hasOthers, hasFormer }: { readonly hasOthers: boolean; readonly hasFormer: boolean },
): Promise<Diagnostic | null> {
  // Another code has already read the refs of the remote.
  if (place.host.shared) return null;
  const own = baseRef(account, base);
  const bases = hasOthers ? own : `${baseRefsOf(account)}*`;
  const { names, place: listed } = await remotesOf(place);
  if (names[0] !== undefined && names[0] === place.host.withoutBases) return null;
  return atRemote(listed, names[0], hasFormer ? [bases] : [bases, formerRef(account)]);
}

/** The error for bases of any account, in the clone or at the remote, for files that name no account. Null if there are none. */
export async function basesOfAny(place: GitPlace): Promise<Diagnostic | null> {
  const here = await basesHere(place);
  if (here.length > 0) return accountUnknown;
  const { remote: known, ref } = place.host.shared?.ofAny ?? {};
  if (known !== undefined && ref !== undefined) return unnamed(known, ref);
  const { names, place: listed } = await remotesOf(place);
  const [first, ...others] = names;
  const found = first === known ? null : await atRemote(listed, first, ALL_BASES, unnamed);
  if (found !== null) return found;
  for (const remote of others.filter(name => name !== known)) {
    // A remote that does not answer counts as having no bases.
    const [ref] = await refsAt(listed, { remote, patterns: ALL_BASES }).catch(() => []);
    if (ref !== undefined) return unnamed(remote, ref);
  }
  return null;
}

/** One base of any account that this clone has; empty if there is none, or if git does not work. */
export const basesHere = (place: GitPlace): Promise<readonly string[]> =>
  linesOf(place, ['for-each-ref', '--count=1', FOLDERS_OF_REFS.bases, FORMER_REFS]);

/** The error for a recorded base of an account that no file names. */
export const accountUnknown: Diagnostic = {
  code: 'BASE_INVALID',
  severity: 'error',
  message: '`--base auto` needs to know the account of the recorded base',
  hint: 'write `account` into meshform.yaml: the id of its group All',
};

async function atRemote(
  place: GitPlace,
  remote: string | undefined,
  patterns: readonly string[],
  faultOf = unfetched,
): Promise<Diagnostic | null> {
  if (remote === undefined) return null;
  try {
    const [first] = await refsAt(place, { remote, patterns });
    return first === undefined ? null : faultOf(remote, first);
  } catch (error) {
    return unknowable(remote, gitFault(error));
  }
}

async function refsAt(
  place: GitPlace,
  at: Parameters<typeof listRemote>[1],
): Promise<readonly string[]> {
  const listed = await listRemote(place, at, { timeout: PATIENCE });
  return listed.map(({ ref }) => ref);
}

// The lines of the output; none if git does not work. In that case nothing can be recorded, which is reported elsewhere.
async function linesOf(place: GitPlace, args: readonly string[]): Promise<string[]> {
  const answer = await git(place, args).catch(() => Buffer.alloc(0));
  return answer.toString('utf8').split('\n').filter(Boolean);
}

const unfetched = (remote: string, ref: string): Diagnostic => ({
  code: 'BASE_INVALID',
  severity: 'error',
  message: `${quoted(remote)} has a recorded base that was not fetched: ${nameText(ref)}`,
  hint: `fetch it first: ${fetchOf(remote, ref)}`,
});

// The error for a base at the remote if no file names the account. With a named account, a run reads the base at the remote
// itself; only a run whose lock is a file needs it in the clone.
const unnamed = (remote: string, ref: string): Diagnostic => ({
  ...accountUnknown,
  message: `${accountUnknown.message}: ${quoted(remote)} has ${nameText(ref)}, which was not fetched`,
  hint: `${accountUnknown.hint}; if the lock is a file, fetch the base too: ${fetchOf(remote, ref)}`,
});

const fetchOf = (remote: string, ref: string): string =>
  ref.startsWith(FORMER_REFS)
    ? `git fetch ${shellWord(remote)} '+${FORMER_REFS}*:${FORMER_REFS}*'`
    : fetchBases(shellWord(remote));

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
