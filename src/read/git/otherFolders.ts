// The other folders of the repository that belong to the same account: those with a base, and those with a project file in git.
// Their declarations are never pruned.
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { guardsInBase } from '../../base/guards/recordedGuards.ts';
import { baseRef, baseRefsOf, nameOfBaseRef } from '../../base/refName.ts';
import type { Guards } from '../../model/guards.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import { guardsOf } from '../../source/project/guardsOf.ts';
import { PROJECT_FILE } from '../../source/project/project.ts';
import type { FileText } from '../files/fileText.ts';
import { folderOf } from '../files/upwards.ts';
import { loadProject } from '../loadProject.ts';
import { basesHere } from './baseRefs.ts';
import { readLayers } from './checkout.ts';
import {
  changedTexts,
  differing,
  removedProjects,
  type TextAt,
  type TextsOfLayers,
} from './committed.ts';
import { committedFolders } from './committedFolders.ts';
import { isOfAccount } from './folderBase.ts';
import { indexOf } from './gitIndex.ts';
import { type HeadFiles, headFiles } from './headFiles.ts';
import { type Layers, loadLayers } from './layers.ts';
import type { OthersRequest } from './othersRequest.ts';
import { repositoryOf } from './repository.ts';
import { commitOf } from './revision.ts';
import { type GitPlace, gitFault } from './runGit.ts';
import { leftOutFaults } from './sparseCheckout.ts';
import { objectsOf, type StoredBase, storedBases } from './storedBases.ts';
import { pathInRepository, textsOf } from './workRevision.ts';

/** The other folders of the account in the repository; empty outside a repository. */
export async function otherFolders(request: OthersRequest): Promise<readonly OtherFolder[]> {
  const { host, path, account, name } = request;
  const repository = repositoryOf(path);
  if (repository === null) return [];
  const place = { folder: folderOf(path), host };
  const own = pathInRepository(path);
  const ref = baseRef(account, { folder: own, ...(name !== undefined && { name }) });
  const all = await storedBases(place, account).catch((error: unknown) => [
    { ref: baseRefsOf(account).replace(/\/$/, ''), why: gitFault(error).why },
  ]);
  const isOfRun = (one: StoredBase) =>
    one.ref === ref && (one.base.folder === own || isOfAccount(one, request));
  const stored = all.flatMap(one => ('why' in one || isOfRun(one) ? [] : [one]));
  const bases = Map.groupBy(stored, one => one.base.folder);
  const index = await indexOf(place).catch(gitFault);
  const tracked = 'why' in index ? [] : index.map(({ path: file }) => file);
  const commit = await headOf(place, request).catch(gitFault);
  const head = commit !== null && 'entries' in commit ? commit : null;
  const projects = [...tracked, ...(head?.entries.keys() ?? [])]
    .filter(file => basename(file) === PROJECT_FILE)
    .map(file => dirname(file));
  // A layer that was also applied on its own has a base, whose guards still count.
  const layers = new Set(request.layers.map(pathInRepository));
  const isPart = (folder: string) =>
    isWithin(folder, own) && (folder === own || request.isOwn(join(repository.root, folder)));
  const isRead = (folder: string) => isWithin(own, folder) || layers.has(folder);
  const folders = [...new Set([...bases.keys(), ...projects])].filter(
    folder => !isPart(folder) && (bases.has(folder) || !isRead(folder)),
  );
  // A base that the files of the run had under another name, or as a separate folder, stays unassigned until the user decides
  // about it.
  const left = stored
    .filter(({ base }) => isPart(base.folder))
    .map(one => ({ ...ofBase(one, request), isGone: true as const, heldBy: name ?? own }));
  const { root } = repository;
  const unread = [
    ...all.flatMap(one => ('why' in one ? [unreadableBase(one, account)] : [])),
    ...('why' in index ? [unreadable(root, index.why)] : []),
    ...(commit !== null && 'why' in commit ? [unreadable('HEAD', commit.why)] : []),
  ];
  const found = await Promise.all(
    folders.sort().map(async folder => {
      const path = join(root, folder);
      const own = bases.get(folder) ?? [];
      const read = await foldersAt(path, {
        folder,
        request,
        stored: own,
        hasFiles: !isRead(folder),
        isGone: !tracked.some(file => isWithin(file, folder)),
        isAtCommit: head !== null,
      });
      const isOther = head !== null && !isRead(folder) && isChanged(path, { root, head, read });
      const layers = layersBefore(path, own[0]);
      const differing = { folder, layers, variables: own[0]?.base.variables ?? {} };
      return { ...read, differing: isOther ? [differing] : [] };
    }),
  );
  const committed = head
    ? await committedFolders(
        found.flatMap(({ differing: one }) => one),
        { root, head },
        request,
      )
    : [];
  return [...found.flatMap(one => one.folders), ...committed, ...left, ...unread];
}

const unreadable = (name: string, why: string): OtherFolder => ({
  name,
  files: [],
  base: [],
  unreadable: why,
});

// If git fails, no base can be read, and `ref` is the common prefix of all bases.
const unreadableBase = (
  { ref, why }: { readonly ref: string; readonly why: string },
  account: string,
): OtherFolder => ({
  ...unreadable(ref, why),
  ...(ref.startsWith(baseRefsOf(account)) && { unreadableBase: nameOfBaseRef(ref) }),
});

// Whether the checkout has other files of a folder than the commit. For a folder of another account, only its project files count.
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

/** Whether the repository may have other folders of an account: it has recorded bases, or other project files. */
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

