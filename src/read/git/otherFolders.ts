// The other folders of the repository that belong to the same account: those with a base, and those with a project file of their own
// in git. What they declare is never pruned.
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { guardsInBase } from '../../base/guards/recorded.ts';
import { baseRef } from '../../base/refName.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Guards } from '../../model/guards.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import type { SourceReader } from '../../source/load.ts';
import { guardsOf } from '../../source/project/guardsOf.ts';
import { PROJECT_FILE } from '../../source/project/project.ts';
import type { Inputs } from '../../source/values/inputs.ts';
import type { ProgramHost } from '../environment.ts';
import { folderOf } from '../files/upwards.ts';
import { loadProject } from '../loadProject.ts';
import { basesHere } from './baseRefs.ts';
import { readLayers } from './checkout.ts';
import { isOfAccount } from './folderBase.ts';
import { indexOf } from './gitIndex.ts';
import { type Layers, loadLayers } from './layers.ts';
import { repositoryOf } from './repository.ts';
import type { GitPlace } from './runGit.ts';
import { objectsOf, type StoredBase, storedBases } from './storedBases.ts';
import { pathInRepository } from './workRevision.ts';

/** The folder of a run, and how others are read. */
export interface OthersRequest {
  readonly host: ProgramHost;
  readonly path: string;
  /** The paths of the other layers of the run. */
  readonly layers: readonly string[];
  readonly account: string;
  /** The name of the run's base, if a project file or a fleet has it. */
  readonly name: string | undefined;
  readonly shownAs: (path: string) => string;
  readonly kinds: KindTable;
  readonly reader: SourceReader;
  /** Whether files in a folder are among those of the run. */
  readonly isOwn: (folder: string) => boolean;
  readonly inputs: (folder: string) => Inputs;
}

/** The other folders of the account in the repository; none outside of a repository. */
export async function otherFolders(request: OthersRequest): Promise<readonly OtherFolder[]> {
  const { host, path, account, name } = request;
  const repository = repositoryOf(path);
  if (repository === null) return [];
  const place = { folder: folderOf(path), host };
  const own = pathInRepository(path);
  const ref = baseRef(account, { folder: own, ...(name !== undefined && { name }) });
  const all = await storedBases(place, account).catch(() => []);
  const stored = all.filter(one => 'why' in one || one.ref !== ref || !isOfAccount(one, request));
  const bases = new Map(
    stored.flatMap(one => ('why' in one ? [] : [[one.base.folder, one] as const])),
  );
  const tracked = await trackedFiles(place);
  const projects = tracked
    .filter(file => basename(file) === PROJECT_FILE)
    .map(file => dirname(file));
  // A layer that was applied on its own has a base, whose guards still count.
  const layers = new Set(request.layers.map(pathInRepository));
  const isPart = (folder: string) =>
    isWithin(folder, own) && (folder === own || request.isOwn(join(repository.root, folder)));
  const isRead = (folder: string) => isWithin(own, folder) || layers.has(folder);
  const folders = [...new Set([...bases.keys(), ...projects])].filter(
    folder => !isPart(folder) && (bases.has(folder) || !isRead(folder)),
  );
  const unread = stored.flatMap(one =>
    'why' in one ? [{ name: one.ref, files: [], base: [], unreadable: one.why }] : [],
  );
  const found = await Promise.all(
    folders.sort().map(folder =>
      otherFolder(join(repository.root, folder), {
        folder,
        request,
        stored: bases.get(folder),
        hasFiles: !isRead(folder),
        isGone: !tracked.some(file => isWithin(file, folder)),
      }),
    ),
  );
  return [...found.filter(other => other !== null), ...unread];
}

/** Whether the repository may have other folders of an account: it has recorded bases, or other project files. */
export async function mayHaveOthers({
  path,
  host,
}: Pick<OthersRequest, 'path' | 'host'>): Promise<boolean> {
  const repository = repositoryOf(path);
  if (repository === null) return false;
  const place = { folder: folderOf(path), host };
  if ((await basesHere(place)).length > 0) return true;
  const own = pathInRepository(path);
  const tracked = await trackedFiles(place);
  return tracked.some(file => basename(file) === PROJECT_FILE && !isWithin(own, dirname(file)));
}

