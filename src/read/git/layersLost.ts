// Errors for a run with fewer layers than the run that recorded its base, because fewer layers were given or the account has
// fewer. The declarations of the other layers would look removed.
import { join } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { recordedLayers } from '../../model/recordedBase.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import type { ProgramHost } from '../environment.ts';
import { folderOf } from '../files/projectFilesAbove.ts';
import { isEmptyFolder } from '../files/submodules.ts';
import { type LayersOfRun, layerGone } from './baseLayers.ts';
import { repositoryOf } from './repository.ts';
import type { StoredBase } from './storedBases.ts';
import { pathInRepository } from './workRevision.ts';

/** Whether the folder of a layer has no files any more. Git removes the files of a folder, but not always the folder. */
export const isGone = (path: string): boolean => folderOf(path) === path && isEmptyFolder(path);

/**
 * The error for a run without some layers that its base was recorded with; null if there are none.
 * Removing a layer from the list of the project file, or deleting its folder, is not an error,
 * because it takes a commit that can be reviewed. An argument can simply be forgotten.
 */
export function layersLost(
  { ref, base }: StoredBase,
  { layers, areListed }: LayersOfRun,
): Diagnostic | null {
  if (areListed || base.layers === undefined) return null;
  const given = new Set(layers.map(({ path }) => pathInRepository(path)));
  const root = repositoryOf(folderOf(layers.at(-1)?.path ?? '.'))?.root ?? '';
  const recorded = recordedLayers(base);
  const missing = recorded.filter(layer => !given.has(layer));
  const isFewer = given.size < recorded.length;
  if (!isFewer && missing.every(layer => isGone(join(root, layer)))) return null;
  return fewer(`the base at ${nameText(ref)} was recorded`, recorded, missing);
}

/**
 * The same error for a run without a base. `before` are the other layers of earlier applies of the folder, by their paths from
 * the folder.
 */
export function layersForgotten(
  layers: readonly string[],
  before: readonly string[],
): readonly Diagnostic[] {
  const missing = before.filter(way => !layers.includes(way));
  return missing.length === 0 ? [] : [fewer('this folder was applied', before, missing)];
}

const fewer = (
  what: string,
  recorded: readonly string[],
  missing: readonly string[],
): Diagnostic => ({
  code: 'LAYERS_FEWER',
  severity: 'error',
  message: `${what} with the layers ${recorded.map(quoted).join(', ')}, but this run has no ${missing.map(quoted).join(', ')}: objects that are declared there would be deleted`,
  hint: 'name all layers; or list them in `layers` of meshform.yaml, and drop a layer by removing it from that list in a commit',
});

/** The layers of a run, and where the settings of a fleet for them are found. */
interface GoneRequest {
  readonly host: Pick<ProgramHost, 'projectFiles'>;
  readonly path: string;
  readonly layers: Pick<LayersOfRun, 'layers'>;
}

/**
 * The errors for layers that the base of an account of a fleet was recorded with, and that the account does not have any more.
 */
export function layersGone(
  stored: StoredBase | undefined,
  { host, path, layers: { layers } }: GoneRequest,
): readonly Diagnostic[] {
  const recorded = new Set(stored ? recordedLayers(stored.base) : []);
  const absent = layers.flatMap(layer => (layer.isAbsent ? pathInRepository(layer.path) : []));
  const entry = host.projectFiles?.inFleet?.(path)?.accountAt;
  return absent
    .filter(layer => recorded.has(layer))
    .map(layer => layerGone(layer, stored?.ref ?? '', entry));
}
