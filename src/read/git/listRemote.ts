// The refs of a remote, as `ls-remote` lists them.
import { areRememberedForMany } from './rememberedAnswers.ts';
import { type GitPlace, type RemoteOptions, remoteGit } from './runGit.ts';

/** The prefix of all refs of meshform. */
const OWN = 'refs/meshform';

/**
 * The lines of the refs of a remote that match a pattern, in which a star at the end stands for any text: commit, tab, ref; and before the
 * line of a symbolic ref, as far as the remote tells: `ref: `, the ref that it stands for, tab, ref. Rejects if
 * the remote does not answer in time.
 */
export async function listRemote(
  place: GitPlace,
  { remote, patterns }: { readonly remote: string; readonly patterns: readonly string[] },
  options: RemoteOptions,
): Promise<readonly string[]> {
  // If answers are kept for many accounts, one question covers the refs of all accounts.
  const isOwn = areRememberedForMany() && patterns.every(pattern => pattern.startsWith(OWN));
  const asked = isOwn ? [`${OWN}*`] : patterns;
  // With --refs, git leaves out a ref that is not below another name, such as one that is in the way of all locks.
  const args = ['ls-remote', '--symref', '--end-of-options', remote, ...asked];
  const listed = await remoteGit(place, args, options);
  return listed
    .toString('utf8')
    .split('\n')
    .filter(
      line =>
        line !== '' &&
        !line.endsWith('^{}') &&
        patterns.some(pattern => isMatch(pattern, refOf(line))),
    );
}

const refOf = (line: string): string => line.slice(line.indexOf('\t') + 1);

// Filters again, because git compares a pattern with the end of a name, and a star in it matches any part.
function isMatch(pattern: string, ref: string): boolean {
  return pattern.endsWith('*') ? ref.startsWith(pattern.slice(0, -1)) : ref === pattern;
}
