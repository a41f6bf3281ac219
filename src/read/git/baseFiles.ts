// Reads the files of a base, from a revision or a folder.
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { KindTable } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { quoted } from '../../model/text/visible.ts';
import type { ProgramHost } from '../environment.ts';
import type { FileTexts } from '../files/folder.ts';
import { folderOf } from '../files/projectFilesAbove.ts';
import type { Selection } from '../files/select.ts';
import {
  type BaseLayer,
  type LayersOfRun,
  layersAt,
  noSuchLayer,
  textsOfLayers,
} from './baseLayers.ts';
import { readCheckout, readLayers } from './checkout.ts';
import { filesAtRevision, type Revision } from './filesAtRevision.ts';
import { type Layers, loadLayers } from './layers.ts';
import { commitOf, type NoCommit } from './revision.ts';

/** A request to read the files of a base. */
export interface FilesRequest {
  readonly host: ProgramHost;
  /** The folder or the file of the run, whose base is read. */
  readonly path: string;
  /** The folder that relative base paths start from. */
  readonly cwd: string;
  readonly shownAs: (path: string) => string;
  readonly selection: Selection;
  /** The layers of the run; `path` and `selection` belong to the last one. */
  readonly layers: LayersOfRun;
}

/** The files of a base, and their origin. */
export interface BaseTexts extends FileTexts {
  /** The commit of the files, if they have one. */
  readonly commit?: string;
  /** The revision or the folder; absent if there is no such base. */
  readonly source?: Revision | { readonly folder: string };
  /** The layers of the base in a revision; absent if there is only one. */
  readonly layers?: readonly BaseLayer[];
  /** The layers of the base in a folder; absent if there is only one. */
  readonly folders?: Layers;
}

/**
 * The files of the given base. A revision takes precedence over a folder of the same name, so such a folder must be written as
 * ./name.
 */
export async function baseTexts(
  request: FilesRequest,
  base: string,
  kinds: KindTable,
): Promise<BaseTexts> {
  const { path, cwd, host } = request;
  const found = await commitOf({ folder: folderOf(path), host }, base);
  if ('commit' in found) return textsAt(request, { ...found, name: base }, kinds);
  const folder = resolve(cwd, base);
  const isPath = /^\.{0,2}(?:\/|$)/.test(base);
  const isFolder =
    existsSync(folder) && (isPath || (found.is !== 'untrusted' && found.is !== 'ambiguous'));
  return isFolder
    ? textsInFolder(request, folder, kinds)
    : { files: [], diagnostics: [noSuchBase(base, found)] };
}

async function textsInFolder(
  { host, shownAs, selection, layers: ofRun }: FilesRequest,
  folder: string,
  kinds: KindTable,
): Promise<BaseTexts> {
  const named = ofRun.areArguments
    ? ofRun.layers
        .slice(0, -1)
        .map(({ path, fromLastLayer }) => layerBeside(folder, path, fromLastLayer))
    : [];
  const layers = named.filter(path => existsSync(path));
  const reading = { shownAs, kinds, isFormer: true };
  const found = loadLayers({ ...reading, path: folder, layers });
  const notes = named
    .filter(path => !layers.includes(path))
    .map(path => noSuchLayer(shownAs(folder), shownAs(path)));
  if (found.layers.length === 1) {
    const texts = await readCheckout({ path: folder, selection, shownAs, host });
    return { ...texts, diagnostics: [...texts.diagnostics, ...notes], source: { folder } };
  }
  const texts = await readLayers(found.layers, { shownAs, host });
  const diagnostics = [...texts.diagnostics, ...notes];
  return { ...texts, diagnostics, source: { folder }, folders: found };
}

// The path of a layer beside the base folder. If the layer is a single file, it has the same name there.
const layerBeside = (folder: string, path: string, way: string): string =>
  join(folder, way, folderOf(path) === path ? '' : basename(path));

/** The files in a revision, from the layers of the run. */
export async function textsAt(
  request: Omit<FilesRequest, 'cwd' | 'shownAs'>,
  revision: Revision,
  kinds: KindTable,
): Promise<BaseTexts> {
  const { path, host, selection } = request;
  const source = { commit: revision.commit, source: revision };
  const layers = await severalLayersAt(request, revision, kinds);
  if (layers) return { ...textsOfLayers(layers, revision.name), ...source, layers };
  return { ...(await filesAtRevision({ path, host }, revision, selection)), ...source };
}

// The layers of the base; null if only the folder is read. With a single layer, or if the revision has none of the layers,
// reading the folder reports the fault. An account of a fleet without the folder has nothing in the revision either.
async function severalLayersAt(
  { path, host, layers }: Omit<FilesRequest, 'cwd' | 'shownAs'>,
  revision: Revision,
  kinds: KindTable,
): Promise<readonly BaseLayer[] | null> {
  try {
    const found = await layersAt({ folder: folderOf(path), host }, revision, layers, kinds);
    const isSome = found.length > 1 && found.some(({ texts }) => texts !== null);
    return isSome || found.some(({ isAbsent }) => isAbsent) ? found : null;
  } catch {
    return null;
  }
}

function noSuchBase(base: string, { is, why, hint, isInShallow }: NoCommit): Diagnostic {
  const isNothing = is === 'unknown' || is === 'no-repository';
  const fault = is === 'ambiguous' ? 'ambiguous' : 'not available here';
  return {
    code: 'BASE_INVALID',
    severity: 'error',
    message: isNothing
      ? `${quoted(base)} is neither a revision in this repository nor a folder${is === 'unknown' && !isInShallow ? '' : `: ${why}`}`
      : `${quoted(base)} is ${fault}: ${why}`,
    hint: hint ?? 'use --base with a revision that `git log` shows, or with a folder',
  };
}
