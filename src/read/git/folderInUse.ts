// Finds out where the folder of a base is still in use. A branch can remove another team's folder in its own checkout, so the
// checkout alone does not show whether the folder was moved or removed.
import { basename, dirname } from 'node:path';
import { PROJECT_FILE } from '../../source/project/project.ts';
import { headFiles } from './headFiles.ts';
import { isAncestor } from './history.ts';
import { type GitPlace, git } from './runGit.ts';
import type { StoredBase } from './storedBases.ts';

/** The base of a folder, and what shows where the folder is used. */
export interface UsedFolder {
  readonly base: StoredBase['base'];
  /** The folder that would adopt the base. */
  readonly newFolder: string;
  /** The signed bases of the account: the revisions that they name were applied. */
  readonly applied: readonly StoredBase[];
}

/** A place in which a folder still has files. */
export interface FolderUse {
  /** A ref; absent for the checkout. */
  readonly at?: string;
  /** The remote of the ref, if the clone does not know the default branch of that remote. */
  readonly remote?: string;
}

/**
 * Where the folder of a base still has files: in the checkout, in the default branch of a remote, or in an applied revision that
 * is not in the history of the checkout. Null if it has none there. Throws if git fails.
 */
export async function folderInUse(place: GitPlace, used: UsedFolder): Promise<FolderUse | null> {
  const { base, newFolder, applied } = used;
  const files = await listed(place, ['ls-files', '-z', '--', base.folder]);
  if (isUsed(files, base.folder, newFolder)) return {};
  const branches = await branchesOfRemotes(place, base.revision);
  const newer = await notFollowed(place, applied);
  for (const { commit, ...use } of [...branches, ...newer]) {
    const tree = ['ls-tree', '-r', '--name-only', '-z', commit, '--', base.folder];
    if (isUsed(await listed(place, tree), base.folder, newFolder)) return use;
  }
  return null;
}

/** Whether a folder or file has files in the checkout or in the checked-out commit. Throws if git fails. */
export async function isStillThere(
  place: GitPlace,
  folder: string,
  asking: string,
): Promise<boolean> {
  if (await isInCheckout(place, folder, asking)) return true;
  const { entries } = await headFiles(place);
  return hasFiles([...entries.keys()], folder, asking);
}

/**
 * Whether a folder or file of desired state has files in the checkout. If the folder contains `asking`, only files directly in
 * the folder count. Throws if git fails.
 */
export async function isInCheckout(place: GitPlace, folder: string, asking: string) {
  const files = await listed(place, ['ls-files', '-z', '--', folder]);
  return hasFiles(files, folder, asking);
}

function hasFiles(files: readonly string[], folder: string, asking: string): boolean {
  const isAround = folder === '.' || asking.startsWith(`${folder}/`);
  return isAround
    ? files.some(file => isState(file) && dirname(file) === folder)
    : files.some(file => isBelow(file, folder));
}

interface Candidate extends FolderUse {
  readonly commit: string;
}

async function listed(place: GitPlace, args: readonly string[]): Promise<string[]> {
  return (await git(place, args)).toString('utf8').split('\0').filter(Boolean);
}

// Whether a folder is used outside `taker`. A folder counts as moved into its inner folder `taker` if all its desired state is in
// `taker`.
function isUsed(files: readonly string[], folder: string, taker: string): boolean {
  const isAround = folder === '.' || taker.startsWith(`${folder}/`);
  return isAround ? files.some(file => isState(file) && !isBelow(file, taker)) : files.length > 0;
}

const isBelow = (file: string, folder: string): boolean =>
  file === folder || file.startsWith(`${folder}/`);

const isState = (file: string): boolean =>
  /\.ya?ml$/.test(file) &&
  basename(file) !== PROJECT_FILE &&
  !file.split('/').some(part => part.startsWith('.'));

const REMOTES = 'refs/remotes/';

/**
 * The default branch of each remote. For a remote whose default branch is unknown, each branch that contains the recorded
 * revision.
 */
async function branchesOfRemotes(place: GitPlace, revision: string): Promise<Candidate[]> {
  const refs = await refsOf(place, []);
  const heads = refs.filter(({ ref, isLink }) => isLink && ref.endsWith('/HEAD'));
  const isKnown = (ref: string) =>
    heads.some(head => ref.startsWith(head.ref.slice(0, -'HEAD'.length)));
  if (refs.every(({ ref }) => isKnown(ref))) return heads.map(asCandidate);
  const following = await refsOf(place, [`--contains=${revision}`]);
  const others = following.filter(({ ref }) => !isKnown(ref));
  return [
    ...heads.map(asCandidate),
    ...others.map(one => {
      const [remote = ''] = one.ref.slice(REMOTES.length).split('/');
      return { ...asCandidate(one), remote };
    }),
  ];
}

interface RemoteRef {
  readonly ref: string;
  readonly commit: string;
  readonly isLink: boolean;
}

const asCandidate = ({ ref, commit }: RemoteRef): Candidate => ({ at: ref, commit });

async function refsOf(place: GitPlace, filters: readonly string[]): Promise<RemoteRef[]> {
  const format = '--format=%(objectname) %(refname) %(symref)';
  const answer = await git(place, ['for-each-ref', format, ...filters, REMOTES]);
  return answer
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => {
      const [commit = '', ref = '', target = ''] = line.split(' ');
      return { ref, commit, isLink: target !== '' };
    });
}

/** The applied revisions that are not in the history of the checkout. */
async function notFollowed(place: GitPlace, applied: readonly StoredBase[]): Promise<Candidate[]> {
  const found = await Promise.all(
    applied.map(async ({ ref, base: { revision } }) =>
      (await isAncestor(place, revision, 'HEAD')) === false ? [{ at: ref, commit: revision }] : [],
    ),
  );
  return found.flat();
}
