// Handles a git remote with different addresses for pushing and fetching. The lock is in the
// repository to which git pushes. Without this check, a lock, journal or base in the repository
// from which git fetches would be overlooked.
import { baseRefsOf, journalRef, lockRef } from '../../base/refName.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { type GitFault, isPushedElsewhere } from '../../read/git/runGit.ts';
import { isFault, type RefCommits, type Remote, remoteRefs } from '../../read/remote/remoteRefs.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';

/** Throws the `Stop` of `fetchedFromStop`, if there is one. */
export async function refuseFetchedFrom(
  remote: Remote,
  account: string,
  before: RefCommits,
): Promise<void> {
  const stop = await fetchedFromStop(remote, account, before);
  if (stop !== null) throw stop;
}

/**
 * A `Stop` if the repository from which git fetches has a lock, a journal or a base of the account
 * that the repository to which git pushes lacks; otherwise null. Throws a `Stop` if this cannot be
 * determined. `before`: the refs in the repository to which git pushes, before the lock was taken;
 * if absent, they are requested. If both addresses lead to one repository, the refs are equal.
 */
export async function fetchedFromStop(
  remote: Remote,
  account: string,
  before?: RefCommits,
): Promise<Stop | null> {
  const { objects, name } = remote;
  // If the remote cannot be used at all, the code that uses it reports the error.
  if (!(await isPushedElsewhere(objects.place, name).catch(() => false))) return null;
  const fetched = { ...remote, isPushed: false };
  const patterns = [lockRef(account), journalRef(account), `${baseRefsOf(account)}*`];
  const missing = async (there: RefCommits): Promise<readonly [string, string][]> => {
    const found = refsOrStop(await remoteRefs(fetched, patterns), 'fetches', name);
    return [...found].filter(([ref]) => !there.has(ref));
  };
  const asked = before ?? refsOrStop(await remoteRefs(remote, patterns), 'pushes', name);
  const first = await missing(asked);
  if (first.length === 0) return null;
  // If both addresses lead to one repository, somebody may have moved the refs between the two
  // requests.
  const still = await missing(refsOrStop(await remoteRefs(remote, patterns), 'pushes', name));
  const [[ref] = []] = first.filter(([one, commit]) =>
    still.some(([other, there]) => other === one && there === commit),
  );
  if (ref === undefined) return null;
  return new Stop(
    EXIT.refused,
    `git fetches the remote ${quoted(name)} from one repository and pushes it to another, and only the first has ${nameText(ref)}`,
    `${oneAddress(name)}, or move the ref`,
  );
}

// The refs, or a `Stop`. If a repository does not answer, it may contain anything.
function refsOrStop(
  found: RefCommits | GitFault,
  does: 'fetches' | 'pushes',
  name: string,
): RefCommits {
  if (!isFault(found)) return found;
  throw new Stop(
    EXIT.refused,
    `git fetches the remote ${quoted(name)} from one address and pushes it to another, and it is unknown whether both have the same locks and bases, because the address that git ${does} ${does === 'fetches' ? 'from' : 'to'} does not answer: ${found.why}`,
    found.hint ?? oneAddress(name),
  );
}

const oneAddress = (name: string): string =>
  `give it one address with \`git remote set-url ${shellWord(name)} ADDRESS\` and \`git config --unset-all ${shellWord(`remote.${name}.pushurl`)}\``;
