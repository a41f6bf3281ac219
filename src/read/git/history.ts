// Checks whether a run continues from the recorded base. A run of an older revision would undo later changes.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { nameText } from '../../model/text/visible.ts';
import { commitOf, shallowness } from './revision.ts';
import { type GitPlace, git, gitFault } from './runGit.ts';

/** A revision that was applied before, and the ref that records it. */
export interface AppliedBefore {
  readonly ref: string;
  readonly revision: string;
}

/** The error for a revision whose history lacks the revision that was applied before; null if the history contains it. */
export async function notBehind(
  place: GitPlace,
  { ref, revision: base }: AppliedBefore,
  revision = 'HEAD',
): Promise<Diagnostic | null> {
  const applied = await commitOf(place, revision);
  // Nothing is committed, which is reported elsewhere.
  if (!('commit' in applied)) return null;
  const head = applied.commit;
  const isBehind = await isAncestor(place, base, head);
  if (isBehind === true) return null;
  const shallow = (await shallowness(place)) ?? (isBehind === false ? null : isBehind);
  if (shallow !== null) return unknownHistory(base, head, shallow);
  const isNewer = (await isAncestor(place, head, base)) === true;
  const message = isNewer
    ? `${short(base)} is recorded in ${nameText(ref)}, and is newer than ${short(head)}: this run would undo what was applied since`
    : `${short(base)} is recorded in ${nameText(ref)}, and is not in the history of ${short(head)}: this run would undo what was applied there`;
  const hint = isNewer
    ? 'apply the newest commit; to roll back, commit the older files on top (`git revert`)'
    : `merge or rebase onto the newest commit; after a force push, add the recorded commit to the history with \`git merge -s ours ${base}\``;
  return { code: 'BASE_NOT_BEHIND', severity: 'error', message, hint };
}

const short = (commit: string): string => commit.slice(0, 12);

/** Whether `ancestor` is `commit` or in the history of `commit`; if git cannot tell, the reason. */
export async function isAncestor(
  place: GitPlace,
  ancestor: string,
  commit: string,
): Promise<boolean | { readonly why: string; readonly hint?: string }> {
  try {
    await git(place, ['merge-base', '--is-ancestor', ancestor, commit]);
    return true;
  } catch (error) {
    // git ends with 1 for "no".
    return Object(error).code === 1 ? false : gitFault(error);
  }
}

function unknownHistory(
  base: string,
  head: string,
  { why, hint }: { readonly why: string; readonly hint?: string },
): Diagnostic {
  return {
    code: 'BASE_INVALID',
    severity: 'error',
    message: `it is unknown whether the recorded base, ${short(base)}, is in the history of ${short(head)}: ${why}`,
    hint: hint ?? 'repair the repository, or clone it again',
  };
}
