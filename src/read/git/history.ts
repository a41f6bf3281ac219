// Whether a run continues from the recorded base. A run of an older revision would undo what was applied since.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { nameText } from '../../model/text/visible.ts';
import { baseRef } from './baseRef.ts';
import { commitOf, shallowness } from './revision.ts';
import { type GitPlace, git, gitFault } from './runGit.ts';

/** The error for a revision that does not have the recorded base of the account in its history; null if it has. */
export async function notBehind(
  place: GitPlace,
  account: string,
  revision = 'HEAD',
): Promise<Diagnostic | null> {
  const [recorded, applied] = await Promise.all([
    commitOf(place, baseRef(account)),
    commitOf(place, revision),
  ]);
  // Nothing is recorded, or nothing is committed, which is reported elsewhere.
  if (!('commit' in recorded && 'commit' in applied)) return null;
  const [base, head] = [recorded.commit, applied.commit];
  const isBehind = await isAncestor(place, base, head);
  if (isBehind === true) return null;
  const shallow = isBehind === false ? await shallowness(place) : isBehind;
  if (shallow !== null) return unknownHistory(base, head, shallow);
  const isNewer = (await isAncestor(place, head, base)) === true;
  const ref = nameText(baseRef(account));
  const shared = isNewer ? head : await sharedBy(place, base, head);
  const reset = `\`git update-ref ${ref} ${shared ?? 'COMMIT'}\`, then push it with --force`;
  const message = isNewer
    ? `${short(base)} is recorded in ${ref}, and is newer than ${short(head)}: this run would undo what was applied since`
    : `${short(base)} is recorded in ${ref}, and is not in the history of ${short(head)}: this run would undo what was applied there`;
  const hint = isNewer
    ? `apply the newest commit; to roll back, commit the older files on top (\`git revert\`); after a force push, set the base again: ${reset}`
    : `merge or rebase onto the newest commit; after a force push, add the recorded commit to the history with \`git merge -s ours ${base}\`, or set the base again: ${reset}`;
  return { code: 'BASE_NOT_BEHIND', severity: 'error', message, hint };
}

const short = (commit: string): string => commit.slice(0, 12);

// git ends with 1 for "no".
async function isAncestor(
  place: GitPlace,
  ancestor: string,
  commit: string,
): Promise<boolean | { readonly why: string; readonly hint?: string }> {
  try {
    await git(place, ['merge-base', '--is-ancestor', ancestor, commit]);
    return true;
  } catch (error) {
    return Object(error).code === 1 ? false : gitFault(error);
  }
}

const sharedBy = (place: GitPlace, one: string, other: string): Promise<string | undefined> =>
  git(place, ['merge-base', one, other]).then(
    answer => answer.toString('utf8').trim(),
    () => undefined,
  );

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