// If git does not work, there are no bases either.
async function trackedFiles(place: GitPlace): Promise<string[]> {
  const index = await indexOf(place).catch(() => []);
  return index.map(({ path }) => path);
}

const isWithin = (folder: string, other: string): boolean =>
  folder === other || other === '.' || folder.startsWith(`${other}/`);

interface Candidate {
  readonly folder: string;
  readonly request: OthersRequest;
  readonly stored: StoredBase | undefined;
  /** False for a folder around that of the run: its files are those of the run. */
  readonly hasFiles: boolean;
  /** Whether git has no files in it. */
  readonly isGone: boolean;
}

/** What a folder declares; null if it belongs to another account. */
async function otherFolder(
  path: string,
  { folder, request, stored, hasFiles, isGone }: Candidate,
): Promise<OtherFolder | null> {
  const { account, kinds, shownAs } = request;
  const base = {
    // Objects that were marked for deletion no longer exist.
    base: stored
      ? objectsOf(stored, kinds).filter(({ lifecycle }) => lifecycle.delete !== true)
      : [],
    guards: guardsOfBase(stored),
    ...(stored && { commit: stored.commit, ids: stored.base.ids ?? [] }),
  };
  const name = stored?.base.name ?? folder;
  if (isGone || !hasFiles || !existsSync(path))
    return stored ? { name, files: [], ...base, ...(isGone && { isGone }) } : null;
  // The present layers: an apply reads other folders again to find their later declarations.
  const layers = layersBefore(path, stored);
  const loaded = loadLayers({ path, layers, shownAs, kinds });
  const { project, diagnostics } = loaded;
  const fault = diagnostics.find(({ severity }) => severity === 'error');
  if (fault) return { name, files: [], ...base, unreadable: fault.message };
  if (project.account !== account) return stored ? { name, files: [], ...base } : null;
  const { accessTests, ...read } = await filesIn(
    path,
    loaded,
    request,
    stored?.base.variables ?? {},
  );
  const guards = [...base.guards, guardsOf(project, accessTests, loaded.places)];
  return { ...base, name: project.name ?? name, ...read, guards };
}

// The layers that were arguments of its last run are in its base. A list in its project file decides.
function layersBefore(path: string, stored: StoredBase | undefined): readonly string[] | undefined {
  const { layers, absent = [], folder } = stored?.base ?? {};
  const { project } = loadProject(path, { shownAs: file => file });
  const root = repositoryOf(path)?.root;
  if (layers === undefined || root === undefined || project.layers) return undefined;
  const others = layers.filter(layer => layer !== folder && !absent.includes(layer));
  return others.map(layer => join(root, layer));
}

function guardsOfBase(stored: StoredBase | undefined): readonly Guards[] {
  const { ref, base } = stored ?? {};
  return ref !== undefined && base?.guards
    ? [guardsInBase(base.guards, { file: ref, line: 1, column: 1 })]
    : [];
}

// With the values of variables that were applied to that folder: those of this run may be meant for another folder.
async function filesIn(
  path: string,
  { layers }: Layers,
  { shownAs, reader, inputs, host }: OthersRequest,
  variables: Readonly<Record<string, string>>,
): Promise<Pick<OtherFolder, 'files' | 'unreadable'> & Pick<Guards, 'accessTests'>> {
  const texts = await readLayers(layers, { shownAs, host });
  const own = inputs(path);
  const vars = new Map([...own.vars, ...Object.entries(variables)]);
  const loaded = reader.read(texts.files, { ...own, vars });
  const fault = [...texts.diagnostics, ...loaded.diagnostics].find(
    ({ severity }) => severity === 'error',
  );
  return fault
    ? { files: [], accessTests: [], unreadable: fault.message }
    : { files: loaded.desired, accessTests: loaded.accessTests };
}
