// If git pushes to another repository than it fetches from, the lock is where it pushes to: a lock or base where it fetches from
// would go unseen.
import { baseRefsOf, lockRef } from '../../base/refName.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { isPushedElsewhere } from '../../read/git/runGit.ts';
import { isFault, type RefCommits, type Remote, remoteRefs } from '../../read/remote/remoteRefs.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';

/**
 * Throws a `Stop` if the repository that git fetches from has a lock or a base of the account that is missing in the one that it
 * pushes to. `before` are the refs there before the lock was taken. Two addresses of one repository have the same refs.
 */
export async function refuseFetchedFrom(
  remote: Remote,
  account: string,
  before: RefCommits,
): Promise<void> {
  const { objects, name } = remote;
  if (!(await isPushedElsewhere(objects.place, name))) return;
  const fetched = { ...remote, isPushed: false };
  const patterns = [lockRef(account), `${baseRefsOf(account)}*`];
  const missing = async (there: RefCommits): Promise<readonly [string, string][]> => {
    const found = await remoteRefs(fetched, patterns);
    return isFault(found) ? [] : [...found].filter(([ref]) => !there.has(ref));
  };
  const first = await missing(before);
  if (first.length === 0) return;
  // If both are one repository, somebody may have moved the refs in between.
  const now = await remoteRefs(remote, patterns);
  const still = isFault(now) ? [] : await missing(now);
  const [[ref] = []] = first.filter(([one, commit]) =>
    still.some(([other, there]) => other === one && there === commit),
  );
  if (ref === undefined) return;
  throw new Stop(
    EXIT.refused,
    `git pushes to another repository than it fetches the remote ${quoted(name)} from, and only the latter has ${nameText(ref)}`,
    `give it one address with \`git remote set-url ${shellWord(name)} ADDRESS\` and \`git config --unset-all ${shellWord(`remote.${name}.pushurl`)}\`, or move the ref`,
  );
}
