// Reads the other folders of the repository that belong to the same account: those with a base, and those with a project file in
// git. Their declarations are never pruned.
import { basename, dirname, join } from 'node:path';
import { baseRef, baseRefsOf, nameOfBaseRef } from '../../base/refName.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import { PROJECT_FILE } from '../../source/project/project.ts';
import { folderOf } from '../files/projectFilesAbove.ts';
import { basesHere } from './baseRefs.ts';
import { changedTexts, differing, removedProjects } from './committed.ts';
import { committedFolders, type DifferingFolder } from './committedFolders.ts';
import { isOfAccount } from './folderBase.ts';
import { indexOf } from './gitIndex.ts';
import { type HeadFiles, headFiles } from './headFiles.ts';
import type { OthersRequest } from './othersRequest.ts';
import { type FoundFolders, layersBefore, ofBase, readOtherFolder } from './readOtherFolder.ts';
import { repositoryOf } from './repository.ts';
import { commitOf } from './revision.ts';
import { type GitPlace, gitFault } from './runGit.ts';
import { type StoredBase, storedBases } from './storedBases.ts';
import { pathInRepository } from './workRevision.ts';

/** The other folders of the account in the repository; empty outside a repository. */
export async function otherFolders(request: OthersRequest): Promise<readonly OtherFolder[]> {
  const { path, host, name } = request;
  const repository = repositoryOf(path);
  if (repository === null) return [];
  const { root } = repository;
  const place = { folder: folderOf(path), host };
  const bases = await basesOfOthers(place, request);
  const files = await filesInGit(place, root, request);
  const run = { ...foldersOfRun(root, request), root, request, bases, files };
  const found = await Promise.all(foldersBeside(run).map(folder => readFolder(folder, run)));
  const { head } = files;
  const others = found.flatMap(one => one.differing);
  const committed = head ? await committedFolders(others, { root, head }, request) : [];
  // If the files of the run had a base under another name, or as a separate folder, this base stays unassigned until the user
  // decides about it.
  const left = bases.stored
    .filter(({ base }) => run.isPart(base.folder))
    .map(one => ({ ...ofBase(one, request), isGone: true as const, heldBy: name ?? run.own }));
  const unread = [...bases.unread, ...files.unread];
  return [...found.flatMap(one => one.folders), ...committed, ...left, ...unread];
}

/** The bases of the account in the repository. */
interface BasesOfOthers {
  /** Without the base of the run. */
  readonly stored: readonly StoredBase[];
  /** The bases that cannot be read, as folders. */
  readonly unread: readonly OtherFolder[];
}

async function basesOfOthers(place: GitPlace, request: OthersRequest): Promise<BasesOfOthers> {
  const { path, account, name } = request;
  const own = pathInRepository(path);
  const ref = baseRef(account, { folder: own, ...(name !== undefined && { name }) });
  const all = await storedBases(place, account).catch((error: unknown) => [
    { ref: baseRefsOf(account).replace(/\/$/, ''), why: gitFault(error).why },
  ]);
  const isOfRun = (one: StoredBase) =>
    one.ref === ref && (one.base.folder === own || isOfAccount(one, request));
  return {
    stored: all.flatMap(one => ('why' in one || isOfRun(one) ? [] : [one])),
    unread: all.flatMap(one => ('why' in one ? [unreadableBase(one, account)] : [])),
  };
}

/** The files that git has. */
interface FilesInGit {
  /** The paths of the files in the index. */
  readonly tracked: readonly string[];
  /** The files of the checked-out commit; null if they do not count, or cannot be read. */
  readonly head: HeadFiles | null;
  /** The parts that cannot be read, as folders. */
  readonly unread: readonly OtherFolder[];
}

async function filesInGit(
  place: GitPlace,
  root: string,
  request: OthersRequest,
): Promise<FilesInGit> {
  const index = await indexOf(place).catch(gitFault);
  const commit = await headOf(place, request).catch(gitFault);
  return {
    tracked: 'why' in index ? [] : index.map(({ path: file }) => file),
    head: commit !== null && 'entries' in commit ? commit : null,
    unread: [
      ...('why' in index ? [unreadable(root, index.why)] : []),
      ...(commit !== null && 'why' in commit ? [unreadable('HEAD', commit.why)] : []),
    ],
  };
}

/** The folders of a run, by their paths from the root of the repository. */
interface FoldersOfRun {
  readonly own: string;
  /** Whether a folder is a part of the folder of the run. */
  readonly isPart: (folder: string) => boolean;
  /** Whether the run reads the files of a folder. */
  readonly isRead: (folder: string) => boolean;
}

