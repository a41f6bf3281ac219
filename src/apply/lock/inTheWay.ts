// Refs at a remote that meshform did not make and that conflict with the refs of an account,
// because git cannot store both. No run could end at this remote.
import { formerRef, isInTheWay, refsAround } from '../../base/refName.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText } from '../../model/text/visible.ts';
import type { ListedRef } from '../../read/git/listRemote.ts';
import type { GitFault } from '../../read/git/runGit.ts';
import { isFault, listedRefs, type Remote } from '../../read/remote/remoteRefs.ts';

/** Patterns for the refs of an account, and for refs that would conflict with them. */
export const refsOf = (account: string): readonly string[] => [
  ...refsAround(account),
  formerRef(account),
];

/**
 * A ref at the remote that meshform did not make and that conflicts with the refs of an account.
 */
export interface RefInTheWay {
  readonly ref: string;
  /** The target of the ref, if it is a symbolic ref. */
  readonly target?: string;
}

/**
 * The refs that conflict with the refs of an account, or the reason why the remote cannot be asked.
 */
export async function refsInTheWay(
  remote: Remote,
  account: string,
): Promise<readonly RefInTheWay[] | GitFault> {
  const found = await listedRefs(remote, refsOf(account));
  return isFault(found) ? found : inTheWayAmong(found, account);
}

/** The conflicting refs among refs that match `refsOf`. */
export const inTheWayAmong = (
  found: readonly ListedRef[],
  account: string,
): readonly RefInTheWay[] =>
  found.flatMap(({ ref, target }): RefInTheWay[] => {
    if (target !== undefined) return [{ ref, target }];
    return ref !== formerRef(account) && isInTheWay(ref, account) ? [{ ref }] : [];
  });

/** The message about a conflicting ref: a clause, and what to do. */
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
