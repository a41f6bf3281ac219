// The files that an export is written to or compared with.
import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type ExportedFile, SCHEMA_FILE } from '../../export/files.ts';
import type { Merged } from '../../export/merge.ts';
import { shippedSchema } from '../../kinds/registry.ts';
import { desiredStateSchema } from '../../kinds/schema/desiredStateSchema.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { quoted } from '../../model/text/visible.ts';
import type { DesiredState } from '../../pipeline/loading/desiredState.ts';
import { loadDesired } from '../../pipeline/loading/loadDesired.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import { type FileTexts, readFolder } from '../../read/files/folder.ts';
import { folderOf, folderUpwards } from '../../read/files/projectFilesAbove.ts';
import { writeAll } from '../../read/files/writeFiles.ts';
import { errorOf, folderTargetAt, writeTargetAt } from '../../read/files/writeTarget.ts';
import { RECORDED } from '../../read/git/loadBases.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import { PROJECT_FILE } from '../../source/project/project.ts';
import { EXIT } from '../exitCodes.ts';
import { readingRequest } from '../files/desired.ts';
import { projectText } from '../files/projectText.ts';
import { printFindings, stopOnErrors } from '../findings.ts';
import { refusedPlace } from '../refusedPlace.ts';
import { Stop } from '../stop.ts';
import type { ExportRun } from './exportRun.ts';

/** A folder or a file, and the objects that it declares. */
export interface Target {
  readonly path: string;
  readonly isFile: boolean;
  readonly files: readonly ExportedFile[];
  /** Absent if there are no files yet. */
  readonly state?: DesiredState;
}

/** Opens the target at `place`. An error in its files stops the command. */
export async function openTarget(
  place: string,
  { tools, flags, io }: Pick<ExportRun, 'tools' | 'flags' | 'io'>,
): Promise<Target> {
  const path = resolve(io.cwd, place);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? !isYaml(place);
  const found = isFolder ? folderTargetAt(path) : writeTargetAt(path);
  const isFile = found.is === 'file' || (found.is === 'new' && !isFolder);
  const isChecked = flags.check !== undefined;
  if (!isChecked && found.is === 'unusable') refusePrepared(place, errorOf(found));
  const isEmpty = found.is === 'new' || (await declaresNothing(path, isFile, io));
  if (isEmpty && !isChecked) return { path, isFile, files: [] };
  if (isFile && !isYaml(place) && !isChecked && !flags.force) throw notOurs(place);
  const state = await loadedAsPlanned(place, { tools, flags, io });
  // This command applies nothing, so secrets may be missing.
  const findings = state.diagnostics.filter(({ code }) => code !== 'SECRET_UNDEFINED');
  if (isFile && flags.force && hasErrors(findings)) return { path, isFile, files: [] };
  printFindings(
    findings.filter(one => !isAboutBase(one)),
    io,
  );
  stopOnErrors(findings);
  const { files } = await filesIn(path, state.project.exclude ?? [], io);
  return { path, isFile, files, state };
}

// The files, with the base that `plan --base auto` would compare them with. An export also works
// without a base.
async function loadedAsPlanned(
  place: string,
  { tools, flags, io }: Pick<ExportRun, 'tools' | 'flags' | 'io'>,
): Promise<DesiredState> {
  const request = readingRequest(place, flags, io);
  if (repositoryOf(folderOf(request.path)) !== null) {
    const state = await loadDesired(tools, { ...request, base: RECORDED });
    if (!hasErrors(state.diagnostics)) return state;
  }
  return loadDesired(tools, request);
}

const isAboutBase = ({ code, severity }: Diagnostic): boolean =>
  severity === 'note' && code.startsWith('BASE_');

const isYaml = (place: string): boolean => /\.ya?ml$/.test(place);

// Other unusable places are found when they are read, with the messages of other commands.
function refusePrepared(place: string, error: Error): void {
  const message = `the export cannot be written to ${quoted(place)}: ${error.message}`;
  const stop = refusedPlace(message, error);
  if (stop !== null) throw stop;
}

const notOurs = (place: string): Stop =>
  new Stop(
    EXIT.usage,
    `${quoted(place)} exists, but is not a file of desired state`,
    'choose another file, or add --force to replace it',
  );

// Whether a folder declares nothing. An unreadable folder does not count as an empty folder.
async function declaresNothing(path: string, isFile: boolean, io: ExportRun['io']) {
  const { files, diagnostics } = await filesIn(path, [], io);
  if (isFile) return diagnostics.length === 0 && files.every(({ text }) => text.trim() === '');
  return files.length === 0 && diagnostics.every(({ code }) => code === 'SOURCE_EMPTY');
}

function filesIn(
  path: string,
  exclude: readonly string[],
  { cwd }: ExportRun['io'],
): Promise<FileTexts> {
  const selection = { projectFile: PROJECT_FILE, exclude };
  return readFolder(path, selection, file => relative(cwd, file) || '.');
}

/** Writes the files of an export; returns the name of the project file if there is a new one. */
export async function writeExport(
  target: Target,
  { files, account }: Pick<Merged, 'files'> & { readonly account: string | undefined },
  { tools, flags, io }: ExportRun,
): Promise<readonly string[]> {
  const schemaPath = join(target.isFile ? dirname(target.path) : target.path, SCHEMA_FILE);
  const added = files.filter(({ file }) => !target.files.some(other => other.file === file));
  if (!flags.force) refuseOthers(target, added, io);
  const needsSchema = added.length > 0 && !existsSync(schemaPath);
  const schema = () =>
    jsonText(
      desiredStateSchema(
        tools.kinds,
        shippedSchema('lifecycle.schema.json'),
        shippedSchema('access-tests.schema.json'),
      ),
    );
  const dialect = flags.dialect === 'auto' ? undefined : flags.dialect;
  const project = newProject(target, account, dialect);
  try {
    await writeAll([
      ...files.map(({ file, text }) => ({ path: resolve(io.cwd, file), text })),
      ...(needsSchema ? [{ path: schemaPath, text: schema() }] : []),
      ...project,
    ]);
  } catch (error) {
    const hint = 'free disk space or allow writing there, or choose another path with --out';
    const message = `nothing was written: ${reasonOf(error)}`;
    throw refusedPlace(message, error) ?? new Stop(EXIT.failed, message, hint);
  }
  return project.map(({ path }) => relative(io.cwd, path));
}

// The text of a new project file, because a first export begins a project. The account is only in a
// comment, because the user may first try the files elsewhere, for example in an emulator.
function newProject(
  { path, isFile, files }: Target,
  account: string | undefined,
  dialect: string | undefined,
): readonly { readonly path: string; readonly text: string }[] {
  const isFirst = !isFile && files.length === 0 && account !== undefined;
  if (!isFirst || folderUpwards(path, PROJECT_FILE) !== null) return [];
  return [{ path: join(path, PROJECT_FILE), text: projectText(account, dialect) }];
}

// Refuses to overwrite a file of the folder that was not read, for example because the project excludes it.
function refuseOthers(
  { isFile }: Target,
  added: readonly ExportedFile[],
  { cwd }: ExportRun['io'],
) {
  const isThere = (file: string) =>
    lstatSync(resolve(cwd, file), { throwIfNoEntry: false })?.isDirectory() === false;
  const other = added.find(({ file }) => isThere(file));
  if (other !== undefined && !isFile) throw notOurs(other.file);
}
