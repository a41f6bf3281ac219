// The files of a run: its project and layers, their texts, and the files of grants among them.

import type { KindTable } from '../../kinds/kind.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { FileRevision } from '../../model/fileRevision.ts';
import type { FileText } from '../../read/files/fileText.ts';
import type { FileTexts } from '../../read/files/folder.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import { readLayers } from '../../read/git/checkout.ts';
import { type Layers, layerPathsOf, loadLayers } from '../../read/git/layers.ts';
import type { rememberingAnswers } from '../../read/git/rememberedAnswers.ts';
import { revisionOf } from '../../read/git/workRevision.ts';
import type { Loaded } from '../../source/load.ts';
import type { Inputs } from '../../source/values/externalInputs.ts';
import type { Schemas } from '../schemas.ts';
import { grantFiles } from './grants.ts';
import type { LoadRequest } from './loadRequest.ts';

/** The files of a run, as they were read. */
export interface FilesOfRun {
  /** The project and its layers, with the faults of both. */
  readonly layers: Layers;
  /** The folders of the other layers, as paths relative to the last layer. */
  readonly layerPaths: readonly string[];
  readonly texts: FileTexts;
  readonly isGrantFile: (file: string) => boolean;
}

/** Reads the files of all layers. */
export async function readFilesOfRun(
  kinds: KindTable,
  request: LoadRequest,
  remembering: ReturnType<typeof rememberingAnswers>,
): Promise<FilesOfRun> {
  const layers = loadLayers({
    path: request.path,
    layers: request.layers,
    shownAs: request.shownAs,
    kinds,
    projectFiles: request.host.projectFiles,
  });
  const read = await remembering(() => readLayers(layers.layers, request));
  const texts = withTexts(read, request.instead);
  request.onLength?.(texts.files.reduce((sum, { text }) => sum + text.length, 0));
  const isGrantFile = grantFiles(request, texts);
  return { layers, layerPaths: layerPathsOf(layers.layers), texts, isGrantFile };
}

/** The revision of the files as they were read, if the run or its saved plan can be recorded. */
export async function revisionOfRun(
  { layers: { layers }, texts: { files } }: FilesOfRun,
  { path, host, recordBase, isSaved }: LoadRequest,
): Promise<FileRevision | undefined> {
  if (!recordBase && !isSaved) return undefined;
  const { projectFiles } = host;
  return revisionOf({ folder: folderOf(path), host }, { layers, files, projectFiles });
}

/**
 * The files. For files in `instead`, the texts in `instead` replace their own texts. Files that do
 * not exist yet are added to the last layer.
 */
export function withTexts(
  { files, diagnostics }: FileTexts,
  instead: readonly FileText[] = [],
): FileTexts {
  const byName = new Map(instead.map(one => [one.file, one.text]));
  const there = new Set(files.map(({ file }) => file));
  const layer = files.at(-1)?.layer;
  const added = instead.filter(({ file }) => !there.has(file));
  return {
    files: [
      files.map(one => ({ ...one, text: byName.get(one.file) ?? one.text })),
      added.map(one => ({ ...one, ...(layer && { layer }) })),
    ].flat(),
    diagnostics,
  };
}

/** The declarations in the files of a run, checked. */
export function declarationsInFiles(
  { layers, texts, isGrantFile }: FilesOfRun,
  { reader }: Pick<Schemas, 'reader'>,
  {
    inputs,
    strict,
    isPlanned,
    isRendered,
    parse,
  }: Pick<LoadRequest, 'strict' | 'isPlanned' | 'isRendered' | 'parse'> & {
    readonly inputs: Inputs;
  },
): Loaded {
  const files = texts.files.map(one => (isGrantFile(one.file) ? { ...one, isGrant: true } : one));
  return reader.read(files, inputs, {
    strict: strict && isPlanned !== true,
    isRendered: isRendered === true,
    isPartial: hasErrors(layers.diagnostics),
    ...(parse && { parse }),
  });
}
