// Reads a folder of the repository that may belong to the same account: the declarations of its files, or those of its bases
// where the files do not count.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { guardsInBase } from '../../base/guards/recordedGuards.ts';
import { baseRef } from '../../base/refName.ts';
import type { Guards } from '../../model/guards.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import { guardsOf } from '../../source/project/guardsOf.ts';
import type { FileText } from '../files/fileText.ts';
import { folderOf } from '../files/projectFilesAbove.ts';
import { loadProject } from '../loadProject.ts';
import { readLayers } from './checkout.ts';
import type { TextAt, TextsOfLayers } from './committed.ts';
import { type Layers, loadLayers } from './layers.ts';
import type { OthersRequest } from './othersRequest.ts';
import { repositoryOf } from './repository.ts';
import { leftOutFaults } from './sparseCheckout.ts';
import { objectsOf, type StoredBase } from './storedBases.ts';
import { textsOf } from './workRevision.ts';

/** A folder that may belong to the account. */
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

/** The result of reading a folder. */
export interface FoundFolders {
  readonly folders: readonly OtherFolder[];
  /** The files as they were read, and its project files; absent if they were not read. */
  readonly read?: TextsOfLayers;
  /** Its project files, if they name another account; then nothing else was read. */
  readonly projects?: readonly TextAt[];
}

/**
 * The declarations of a folder, and each base that it has under a former name. Only the bases, if the folder belongs to another
 * account now, or if a sparse checkout leaves out some of its files.
 */
export async function readOtherFolder(path: string, candidate: Candidate): Promise<FoundFolders> {
  const { folder, request, stored, hasFiles, isGone, isAtCommit } = candidate;
  const { account, kinds, shownAs, host } = request;
  const bases = stored.map(one => ofBase(one, request));
  if (isGone || !hasFiles || !existsSync(path))
    return { folders: bases.map(one => ({ ...one, ...(isGone && { isGone }) })) };
  const { project: outermost } = loadProject(path, { shownAs });
  const last = baseNamed(candidate, outermost.name) ?? stored[0];
  // Layers that the base names but that do not exist are left out here. An apply reads other folders again, and so finds later
  // declarations of such layers.
  const layers = layersBefore(path, last);
  const loaded = loadLayers({ path, layers, shownAs, kinds });
  const leftOut = (
    await Promise.all(loaded.layers.map(layer => leftOutFaults({ ...layer, shownAs, host })))
  ).flat();
  // In this case, the commit shows what the folder declares.
  if (isAtCommit && leftOut.length > 0) return { folders: bases };
  const fault = [...leftOut, ...loaded.diagnostics].find(({ severity }) => severity === 'error');
  if (fault) {
    const each = bases.length > 0 ? bases : [{ name: folder, files: [], base: [] }];
    return { folders: each.map(one => ({ ...one, unreadable: fault.message })) };
  }
  if (loaded.project.account !== account)
    return { folders: bases, projects: textsOf(path, { layers: loaded.layers, files: [] }) };
  return declaredIn(path, loaded, { ...candidate, last });
}

// The base of the folder under its name; without a name, under its path.
const baseNamed = (
  { folder, request: { account }, stored }: Candidate,
  name: string | undefined,
): StoredBase | undefined =>
  stored.find(
    ({ ref }) => ref === baseRef(account, { folder, ...(name !== undefined && { name }) }),
  );

/** A folder of the account, with the base of its last run. */
interface OwnFolder extends Candidate {
  readonly last: StoredBase | undefined;
}

// The declarations in the files of a folder.
async function declaredIn(path: string, loaded: Layers, own: OwnFolder): Promise<FoundFolders> {
  const { folder, request, stored, last } = own;
  const { project, layers, places } = loaded;
  const current = baseNamed(own, project.name);
  const variables = (current ?? last)?.base.variables ?? {};
  const { accessTests, texts, ...read } = await filesIn(path, loaded, request, variables);
  const base = current && ofBase(current, request);
  const name = project.name ?? folder;
  const guards = [...(base?.guards ?? []), guardsOf(project, accessTests, places)];
  // If a folder gets a new name, the guards of the objects that it declared under the former name stay.
  const left = stored
    .filter(({ commit }) => commit !== current?.commit)
    .map(one => ({ ...ofBase(one, request), isGone: true as const, heldBy: name }));
  return {
    folders: [{ base: [], ...base, name, ...read, guards }, ...left],
    read: { layers, texts: textsOf(folderOf(path), { layers, files: texts }) },
  };
}

/** The declarations and the guards of a base, as a folder. */
export function ofBase(stored: StoredBase, { kinds }: Pick<OthersRequest, 'kinds'>): OtherFolder {
  const { ref, commit, base } = stored;
  return {
    name: base.name ?? base.folder,
    files: [],
    // Objects that the base marked for deletion no longer exist.
    base: objectsOf(stored, kinds).filter(({ lifecycle }) => lifecycle.delete !== true),
    guards: base.guards ? [guardsInBase(base.guards, { file: ref, line: 1, column: 1 })] : [],
    commit,
    ids: base.ids ?? [],
  };
}

// The layers that were arguments of the last run of a folder, as its base records them. If its project file lists layers, the
// list decides instead.
export function layersBefore(
  path: string,
  stored: StoredBase | undefined,
): readonly string[] | undefined {
  const { layers, absent = [], folder } = stored?.base ?? {};
  const { project } = loadProject(path, { shownAs: file => file });
  const root = repositoryOf(path)?.root;
  if (layers === undefined || root === undefined || project.layers) return undefined;
  const others = layers.filter(layer => layer !== folder && !absent.includes(layer));
  return others.map(layer => join(root, layer));
}

/** The declarations in the files of a folder, and the texts of the files. */
interface ReadFiles extends Pick<OtherFolder, 'files' | 'unreadable'>, Pick<Guards, 'accessTests'> {
  readonly texts: readonly FileText[];
}

// Reads the files with the values of variables that were applied to that folder, because the values of this run may be meant for
// another folder.
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
