// The base of an account, kept in git beside the files: a ref to the revision that was last applied (design §2).
import type { Diagnostic } from '../model/diagnostic.ts';
import { shellWord } from '../model/shellWord.ts';
import { nameText } from '../model/visible.ts';
import { commitOf } from './git.ts';
import { git } from './runGit.ts';

/** The ref that says which revision an account was brought to last. */
export function baseRef(account: string): string {
  return `refs/meshform/${account}`;
}

/** The commit that the files in `folder` are from, or in words why no commit is. */
export async function revisionIn(folder: string): Promise<{ revision: string } | { why: string }> {
  const revision = await commitOf(folder, 'HEAD');
  if (revision === null) return { why: 'git knows no revision of them' };
  const status = await git(folder, ['status', '--porcelain', '-z', '--', '.']);
  const changed = status
    .toString('utf8')
    .split('\0')
    .filter(line => line !== '');
  const [first = ''] = changed;
  return changed.length === 0
    ? { revision }
    : { why: `${nameText(first.slice(3))} is not committed as it is` };
}

/** Remembers that the account was brought to `revision`. */
export async function recordBase(folder: string, account: string, revision: string): Promise<void> {
  await git(folder, ['update-ref', '-m', 'meshform apply', baseRef(account), revision]);
}

/** The error for a recorded base of an account that no file names. */
export const accountUnknown: Diagnostic = {
  code: 'BASE_INVALID',
  severity: 'error',
  message: '`--base auto` needs to know for which account the base was recorded',
  hint: 'write `account` into meshform.yaml: the id of its group All',
};

/** The error for a base that no apply has recorded, or that is not here. */
export function nothingRecorded(account: string): Diagnostic {
  const ref = baseRef(account);
  return {
    code: 'BASE_INVALID',
    severity: 'error',
    message: `no base of the account is recorded here: git has no ${nameText(ref)}`,
    hint: `\`apply --record-base\` records it; a clone fetches it with \`git fetch origin ${shellWord(`${ref}:${ref}`)}\``,
  };
}
