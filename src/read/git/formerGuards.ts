// Reads the guards in the files of a base: those of its project files, and its access tests.
import { relative, sep } from 'node:path';
import type { KindTable } from '../../kinds/kind.ts';
import { shippedSchema } from '../../kinds/registry.ts';
import type { AccessTest } from '../../model/access/accessTest.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Guards } from '../../model/guards.ts';
import { quoted } from '../../model/text/visible.ts';
import type { SourceReader } from '../../source/load.ts';
import { joinedPlaces } from '../../source/project/guardPlaces.ts';
import { guardsOf } from '../../source/project/guardsOf.ts';
import { joinProjects } from '../../source/project/joinProjects.ts';
import { PROJECT_FILE, type ReadProject, readGuards } from '../../source/project/project.ts';
import type { Inputs } from '../../source/values/externalInputs.ts';
import { unreadableProject } from '../files/findings.ts';
import { readFolder } from '../files/folder.ts';
import { type FoundFile, findAllUpwards, folderOf, realOf } from '../files/projectFilesAbove.ts';
import { type BaseTexts, type FilesRequest, textsAt } from './baseFiles.ts';
import { type BaseLayer, isExcludedOtherwise, textsOfLayers } from './baseLayers.ts';
import { joinedLayers } from './layers.ts';
import { projectFilesAt } from './projectFilesAt.ts';
import { repositoryOf } from './repository.ts';
import { gitFault } from './runGit.ts';

/** How the files of a base are read. */
interface Reading {
  readonly kinds: KindTable;
  readonly reader: SourceReader;
  readonly inputs: Inputs;
}

/** The guards of a base, or the faults of its project files. */
interface FormerGuards {
  readonly guards?: Guards;
  readonly diagnostics: readonly Diagnostic[];
}

/** The guards in the files of a base. `accessTests` are those that were read without the files that the run excludes. */
export async function formerGuards(
  request: FilesRequest,
  texts: BaseTexts,
  accessTests: readonly AccessTest[],
  reading: Reading,
): Promise<FormerGuards> {
  const { source, layers, folders } = texts;
  if (source === undefined) return { diagnostics: [] };
  const outer = 'commit' in source ? projectFileAround(request) : undefined;
  if (outer !== undefined) return { diagnostics: [inOtherRepository(outer)] };
  if (folders) return guardsIn(folders, accessTests);
  if (layers) return guardsIn(projectOf(layers), testsThen(layers, accessTests, reading));
  return ofFolder(request, source, accessTests, reading);
}

// Each layer was already read without the files that its own project file excludes.
function guardsIn(
  { project, places, diagnostics }: ReadProject,
  accessTests: readonly AccessTest[],
): FormerGuards {
  const faults = diagnostics.filter(({ severity }) => severity === 'error');
  if (faults.length > 0) return { diagnostics: faults };
  return { guards: guardsOf(project, accessTests, places), diagnostics: [] };
}

function projectOf(layers: readonly BaseLayer[]): ReadProject {
  const [last, ...before] = layers.map(({ projects }) => projects).reverse();
  return joinedLayers(last ?? [], before.reverse());
}

// The access tests of a base in a revision. They are read with the exclusions of that revision, because a file that a layer
// excludes now may not have been excluded then.
function testsThen(
  layers: readonly BaseLayer[],
  accessTests: readonly AccessTest[],
  { reader, inputs }: Reading,
): readonly AccessTest[] {
  if (!isExcludedOtherwise(layers)) return accessTests;
  const { files } = textsOfLayers(layers, '', 'textsThen');
  return reader.read(files, inputs).accessTests;
}

async function ofFolder(
  request: FilesRequest,
  source: NonNullable<BaseTexts['source']>,
  accessTests: readonly AccessTest[],
  { kinds, reader, inputs }: Reading,
): Promise<FormerGuards> {
  const found = await projectFiles(request, source);
  const read = found.map(one =>
    'why' in one
      ? { project: {}, places: new Map(), diagnostics: [unreadableProject(one.file, one.why)] }
      : readGuards(one, shippedSchema('project.schema.json'), kinds),
  );
  const faults = read.flatMap(({ diagnostics }) => diagnostics);
  if (faults.length > 0) return { diagnostics: faults };
  const { project } = joinProjects(read.map(one => one.project));
  const places = joinedPlaces(read.map(one => one.places));
  const { exclude = [] } = project;
  if (isSame(exclude, request.selection.exclude))
    return { guards: guardsOf(project, accessTests, places), diagnostics: [] };
  // The files are read again with the exclusions of the base, because files that the run excludes may not have been excluded
  // then, and may contain tests.
  const own = { ...request, selection: { ...request.selection, exclude } };
  const texts =
    'commit' in source
      ? await textsAt(own, source, kinds)
      : await readFolder(source.folder, own.selection, own.shownAs);
  const { accessTests: tests } = reader.read(texts.files, inputs);
  return { guards: guardsOf(project, tests, places), diagnostics: [] };
}

async function projectFiles(
  { path, host, shownAs }: FilesRequest,
  source: NonNullable<BaseTexts['source']>,
): Promise<readonly FoundFile[]> {
  if ('folder' in source) {
    const found = findAllUpwards(source.folder, PROJECT_FILE);
    return found.map(one => ({ ...one, file: shownAs(one.file) }));
  }
  const folder = folderOf(realOf(path));
  try {
    return await projectFilesAt({ folder, host }, source, PROJECT_FILE);
  } catch (error) {
    return [{ file: `${source.name}:${PROJECT_FILE}`, why: gitFault(error).why }];
  }
}

// The project file of the repository around a submodule, if there is one. Its guards apply to the submodule, but no revision of
// the submodule shows which guards it had.
function projectFileAround({ path, host, shownAs }: FilesRequest): string | undefined {
  const folder = folderOf(realOf(path));
  const root = repositoryOf(folder)?.root;
  if (root === undefined) return undefined;
  const found = findAllUpwards(folder, PROJECT_FILE, host.projectFiles);
  const outer = found.find(({ file }) => relative(root, file).split(sep)[0] === '..');
  return outer && shownAs(outer.file);
}

const inOtherRepository = (file: string): Diagnostic => ({
  code: 'BASE_INVALID',
  severity: 'error',
  message: `its guards are unknown: the folder is in a submodule, and ${quoted(file)} is in the repository around it`,
  hint: 'use --base auto, or the former state as a folder: --base ./FOLDER',
});

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item, at) => item === other[at]);
