// The refs of a remote, as `ls-remote` lists them.
import { areRememberedForMany } from './rememberedAnswers.ts';
import { type GitPlace, type RemoteOptions, remoteGit } from './runGit.ts';

/** The prefix of all refs of meshform. */
const OWN = 'refs/meshform';

/** A ref of a remote. */
export interface ListedRef {
  readonly ref: string;
  readonly commit: string;
  /** The target of a symbolic ref; absent for other refs, and if the remote does not show it. */
  readonly target?: string;
}

/**
 * The refs of a remote that match a pattern, in which a star at the end matches any text. Rejects
 * if the remote does not answer in time.
 */
export async function listRemote(
  place: GitPlace,
  { remote, patterns }: { readonly remote: string; readonly patterns: readonly string[] },
  options: RemoteOptions,
): Promise<readonly ListedRef[]> {
  // If answers are kept for many accounts, one question covers the refs of all accounts.
  const isOwn = areRememberedForMany() && patterns.every(pattern => pattern.startsWith(OWN));
  const asked = isOwn ? [`${OWN}*`] : patterns;
  // Without `--refs`, because with it git leaves out a ref that is not below another name, such as a ref that prevents all locks.
  const args = ['ls-remote', '--symref', '--end-of-options', remote, ...asked];
  const listed = await remoteGit(place, args, options);
  const targets = new Map<string, string>();
  return listed
    .toString('utf8')
    .split('\n')
    .flatMap((line): ListedRef[] => {
      const [said = '', ref = ''] = line.split('\t');
      if (ref.endsWith('^{}') || !patterns.some(pattern => isMatch(pattern, ref))) return [];
      const target = targets.get(ref);
      if (!said.startsWith(SYMBOLIC))
        return [{ ref, commit: said, ...(target !== undefined && { target }) }];
      targets.set(ref, said.slice(SYMBOLIC.length));
      return [];
    });
}

/** Begins the line with the target of a symbolic ref, which comes before the line of the ref. */
const SYMBOLIC = 'ref: ';

/**
 * Whether a ref matches a pattern of `listRemote`. git itself compares a pattern only with the end of a name, and lets a star in
 * it match any part.
 */
export function isMatch(pattern: string, ref: string): boolean {
  return pattern.endsWith('*') ? ref.startsWith(pattern.slice(0, -1)) : ref === pattern;
}
