// Writes objects of git. `git commit-tree` and `git commit` would ask for the name of a person, and look at the clock.
import { type GitPlace, git } from './runGit.ts';

/** A commit to be written. */
export interface NewCommit {
  /** The texts of its files by their names. Names have no slash: there are no folders. */
  readonly files: ReadonlyMap<string, string>;
  readonly parents: readonly string[];
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly message: string;
}

/** Writes a commit with its files; resolves to its hash. Rejects if git fails. */
export async function writeCommit(
  place: GitPlace,
  { files, parents, at, message }: NewCommit,
): Promise<string> {
  const entries: string[] = [];
  for (const [name, text] of files)
    entries.push(`100644 blob ${await writeObject(place, 'blob', text)}\t${name}\0`);
  const listed = await git(place, ['mktree', '-z'], { input: entries.join('') });
  const by = `meshform <meshform> ${Math.floor(at / 1000)} +0000`;
  const lines = [
    `tree ${listed.toString('utf8').trim()}`,
    ...parents.map(parent => `parent ${parent}`),
    `author ${by}`,
    `committer ${by}`,
    '',
    message,
    '',
  ];
  return writeObject(place, 'commit', lines.join('\n'));
}

async function writeObject(
  place: GitPlace,
  type: 'blob' | 'commit',
  content: string,
): Promise<string> {
  const args = ['hash-object', '-t', type, '-w', '--stdin'];
  return (await git(place, args, { input: content })).toString('utf8').trim();
}
