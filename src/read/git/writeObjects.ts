// Writes objects of git. `git commit-tree` and `git commit` would ask for the name of a person, and look at the clock.
import { type GitPlace, git } from './runGit.ts';

/** A commit to be written. */
export interface NewCommit {
  /** Its files by their names, as texts or as blobs that are there. Names have no slash: there are no folders. */
  readonly files: ReadonlyMap<string, string | { readonly blob: string }>;
  readonly parents: readonly string[];
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly message: string;
}

/** Writes a commit with its files; resolves to its hash. A parent that is no commit is left out. Rejects if git fails. */
export async function writeCommit(
  place: GitPlace,
  { files, parents, at, message }: NewCommit,
): Promise<string> {
  const entries: string[] = [];
  for (const [name, file] of files) {
    const blob = typeof file === 'string' ? await writeBlob(place, file) : file.blob;
    entries.push(`100644 blob ${blob}\t${name}\0`);
  }
  const listed = await git(place, ['mktree', '-z'], { input: entries.join('') });
  const followed = await commitsAmong(place, parents);
  const by = `meshform <meshform> ${Math.floor(at / 1000)} +0000`;
  const lines = [
    `tree ${listed.toString('utf8').trim()}`,
    ...followed.map(parent => `parent ${parent}`),
    `author ${by}`,
    `committer ${by}`,
    '',
    message,
    '',
  ];
  return writeObject(place, 'commit', lines.join('\n'));
}

// Anybody who can push may have replaced a commit by another object.
async function commitsAmong(
  place: GitPlace,
  parents: readonly string[],
): Promise<readonly string[]> {
  if (parents.length === 0) return [];
  const input = parents.map(parent => `${parent}\n`).join('');
  const answer = await git(place, ['cat-file', '--batch-check'], { input });
  const lines = answer.toString('utf8').split('\n');
  return parents.filter((_, i) => !/ (?:blob|tree|tag) \d+$/.test(lines[i] ?? ''));
}

/** Writes the text of a file; resolves to its hash. Rejects if git fails. */
export const writeBlob = (place: GitPlace, text: string): Promise<string> =>
  writeObject(place, 'blob', text);

/** The hashes of the files in a commit without folders, by their names; empty for another object. Rejects if git fails. */
export async function blobsIn(
  place: GitPlace,
  commit: string,
): Promise<ReadonlyMap<string, string>> {
  if (await isText(place, commit)) return new Map();
  const listed = await git(place, ['ls-tree', '-z', commit]);
  const files = listed
    .toString('utf8')
    .split('\0')
    .flatMap((line): [string, string][] => {
      const [, blob, name] = /^100644 blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
      return blob === undefined || name === undefined ? [] : [[name, blob]];
    });
  return new Map(files);
}

async function isText(place: GitPlace, object: string): Promise<boolean> {
  const answer = await git(place, ['cat-file', '--batch-check'], { input: `${object}^{}\n` });
  return / blob \d+\n$/.test(answer.toString('utf8'));
}

async function writeObject(
  place: GitPlace,
  type: 'blob' | 'commit',
  content: string,
): Promise<string> {
  const args = ['hash-object', '-t', type, '-w', '--no-filters', '--stdin'];
  return (await git(place, args, { input: content })).toString('utf8').trim();
}
