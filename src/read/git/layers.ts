// The layers of a run: folders or single files of desired state that are read as one, in their order. The base is named after the
// last layer. The guards of all layers are joined. After links are followed, all layers must be in one work tree, so that each
// revision contains all of them and no link leads elsewhere.
import { dirname, relative, resolve, sep } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { joinedPlaces } from '../../source/project/guardPlaces.ts';
import { joinLayers } from '../../source/project/joinProjects.ts';
import { PROJECT_FILE, type ReadProject } from '../../source/project/project.ts';
import { folderOf, isAbsentLayer, realOf } from '../files/projectFilesAbove.ts';
import type { Selection } from '../files/select.ts';
import { joinedFiles, type ProjectAt, type ProjectReading, projectsFor } from '../loadProject.ts';
import { layerFaults, listFaults, listInFleet, type NamedLayer } from './layerFaults.ts';

/** A folder, or one file, of desired state. */
export interface Layer {
  readonly path: string;
  /** The path from the folder of the last layer to the folder of this layer, with slashes; '' for the same folder. */
  readonly fromLastLayer: string;
  readonly selection: Selection;
  /** Whether an account of a fleet does not have the layer, which then declares nothing. */
  readonly isAbsent: boolean;
  /**
   * Whether the layer may declare nothing: true for the last layer if its folder has a project file and the run has other layers.
   */
  readonly mayBeEmpty: boolean;
}

/** The layers of a run, and the settings of the run. */
export interface Layers extends ReadProject {
  /** In their order. */
  readonly layers: readonly Layer[];
  /** Whether several layers were named as arguments, or by the entry of a fleet. */
  readonly areArguments: boolean;
  /** Whether the project file or the fleet file lists the layers, so that removing a layer takes a commit, which is reviewed. */
  readonly areListed: boolean;
}

/** The files of a run. */
export interface LayersRequest extends ProjectReading {
  /** A folder or one file: the last layer. */
  readonly path: string;
  /** The layers before the last one. If absent or empty, the layers that its project file lists. */
  readonly layers?: readonly string[] | undefined;
}

/** The layers of a run, the settings of the run, and the faults of both. Layers with a fault are left out. */
export function loadLayers(request: LayersRequest): Layers {
  const { path } = request;
  const own = projectsFor(path, request);
  const { named, areArguments, areListed, faults } = namedLayers(own, request);
  const broken = layerFaults(named, { path, files: own }, request);
  const usable = named.filter(one => !broken.some(({ layer }) => layer === one));
  const joined = joinedLayers(
    own,
    usable.map(one => one.files),
  );
  const isBegun = own[0] !== undefined && dirname(own[0].file) === resolve(path);
  const last = {
    ...layerOf(path, path, joinedFiles(own)),
    isAbsent: isAbsentLayer(path, request.projectFiles),
    mayBeEmpty: named.length > 0 && isBegun,
  };
  const before = usable.map(one => ({
    ...layerOf(one.path, path, joinedFiles(one.files)),
    isAbsent: one.isAbsent,
    mayBeEmpty: false,
  }));
  return {
    ...joined,
    layers: [...before, last],
    areArguments,
    areListed,
    diagnostics: [...joined.diagnostics, ...faults, ...broken.map(({ fault }) => fault)],
  };
}

/** The layers before the last layer as they are named, and the faults of their list. */
interface NamedLayers extends Pick<Layers, 'areArguments' | 'areListed'> {
  readonly named: readonly (NamedLayer & Pick<Layer, 'isAbsent'>)[];
  readonly faults: readonly Diagnostic[];
}

// `own`: the project files of the last layer.
function namedLayers(own: readonly ProjectAt[], request: LayersRequest): NamedLayers {
  const { path, layers: given = [] } = request;
  const fleet = request.projectFiles?.inFleet?.(path);
  const areArguments = given.length > 0 || fleet !== undefined;
  const written = joinedFiles(own).project.layers ?? [];
  const list = areArguments ? [] : written;
  const home = dirname(own[0]?.file ?? path);
  const listed = list.slice(0, -1).map(one => ({ path: resolve(home, one.path), at: one.at }));
  const names = areArguments ? given.map(one => ({ path: one })) : listed;
  return {
    named: names.map(one => ({
      ...one,
      files: projectsFor(one.path, request),
      isAbsent: isAbsentLayer(one.path, request.projectFiles),
    })),
    areArguments,
    areListed: list.length > 0 || fleet !== undefined,
    faults: [...listFaults(list, home), ...(fleet ? listInFleet(written, home, fleet) : [])],
  };
}

/**
 * The folders of other layers, by their paths from the folder of the last layer. A folder that has several layers appears once.
 */
export const layerPathsOf = (
  layers: readonly Pick<Layer, 'fromLastLayer' | 'isAbsent'>[],
): readonly string[] => [
  ...new Set(
    layers.flatMap(({ fromLastLayer, isAbsent }) =>
      fromLastLayer === '' || isAbsent ? [] : fromLastLayer,
    ),
  ),
];

function layerOf(
  path: string,
  last: string,
  { project }: ReadProject,
): Pick<Layer, 'path' | 'fromLastLayer' | 'selection'> {
  const fromLastLayer = relative(realOf(folderOf(last)), realOf(folderOf(path)));
  return {
    path,
    fromLastLayer: fromLastLayer.split(sep).join('/'),
    selection: { projectFile: PROJECT_FILE, exclude: project.exclude ?? [] },
  };
}

/**
 * The joined settings of layers. `own` are the project files of the last layer; `before` contains the project files of each
 * earlier layer. A file above several layers counts once.
 */
export function joinedLayers(
  own: readonly ProjectRead[],
  before: readonly (readonly ProjectRead[])[],
): ReadProject {
  const last = joinedFiles(own);
  const known = new Set(own.map(({ file }) => realOf(file)));
  const others = before.map(files => {
    const found = files.filter(({ file }) => !known.has(realOf(file)));
    for (const { file } of found) known.add(realOf(file));
    return joinedFiles(found);
  });
  return {
    project: joinLayers(
      last.project,
      others.map(one => one.project),
    ),
    places: joinedPlaces([last, ...others].map(one => one.places)),
    diagnostics: [last, ...others].flatMap(one => one.diagnostics),
  };
}

/** The content of a project file, with the name of the file. */
type ProjectRead = ReadProject & { readonly file: string };