interface Candidate {
  readonly folder: string;
  readonly request: OthersRequest;
  /** The bases of the folder: more than one if it had other names before. */
  readonly stored: readonly StoredBase[];
  /** False for a folder whose files the run already reads: a folder around the folder of the run, or a layer. */
  readonly hasFiles: boolean;
  /** Whether git tracks no files in the folder. */
  readonly isGone: boolean;
  /** Whether the files of the commit are known too. */
  readonly isAtCommit: boolean;
}

/** What was found of a folder. */
interface FoundFolders {
  readonly folders: readonly OtherFolder[];
  /** The files as they were read, and its project files; absent if they were not read. */
  readonly read?: TextsOfLayers;
  /** Its project files, if they name another account; then nothing else was read. */
  readonly projects?: readonly TextAt[];
}

/**
 * The declarations of a folder, and each base that it has under a former name. If the folder belongs to another account now, or if
 * a sparse checkout leaves out some of its files, only its bases.
 */
async function foldersAt(
  path: string,
  { folder, request, stored, hasFiles, isGone, isAtCommit }: Candidate,
): Promise<FoundFolders> {
  const { account, kinds, shownAs, host } = request;
  const bases = stored.map(one => ofBase(one, request));
  if (isGone || !hasFiles || !existsSync(path))
    return { folders: bases.map(one => ({ ...one, ...(isGone && { isGone }) })) };
  const isNamed = (name: string | undefined) => (one: StoredBase) =>
    one.ref === baseRef(account, { folder, ...(name !== undefined && { name }) });
  const { project: outermost } = loadProject(path, { shownAs });
  const last = stored.find(isNamed(outermost.name)) ?? stored[0];
  // The base also names absent layers, which are left out here: an apply reads other folders again to find their later
  // declarations.
  const layers = layersBefore(path, last);
  const loaded = loadLayers({ path, layers, shownAs, kinds });
  const { project, diagnostics } = loaded;
  const leftOut = await Promise.all(
    loaded.layers.map(layer => leftOutFaults({ ...layer, shownAs, host })),
  );
  // The commit shows what such a folder declares.
  if (isAtCommit && leftOut.flat().length > 0) return { folders: bases };
  const fault = [...leftOut.flat(), ...diagnostics].find(({ severity }) => severity === 'error');
  if (fault) {
    const each = bases.length > 0 ? bases : [{ name: folder, files: [], base: [] }];
    return { folders: each.map(one => ({ ...one, unreadable: fault.message })) };
  }
  if (project.account !== account)
    return { folders: bases, projects: textsOf(path, { layers: loaded.layers, files: [] }) };
  const current = stored.find(isNamed(project.name));
  const { accessTests, texts, ...read } = await filesIn(
    path,
    loaded,
    request,
    (current ?? last)?.base.variables ?? {},
  );
  const base = current && ofBase(current, request);
  const name = project.name ?? folder;
  const guards = [...(base?.guards ?? []), guardsOf(project, accessTests, loaded.places)];
  // If a folder gets a new name, the objects that it declared under the old name keep their guards.
  const left = bases
    .filter(({ commit }) => commit !== current?.commit)
    .map(one => ({ ...one, isGone: true as const, heldBy: name }));
  return {
    folders: [{ base: [], ...base, name, ...read, guards }, ...left],
    read: {
      layers: loaded.layers,
      texts: textsOf(folderOf(path), { layers: loaded.layers, files: texts }),
    },
  };
}

/** The declarations and the guards of a base, as a folder. */
function ofBase(stored: StoredBase, { kinds }: Pick<OthersRequest, 'kinds'>): OtherFolder {
  const { ref, commit, base } = stored;
  return {
    name: base.name ?? base.folder,
    files: [],
    // Objects that were marked for deletion no longer exist.
    base: objectsOf(stored, kinds).filter(({ lifecycle }) => lifecycle.delete !== true),
    guards: base.guards ? [guardsInBase(base.guards, { file: ref, line: 1, column: 1 })] : [],
    commit,
    ids: base.ids ?? [],
  };
}

// The layers that were arguments of the last run of a folder, as its base records them. If its project file lists layers, the
// list decides instead.
function layersBefore(path: string, stored: StoredBase | undefined): readonly string[] | undefined {
  const { layers, absent = [], folder } = stored?.base ?? {};
  const { project } = loadProject(path, { shownAs: file => file });
  const root = repositoryOf(path)?.root;
  if (layers === undefined || root === undefined || project.layers) return undefined;
  const others = layers.filter(layer => layer !== folder && !absent.includes(layer));
  return others.map(layer => join(root, layer));
}

/** What the files of a folder declare, and their texts. */
interface ReadFiles extends Pick<OtherFolder, 'files' | 'unreadable'>, Pick<Guards, 'accessTests'> {
  readonly texts: readonly FileText[];
}

// Reads the files with the values of variables that were applied to that folder: the values of this run may be meant for another
// folder.
async function filesIn(
  path: string,
  { layers }: Layers,
  { shownAs, reader, inputs, host }: OthersRequest,
  variables: Readonly<Record<string, string>>,
): Promise<ReadFiles> {
  const texts = await readLayers(layers, { shownAs, host });
  const own = inputs(path);
  const vars = new Map([...own.vars, ...Object.entries(variables)]);
  const loaded = reader.read(texts.files, { ...own, vars });
  const fault = [...texts.diagnostics, ...loaded.diagnostics].find(
    ({ severity }) => severity === 'error',
  );
  const { files } = texts;
  return fault
    ? { files: [], texts: files, accessTests: [], unreadable: fault.message }
    : { files: loaded.desired, texts: files, accessTests: loaded.accessTests };
}
