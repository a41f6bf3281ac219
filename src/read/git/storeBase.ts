// Writes a base into the repository.
import { nameText } from '../../model/text/visible.ts';
import { type GitFault, type GitPlace, git, gitFault } from './runGit.ts';
import { BASE_FILES } from './storedBases.ts';

/** A base to be stored. */
export interface NewBase {
  readonly ref: string;
  readonly text: string;
  readonly signature: string;
  /** In milliseconds since 1970. */
  readonly recordedAt: number;
  /** The applied revision, and the base before. */
  readonly parents: readonly string[];
  /** The commit that the ref must have; none if it must not exist. */
  readonly before: string | undefined;
}

/** Stores a base and moves its ref; resolves to its commit, or to why that failed. */
export async function storeBase(
  place: GitPlace,
  base: NewBase,
): Promise<{ readonly commit: string } | GitFault> {
  try {
    const commit = await write(place, 'commit', commitText(base, await treeOf(place, base)));
    const message = ['--create-reflog', '-m', 'meshform'];
    const before = base.before ?? '0'.repeat(commit.length);
    await git(place, ['update-ref', ...message, base.ref, commit, before]);
    return { commit };
  } catch (error) {
    const fault = gitFault(error);
    return fault.is === 'other' ? { ...fault, why: `${nameText(base.ref)}: ${fault.why}` } : fault;
  }
}

/** Removes the ref of a base that has moved; resolves to why that failed, or to null. */
export async function removeRef(
  place: GitPlace,
  ref: string,
  commit: string,
): Promise<GitFault | null> {
  try {
    await git(place, ['update-ref', '-d', ref, commit]);
    return null;
  } catch (error) {
    return gitFault(error);
  }
}

async function treeOf(place: GitPlace, { text, signature }: NewBase): Promise<string> {
  const files = [
    [BASE_FILES.document, await write(place, 'blob', text)],
    [BASE_FILES.signature, await write(place, 'blob', `${signature}\n`)],
  ] as const;
  const input = files.map(([name, object]) => `100644 blob ${object}\t${name}\n`).join('');
  return (await git(place, ['mktree'], { input })).toString('utf8').trim();
}

async function write(place: GitPlace, type: 'blob' | 'commit', input: string): Promise<string> {
  const args = ['hash-object', '-t', type, '-w', '--stdin'];
  return (await git(place, args, { input })).toString('utf8').trim();
}

// Written as an object: `git commit-tree` would ask for the name of a person and look at the clock.
function commitText({ parents, recordedAt, ref }: NewBase, tree: string): string {
  const by = `meshform <meshform> ${Math.floor(recordedAt / 1000)} +0000`;
  return [
    `tree ${tree}`,
    ...parents.map(parent => `parent ${parent}`),
    `author ${by}`,
    `committer ${by}`,
    '',
    `The base at ${ref}`,
    '',
  ].join('\n');
}
