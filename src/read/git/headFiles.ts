// The files of the commit that is checked out.
import { noteCommit } from './knownCommits.ts';
import { type GitPlace, git } from './runGit.ts';

/** A file, a link or a submodule of a commit. */
export interface CommittedEntry {
  readonly mode: string;
  readonly object: string;
}

/** The commit of `HEAD`, and its entries by their paths from the root of the repository. */
export interface HeadFiles {
  readonly commit: string;
  readonly entries: ReadonlyMap<string, CommittedEntry>;
}

/** The files of `HEAD`. Rejects if git fails, and if there is no commit. */
export async function headFiles({ folder, host }: GitPlace): Promise<HeadFiles> {
  // The commit is in the repository itself, so the answer is the same with and without the objects of a remote.
  const place = { folder, host: { ...host, shared: undefined } };
  const head = await git(place, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  const commit = head.toString('utf8').trim();
  noteCommit(place, commit);
  const listed = await git(place, ['ls-tree', '-r', '-z', '--full-tree', commit]);
  return {
    commit,
    entries: new Map(listed.toString('utf8').split('\0').filter(Boolean).map(entry)),
  };
}

// `<mode> <type> <object>`, a tab, and the path.
function entry(line: string): readonly [string, CommittedEntry] {
  const tab = line.indexOf('\t');
  const [mode = '', , object = ''] = line.slice(0, tab).split(' ');
  return [line.slice(tab + 1), { mode, object }];
}
