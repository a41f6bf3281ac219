// Refs at a remote that meshform did not make, and that conflict with the refs of an account, because git cannot store both. No
// run could end at this remote.
import { formerRef, isInTheWay, refsAround } from '../../base/refName.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText } from '../../model/text/visible.ts';
import type { ListedRef } from '../../read/git/listRemote.ts';
import type { GitFault } from '../../read/git/runGit.ts';
import { isFault, listedRefs, type Remote } from '../../read/remote/remoteRefs.ts';

/** Patterns of the refs of an account, and of refs that would be in their way. */
export const refsOf = (account: string): readonly string[] => [
  ...refsAround(account),
  formerRef(account),
];

/** A ref at the remote that meshform did not make, and that is in the way of the refs of an account. */
export interface RefInTheWay {
  readonly ref: string;
  /** The ref that it points to, if it is a symbolic ref. */
  readonly target?: string;
}

/** The refs in the way of the refs of an account, or why the remote cannot be asked. */
export async function refsInTheWay(
  remote: Remote,
  account: string,
): Promise<readonly RefInTheWay[] | GitFault> {
  const found = await listedRefs(remote, refsOf(account));
  return isFault(found) ? found : inTheWayAmong(found, account);
}

/** The refs in the way among those that match `refsOf`. */
export const inTheWayAmong = (
  found: readonly ListedRef[],
  account: string,
): readonly RefInTheWay[] =>
  found.flatMap(({ ref, target }): RefInTheWay[] => {
    if (target !== undefined) return [{ ref, target }];
    return ref !== formerRef(account) && isInTheWay(ref, account) ? [{ ref }] : [];
  });

/** The message about a ref that is in the way: a clause, and what to do. */
export function sentenceOfRef(
  { ref, target }: RefInTheWay,
  remote: string,
): { readonly why: string; readonly hint: string } {
  const named = nameText(ref);
  // No push moves a ref whose name has only two parts.
  const remove =
    ref.split('/').length === 2
      ? `\`git update-ref -d ${shellWord(ref)}\` in the repository of the remote`
      : `\`git push ${shellWord(remote)} --delete ${shellWord(ref)}\``;
  return target === undefined
    ? {
        why: `it has ${named}, which meshform did not create: while that ref exists, git cannot store a ref of the account at the remote`,
        hint: `if nobody needs it, remove it with ${remove}`,
      }
    : {
        why: `${named} is a symbolic ref to ${nameText(target)} there: a push to it would move ${nameText(target)}`,
        hint: `in the repository of the remote, \`git symbolic-ref --delete ${shellWord(ref)}\` removes it; \`git push --delete\` would delete ${nameText(target)}`,
      };
}