function foldersOfRun(root: string, { path, layers, isOwn }: OthersRequest): FoldersOfRun {
  const own = pathInRepository(path);
  // A layer that was also applied as a separate folder has a base, whose guards still count.
  const read = new Set(layers.map(pathInRepository));
  return {
    own,
    isPart: folder => isWithin(folder, own) && (folder === own || isOwn(join(root, folder))),
    isRead: folder => isWithin(own, folder) || read.has(folder),
  };
}

/** A run, and the other folders of the repository. */
interface RunInRepository extends FoldersOfRun {
  readonly root: string;
  readonly request: OthersRequest;
  readonly bases: BasesOfOthers;
  readonly files: FilesInGit;
}

// The folders that have a base or a project file, except the folders of the run.
function foldersBeside({ bases, files, isPart, isRead }: RunInRepository): readonly string[] {
  const withBase = new Set(bases.stored.map(({ base }) => base.folder));
  const projects = [...files.tracked, ...(files.head?.entries.keys() ?? [])]
    .filter(file => basename(file) === PROJECT_FILE)
    .map(file => dirname(file));
  return [...new Set([...withBase, ...projects])]
    .filter(folder => !isPart(folder) && (withBase.has(folder) || !isRead(folder)))
    .sort();
}

// Reads a folder. `differing`: the folder, if its files differ in the commit; then they are read in the commit too.
async function readFolder(
  folder: string,
  { root, request, bases, files: { tracked, head }, isRead }: RunInRepository,
): Promise<FoundFolders & { readonly differing: readonly DifferingFolder[] }> {
  const path = join(root, folder);
  const stored = bases.stored.filter(({ base }) => base.folder === folder);
  const read = await readOtherFolder(path, {
    folder,
    request,
    stored,
    hasFiles: !isRead(folder),
    isGone: !tracked.some(file => isWithin(file, folder)),
    isAtCommit: head !== null,
  });
  if (head === null || isRead(folder) || !isChanged(path, { root, head, read }))
    return { ...read, differing: [] };
  const [first] = stored;
  const variables = first?.base.variables ?? {};
  return { ...read, differing: [{ folder, layers: layersBefore(path, first), variables }] };
}

const unreadable = (name: string, why: string): OtherFolder => ({
  name,
  files: [],
  base: [],
  unreadable: why,
});

// A fault for bases that cannot be read. If git fails, no base can be read, and `ref` is the common prefix of all bases.
const unreadableBase = (
  { ref, why }: { readonly ref: string; readonly why: string },
  account: string,
): OtherFolder => ({
  ...unreadable(ref, why),
  ...(ref.startsWith(baseRefsOf(account)) && { unreadableBase: nameOfBaseRef(ref) }),
});

// Whether the checkout has other files of a folder than the commit. If the folder belongs to another account, only its project
// files count.
function isChanged(
  path: string,
  {
    root,
    head,
    read: { read, projects },
  }: {
    readonly root: string;
    readonly head: HeadFiles;
    readonly read: FoundFolders;
  },
): boolean {
  if (read) return differing(root, head, read).length > 0;
  if (projects === undefined) return true;
  return (
    changedTexts(root, head, projects).length > 0 || removedProjects(root, head, path).length > 0
  );
}

/** Whether the repository may have other folders of an account, because it has recorded bases or other project files. */
export async function mayHaveOthers({
  path,
  host,
  isAtCommit,
}: Pick<OthersRequest, 'path' | 'host' | 'isAtCommit'>): Promise<boolean> {
  const repository = repositoryOf(path);
  if (repository === null) return false;
  const place = { folder: folderOf(path), host };
  if ((await basesHere(place)).length > 0) return true;
  const own = pathInRepository(path);
  const index = await indexOf(place).catch(() => null);
  if (index === null) return true;
  const head = await headOf(place, { isAtCommit }).catch(() => null);
  const files = [...index.map(({ path: file }) => file), ...(head?.entries.keys() ?? [])];
  return files.some(file => basename(file) === PROJECT_FILE && !isWithin(own, dirname(file)));
}

// Null without a commit, and if git does not work at all. Rejects if git cannot read the files of the commit.
async function headOf(
  place: GitPlace,
  { isAtCommit }: Pick<OthersRequest, 'isAtCommit'>,
): Promise<HeadFiles | null> {
  if (!isAtCommit) return null;
  try {
    return await headFiles(place);
  } catch (error) {
    if ('commit' in (await commitOf(place, 'HEAD'))) throw error;
    return null;
  }
}

const isWithin = (folder: string, other: string): boolean =>
  folder === other || other === '.' || folder.startsWith(`${other}/`);
