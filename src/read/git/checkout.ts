// Reads the desired-state files of a checkout. A submodule that is not checked out is an empty folder, and only git can tell that
// it is a submodule, because a commit can add one without `.gitmodules`.
import { join } from 'node:path';
import type { ProgramHost } from '../environment.ts';
import type { FileLayer, FileText } from '../files/fileText.ts';
import { SUBMODULE, unreadableEntry } from '../files/findings.ts';
import { type FileTexts, readFolder } from '../files/folder.ts';
import { folderOf, realOf } from '../files/projectFilesAbove.ts';
import { type Selection, selectorFor } from '../files/select.ts';
import { isEmptyFolder } from '../files/submodules.ts';
import { indexOf, SUBMODULE_MODE } from './gitIndex.ts';
import type { Layer } from './layers.ts';
import { prefixOf, repositoryOf } from './repository.ts';
import { leftOutFaults } from './sparseCheckout.ts';

/** A folder or one file of desired state in a checkout. */
interface Checkout {
  readonly path: string;
  readonly selection: Selection;
  readonly shownAs: (path: string) => string;
  readonly host: ProgramHost;
}

/**
 * The files at a path, as `readFolder` reads them. A submodule in the index that is not checked out is an error, and so is a file
 * that a sparse checkout leaves out.
 */
export async function readCheckout(checkout: Checkout): Promise<FileTexts> {
  const texts = await withSubmodules(checkout);
  const leftOut = await leftOutFaults(checkout);
  if (leftOut.length === 0) return texts;
  // A folder without any checked-out file is not reported as empty.
  const others = texts.diagnostics.filter(({ code }) => code !== 'SOURCE_EMPTY');
  return { ...texts, diagnostics: [...others, ...leftOut] };
}

async function withSubmodules({ path, selection, shownAs, host }: Checkout): Promise<FileTexts> {
  const texts = await readFolder(path, selection, shownAs);
  const home = realOf(path);
  if (folderOf(home) !== home) return texts;
  const missing = (await submodulesIn(home, host)).filter(inside =>
    isEmptyFolder(join(home, inside)),
  );
  if (missing.length === 0) return texts;
  const { isLeftOut } = selectorFor(path, selection);
  const known = new Set(texts.diagnostics.map(({ message }) => message));
  const found = missing
    .filter(inside => !isLeftOut(inside))
    .map(inside => unreadableEntry(shownAs(join(path, inside)), SUBMODULE))
    .filter(({ message }) => !known.has(message));
  return { ...texts, diagnostics: [...texts.diagnostics, ...found] };
}

/** The files of all layers of a run, in the order of the layers. */
export async function readLayers(
  layers: readonly Layer[],
  { shownAs, host }: Pick<Checkout, 'shownAs' | 'host'>,
): Promise<FileTexts> {
  const read = await Promise.all(
    layers.map(async (layer, order) => {
      if (layer.isAbsent)
        return { files: [], diagnostics: await leftOutFaults({ ...layer, shownAs, host }) };
      const texts = await readCheckout({ ...layer, shownAs, host });
      return layers.length === 1 ? texts : ofLayer(texts, layer, order);
    }),
  );
  return {
    files: read.flatMap(({ files }) => files),
    diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
  };
}

function ofLayer(
  { files, diagnostics }: FileTexts,
  { fromLastLayer, mayBeEmpty }: Pick<Layer, 'fromLastLayer' | 'mayBeEmpty'>,
  order: number,
): FileTexts {
  return {
    files: files.map(one => inLayer(one, { fromLastLayer, order })),
    diagnostics: diagnostics.filter(({ code }) => !mayBeEmpty || code !== 'SOURCE_EMPTY'),
  };
}

/** The file, marked as a part of a layer. */
export function inLayer(file: FileText, layer: FileLayer): FileText {
  const { fromLastLayer } = layer;
  const { inside } = file;
  return {
    ...file,
    layer,
    ...(inside !== undefined && fromLastLayer !== '' && { inside: `${fromLastLayer}/${inside}` }),
  };
}

// If git does not work, there is no index, so the result is empty.
async function submodulesIn(folder: string, host: ProgramHost): Promise<readonly string[]> {
  if (repositoryOf(folder) === null) return [];
  const place = { folder, host };
  const prefix = prefixOf(place);
  const index = await indexOf(place).catch(() => []);
  return index.flatMap(({ path, mode }) =>
    mode === SUBMODULE_MODE && path.startsWith(prefix) ? [path.slice(prefix.length)] : [],
  );
}
