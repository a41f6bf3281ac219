// The layers of a base in a revision. If the project file in that revision lists layers, the base has these layers, so a layer
// that was removed from the list since still counts, with its objects and its guards. Otherwise the base has the layers of the
// run. Links are resolved as of the revision, so a link that a commit puts in place of a folder does not hide the content of the
// folder.
import { dirname, posix, relative, sep } from 'node:path';
import type { KindTable } from '../../kinds/kind.ts';
import { shippedSchema } from '../../kinds/registry.ts';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { PROJECT_FILE, type ReadProject, readGuards } from '../../source/project/project.ts';
import { unreadableProject } from '../files/findings.ts';
import type { FileTexts } from '../files/folder.ts';
import { realOf } from '../files/projectFilesAbove.ts';
import { type Selection, selectorFor, selectorIn } from '../files/select.ts';
import { joinedFiles } from '../loadProject.ts';
import { inLayer } from './checkout.ts';
import { filesInTree, type Revision } from './filesAtRevision.ts';
import type { Layer, Layers } from './layers.ts';
import { followedAt, projectFilesAt } from './projectFilesAt.ts';
import { repositoryOf } from './repository.ts';
import type { GitPlace } from './runGit.ts';

/** The settings of a run by which the layers of its base are found. */
export type LayersOfRun = Pick<Layers, 'layers' | 'areArguments' | 'areListed'>;

/** A layer of a base. */
export interface BaseLayer {
  /** The path of the layer from the root of the repository, with its links unresolved. */
  readonly name: string;
  /** The path from the folder of the last layer to the folder of this layer. */
  readonly fromLastLayer: string;
  /** Whether the run has the layer only by name, because an account of a fleet does not have it. */
  readonly isAbsent: boolean;
  /** The files of the layer as the run selects them; null if the revision has no such path. */
  readonly texts: FileTexts | null;
  /** The files of the layer as the revision's own project file selects them; absent if the run excludes the same files. */
  readonly textsThen?: FileTexts | null;
  /** The project files of the layer, the nearest first. */
  readonly projects: readonly ProjectThen[];
}

/** A project file of the revision, by its name and the path of its folder from the root of the repository. */
type ProjectThen = ReadProject & { readonly file: string; readonly folder: string };

/** The layers of a base, in their order. Throws if git fails. */
export async function layersAt(
  place: GitPlace,
  revision: Revision,
  { layers, areArguments }: Omit<LayersOfRun, 'areListed'>,
  kinds: KindTable,
): Promise<readonly BaseLayer[]> {
  const own = layers.map(layer => ({ name: nameOf(layer.path, place), layer }));
  const last = own.at(-1)?.name ?? '';
  const listed = areArguments ? null : await listedAt({ place, revision, kinds }, last);
  const names = listed ?? own.map(({ name }) => name);
  const home = await folderAt(place, revision, last);
  return Promise.all(
    names.map(async name => {
      const layer = own.find(one => one.name === name)?.layer;
      const read = await layerAt({ place, revision, kinds }, name, layer);
      const fromLastLayer = posix.relative(home, await folderAt(place, revision, name));
      return { ...read, fromLastLayer, isAbsent: layer?.isAbsent === true };
    }),
  );
}

/** The note for a layer that a base lacks. */
export const noSuchLayer = (base: string, layer: string): Diagnostic => ({
  code: 'BASE_LAYER_EMPTY',
  severity: 'note',
  message: `${nameText(base)} has no layer ${quoted(layer)}: it counts as empty in the base`,
});

/**
 * The error for a layer that a base has, and that an account of a fleet no longer has. `at` is the entry of the account, if
 * known.
 */
export const layerGone = (layer: string, base: string, at?: Span): Diagnostic => ({
  code: 'FLEET_LAYER',
  severity: 'error',
  message: `the layer ${quoted(layer)} does not exist, but the base at ${nameText(base)} has it: what the layer declares would look removed`,
  ...(at && { at }),
  hint: 'restore the folder; if the account needs nothing of it any more, keep it with a file that declares an empty list',
});

/** The place and the revision in which the layers of a base are read. */
interface Reading {
  readonly place: GitPlace;
  readonly revision: Revision;
  readonly kinds: KindTable;
}

