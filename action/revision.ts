// The commit that a run uses. It is read from the checkout, because for a pull request the forge names only the merge commit that
// it would create.
import { type GitPlace, git } from '../src/read/git/runGit.ts';
import { code } from '../src/report/text/markdown.ts';
import { proposalIn } from './event.ts';

/**
 * The commit that is checked out, as Markdown: `commit 0123…`. For the merge commit of a pull request: the merged commit, and the
 * branch and commit into which it was merged. Empty if the folder is not in a repository.
 */
export async function revisionText(place: GitPlace, event: unknown): Promise<string> {
  const answer = await git(place, ['cat-file', 'commit', 'HEAD']).catch(() => null);
  const commit = await git(place, ['rev-parse', 'HEAD']).catch(() => null);
  if (answer === null || commit === null) return '';
  const [headers = ''] = answer.toString('utf8').split('\n\n', 1);
  const parents = [...headers.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent = '']) => parent);
  const { head, base } = proposalIn(event);
  const [onto = '', merged] = parents;
  if (parents.length === 2 && merged === head)
    return `commit ${short(head)} merged into ${code(base)} at ${short(onto)}`;
  return `commit ${short(commit.toString('utf8').trim())}`;
}

const short = (commit: string): string => commit.slice(0, 12);