// The path of a layer in the repository, as a person or a project file writes it. A link outside the repository is resolved now,
// and a link inside is resolved as of the revision.
function nameOf(path: string, place: GitPlace): string {
  const root = repositoryOf(place.folder)?.root ?? '';
  const above = [path];
  for (let at = path; dirname(at) !== at; at = dirname(at)) above.push(dirname(at));
  const home = above.findLast(one => realOf(one) === root);
  const fromLastLayer = home === undefined ? relative(root, realOf(path)) : relative(home, path);
  return fromLastLayer.split(sep).join('/');
}

async function folderAt(place: GitPlace, { commit }: Revision, name: string): Promise<string> {
  const found = (await followedAt(place, commit, name)) ?? { path: name, isFile: false };
  return found.isFile ? posix.dirname(found.path).replace(/^\.$/, '') : found.path;
}

// The layers that the project file lists in the revision; null without a list. The last layer is the folder itself, because a
// list that ends with another folder is refused when it is loaded.
async function listedAt(reading: Reading, last: string): Promise<readonly string[] | null> {
  const { place, revision } = reading;
  const folder = await folderAt(place, revision, last);
  const [nearest] = await projectsAt(reading, folder);
  const list = nearest?.project.layers;
  if (nearest === undefined || list === undefined) return null;
  const before = list.slice(0, -1).map(({ path }) => posix.join(nearest.folder, path));
  return [...before.map(path => path.replace(/\/$/, '')), last];
}

async function layerAt(
  reading: Reading,
  name: string,
  layer: Layer | undefined,
): Promise<Omit<BaseLayer, 'fromLastLayer' | 'isAbsent'>> {
  const { place, revision } = reading;
  const found = await followedAt(place, revision.commit, name);
  const folder = found?.isFile ? posix.dirname(found.path) : (found?.path ?? name);
  const projects = await projectsAt(reading, folder);
  if (found === null) return { name, texts: null, projects: [] };
  const own: Selection = {
    projectFile: PROJECT_FILE,
    exclude: joinedFiles(projects).project.exclude ?? [],
  };
  const inRevision = selectorIn(posix.relative(projects[0]?.folder ?? folder, folder), own);
  const read = async (selector: typeof inRevision) =>
    (await filesInTree(place, revision, { ...found, selector })) ?? NO_FILES;
  if (layer === undefined) return { name, texts: await read(inRevision), projects };
  const texts = await read(selectorFor(layer.path, layer.selection));
  const isSame = isSameList(own.exclude, layer.selection.exclude);
  return { name, texts, projects, ...(!isSame && { textsThen: await read(inRevision) }) };
}

// A folder that exists with no desired state, such as a folder with only a project file.
const NO_FILES: FileTexts = { files: [], diagnostics: [] };

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item, i) => item === other[i]);

async function projectsAt(
  { place, revision, kinds }: Reading,
  folder: string,
): Promise<readonly ProjectThen[]> {
  const schema = shippedSchema('project.schema.json');
  const found = await projectFilesAt(place, revision, PROJECT_FILE, folder);
  return found.map(one => {
    const { file } = one;
    if (!('why' in one)) return { ...one, ...readGuards(one, schema, kinds) };
    const diagnostics = [unreadableProject(file, one.why)];
    return { file, folder: one.folder, project: {}, places: new Map(), diagnostics };
  });
}

/** The files of all layers of a base, in their order, with a note for each layer that it lacks. */
export function textsOfLayers(
  layers: readonly BaseLayer[],
  base: string,
  which: 'texts' | 'textsThen' = 'texts',
): FileTexts {
  const read = layers.map((layer, order) => {
    const { fromLastLayer, name, texts, isAbsent } = layer;
    const found = (which === 'textsThen' ? layer.textsThen : undefined) ?? texts;
    if (isAbsent) return { files: [], diagnostics: found ? [layerGone(name, base)] : [] };
    if (found === null) return { files: [], diagnostics: [noSuchLayer(base, name || '.')] };
    return { ...found, files: found.files.map(one => inLayer(one, { fromLastLayer, order })) };
  });
  return {
    files: read.flatMap(({ files }) => files),
    diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** Whether any layer excludes other files now than it did in the revision. */
export const isExcludedOtherwise = (layers: readonly BaseLayer[]): boolean =>
  layers.some(({ textsThen }) => textsThen !== undefined);
