// The files that an export is written to or compared with.
import { existsSync, lstatSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type Ambiguous, type Comparison, compare } from '../../export/adoption/compare.ts';
import { type ExportedFile, fileNameOf, SCHEMA_FILE } from '../../export/files.ts';
import { partsOf } from '../../export/join.ts';
import { joinedAsDeclared } from '../../export/joinFiles.ts';
import { type Merged, merged } from '../../export/merge.ts';
import { everyObject, without } from '../../export/model.ts';
import { type Repair, repairsOf } from '../../export/repairs.ts';
import { concerns, kindsToRead } from '../../export/select.ts';
import type { AccountExport } from '../../exportAccount.ts';
import { shippedSchema } from '../../kinds/registry.ts';
import { desiredStateSchema } from '../../kinds/schema/desiredState.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { KindName, RemoteId } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { nameText, pathText, quoted } from '../../model/text/visible.ts';
import { type DesiredState, inputsFor, loadDesired } from '../../pipeline.ts';
import { leadsOutOfCheckout } from '../../read/files/checkoutLink.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import { type FileTexts, readFolder } from '../../read/files/folder.ts';
import { placeAt } from '../../read/files/place.ts';
import { folderOf, folderUpwards } from '../../read/files/upwards.ts';
import { writeAll } from '../../read/files/writeFiles.ts';
import { folderBase } from '../../read/git/folderBase.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import type { StoredBase } from '../../read/git/storedBases.ts';
import { pathInRepository } from '../../read/git/workRevision.ts';
import { agree, checkText, exportLine } from '../../report/exportText.ts';
import { PROJECT_FILE } from '../../source/project/project.ts';
import { styleFor } from '../colour.ts';
import { EXIT } from '../exitCodes.ts';
import { loadRequest, readingRequest } from '../files/desired.ts';
import { projectText } from '../files/projectText.ts';
import { printFindings, stopOnErrors } from '../findings.ts';
import { say } from '../io.ts';
import { withSharedBases } from '../lock/sharedBases.ts';
import { Stop } from '../stop.ts';
import type { ExportRun } from './exportRun.ts';
import { keptNames } from './keptNames.ts';

/** A folder or a file, and what it declares. */
export interface Target {
  readonly path: string;
  readonly isFile: boolean;
  readonly files: readonly ExportedFile[];
  /** Absent if there are no files yet. */
  readonly state?: DesiredState;
}

/** Opens the place named `place`. A fault in its files stops the command. */
export async function openTarget(
  place: string,
  { tools, flags, io }: Pick<ExportRun, 'tools' | 'flags' | 'io'>,
): Promise<Target> {
  const path = resolve(io.cwd, place);
  const found = placeAt(path);
  const isFile = found.is === 'file' || (found.is === 'new' && isYaml(place));
  const isChecked = flags.check !== undefined;
  if (!isChecked && leadsOutOfCheckout(path)) throw elsewhere(place);
  const isEmpty = found.is === 'new' || (await declaresNothing(path, isFile, io));
  if (isEmpty && !isChecked) return { path, isFile, files: [] };
  if (isFile && !isYaml(place) && !isChecked && !flags.force) throw notOurs(place);
  const state = await loadDesired(tools, readingRequest(place, flags, io));
  // Nothing is applied here, so secrets may be missing.
  const findings = state.diagnostics.filter(({ code }) => code !== 'SECRET_UNDEFINED');
  if (isFile && flags.force && hasErrors(findings)) return { path, isFile, files: [] };
  stopOnErrors(shown(findings, io));
  const { files } = await filesIn(path, state.project.exclude ?? [], io);
  const stored = await recordedHere(path, state.project, io);
  return { path, isFile, files, state: { ...state, ...(stored && { stored }) } };
}

// The base of the folder, at the remote if that has the bases: it knows the ids of objects that somebody has renamed. An export needs none.
async function recordedHere(
  path: string,
  { account, name }: DesiredState['project'],
  io: ExportRun['io'],
): Promise<StoredBase | undefined> {
  if (account === undefined || repositoryOf(folderOf(path)) === null) return undefined;
  const folder = pathInRepository(path);
  const named = name === undefined ? {} : { name };
  return withSharedBases(path, { base: 'auto' }, io, async host => {
    await host.openShared?.();
    const found = await folderBase({ host, path, account, folder, isFirst: false, ...named });
    return found.is === 'recorded' ? found.stored : undefined;
  });
}

const isYaml = (place: string): boolean => /\.ya?ml$/.test(place);

const elsewhere = (place: string): Stop =>
  new Stop(
    EXIT.usage,
    `the export cannot be written to ${quoted(place)}: it leads out of the checkout through a link`,
    'choose another place, or write the path that the link leads to',
  );

const notOurs = (place: string): Stop =>
  new Stop(
    EXIT.usage,
    `${quoted(place)} exists, but is not a file of desired state`,
    'choose another file, or add --force to replace it',
  );

// An unreadable folder is not an empty folder.
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

/** Reports whether the files match the account. */
export function checkAgainst(target: Target, account: AccountExport, run: ExportRun): number {
  const { tools, io } = run;
  const { plan, declared, gone } = comparison(target.state?.desired ?? [], account, run);
  const made = new Set(plan.changes.map(({ at }) => at));
  const difference = {
    changes: plan.changes.filter(isConcern(run)),
    gone: gone
      .filter(object => !made.has(object.at) && isConcern(run)(object))
      .map(({ kind, key }) => addressOf(kind, key)),
    undeclared: everyObject(account.model.objects)
      .flatMap(partsOf)
      .filter(({ kind, id }) => !declared({ kind: kind.name, id })),
  };
  io.stdout.write(checkText(difference, tools.kinds, styleFor(io.stdout, io)));
  return agree(difference) ? EXIT.done : EXIT.changes;
}

/** Writes the export into the files: either all changed and new files are written, or none. */
export async function exportInto(
  target: Target,
  account: AccountExport,
  run: ExportRun,
): Promise<number> {
  const { tools, io } = run;
  const compared = comparison(target.state?.desired ?? [], account, run);
  const { ambiguous } = compared;
  const isOpen = ({ at }: Diagnostic) => ambiguous.some(({ desired }) => desired.at === at);
  const faults = compared.plan.diagnostics.filter(one => isInTheWay(one) && !isOpen(one));
  stopOnErrors(shown(faults, io));
  const decided = without(account.model, ({ kind, id }) => sharedName(kind.name, id, ambiguous));
  const { objects: found, stuck: unsaid } = joinedAsDeclared(decided.objects, compared, {
    kinds: tools.kinds,
    live: account.snapshot.objects,
    dialect: run.dialect,
  });
  const model = { ...decided, objects: found };
  const desired = target.state?.desired ?? [];
  const gone = compared.gone.filter(isConcern(run));
  const repairs = repairsOf(gone, desired, { deleted: run.became.deleted, kinds: tools.kinds });
  const result = merged({
    kinds: tools.kinds,
    model,
    files: target.files,
    comparison: compared,
    stuck: unsaid,
    repairs,
    newFileFor: kind =>
      relative(io.cwd, target.isFile ? target.path : join(target.path, fileNameOf(kind))),
  });
  shown(
    [
      ...stuck(result),
      ...(target.state ? keptNames(target.state, model.objects, compared, tools.kinds) : []),
      ...ambiguous.filter(({ desired }) => isConcern(run)(desired)).map(ambiguousFinding),
      ...repairs.flatMap(removedNote),
      ...notThere(compared, repairs, run),
      ...unsettled(target, result, account, run),
    ],
    io,
  );
  const project = await write(target, { ...result, account: account.snapshot.account }, run);
  const objects = everyObject(model.objects).length;
  say(run.report, result.files.length === 0 ? 'Nothing to write.' : 'Written:');
  for (const file of [...result.files.map(one => one.file), ...project])
    say(run.report, `  ${pathText(file)}`);
  say(io.stderr, exportLine({ objects, leftOut: model.leftOut.length, ...result }));
  return EXIT.done;
}

function comparison(
  desired: readonly Desired[],
  account: AccountExport,
  run: ExportRun,
): Comparison {
  const { tools, selection, dialect, io } = run;
  const known = kindsToRead(tools.kinds, selection);
  const exported = new Set(
    everyObject(account.model.objects)
      .flatMap(partsOf)
      .map(({ kind, id }) => `${kind.name} ${id}`),
  );
  return compare({
    kinds: tools.kinds,
    dialect,
    folder: '',
    now: io.now(),
    snapshot: account.snapshot,
    meant: run.became.meant,
    isExported: ({ kind, id }) => exported.has(`${kind} ${id}`),
    desired: desired.filter(({ kind }) => known.has(kind)),
  });
}

const isConcern = ({ tools, selection }: ExportRun) => concerns(tools.kinds, selection);

// A declared object that cannot be matched with one live object cannot be updated from it either.
const isInTheWay = ({ code, severity }: Diagnostic): boolean =>
  severity === 'error' && ['PAIR_AMBIGUOUS', 'PAIR_RESERVED', 'OBJECT_DUPLICATE'].includes(code);

function shown(diagnostics: readonly Diagnostic[], io: ExportRun['io']): readonly Diagnostic[] {
  printFindings(diagnostics, io);
  return diagnostics;
}

const stuck = (result: Merged): Diagnostic[] =>
  result.stuck.map(({ at, because }) => ({
    code: 'OBJECT_STUCK',
    severity: 'warning',
    at,
    message: `this differs from the account and is not changed: ${because}`,
    hint: 'edit the file at this place by hand',
  }));

// Which one is declared is for people to say; until then no second declaration takes its name.
const sharedName = (kind: KindName, id: RemoteId, ambiguous: readonly Ambiguous[]) =>
  ambiguous.some(one => one.desired.kind === kind && one.namesakes.includes(id))
    ? 'a file declares its name, and several objects have it'
    : undefined;

function ambiguousFinding({ desired: { kind, key, at }, namesakes }: Ambiguous): Diagnostic {
  const ids = [...namesakes].sort().map(nameText).join(', ');
  return {
    code: 'OBJECT_AMBIGUOUS',
    severity: 'warning',
    at,
    message: `${addressOf(kind, key)} is declared, and ${namesakes.length} live objects have its name; it is not changed`,
    hint: `bind it to one of them with lifecycle.id: ${ids}`,
  };
}

function removedNote({ desired: { kind, key, at }, fields, by }: Repair): Diagnostic[] {
  if (fields !== undefined) return [];
  const address = addressOf(kind, key);
  const why = by === address ? 'somebody deleted it' : `it cannot exist without ${by}`;
  const message = `${address} is removed from the files: ${why}`;
  return [{ code: 'OBJECT_NOT_THERE', severity: 'note', at, message }];
}

function notThere(
  { gone, ambiguous }: Comparison,
  repairs: readonly Repair[],
  run: ExportRun,
): Diagnostic[] {
  const removed = repairs.filter(({ fields }) => fields === undefined);
  const said = new Set([...ambiguous, ...removed].map(({ desired }) => desired));
  const homes = new Set(removed.map(({ desired: { kind, key } }) => addressOf(kind, key)));
  const isWithHome = ({ kind: name, parent }: Desired) => {
    const home = run.tools.kinds.get(name)?.parent;
    return home !== undefined && parent !== undefined && homes.has(addressOf(home, parent));
  };
  const absent = gone.filter(
    object => !said.has(object) && !isWithHome(object) && isConcern(run)(object),
  );
  return absent.map(({ kind, key, at }) => ({
    code: 'OBJECT_NOT_THERE',
    severity: 'warning',
    at,
    message: `${addressOf(kind, key)} is declared, but does not exist in the account; it is not changed`,
    hint: 'remove it here if it was deleted on purpose',
  }));
}

// The future content of the files is parsed and compared again before anything is written.
function unsettled(
  { files, path }: Target,
  result: Merged,
  account: AccountExport,
  run: ExportRun,
): Diagnostic[] {
  const { tools, flags, io } = run;
  const after = new Map(
    [...files, ...result.files].map(({ file, text }) => [file, { file, text }]),
  );
  if (after.size === 0) return [];
  const inputs = inputsFor(loadRequest(path, flags, io));
  const { desired, diagnostics } = tools.reader.read([...after.values()], inputs);
  stopOnErrors(
    shown(
      diagnostics.filter(({ severity }) => severity === 'error'),
      io,
    ),
  );
  const { plan } = comparison(desired, account, run);
  const said = new Set(result.stuck.map(({ at }) => at.line));
  return plan.changes
    .filter(isConcern(run))
    .flatMap(({ type, address, at, fields }): Diagnostic[] => {
      if (type === 'create' || (at && said.has(at.line))) return [];
      const names = [...new Set(fields.map(({ path: [name = ''] }) => quoted(name)))].join(', ');
      const message = `${address} still differs from the account: ${names}`;
      return [{ code: 'OBJECT_STUCK', severity: 'warning', message, ...(at && { at }) }];
    });
}

/** Returns the name of the project file if there is a new one. */
async function write(
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
  const project = newProject(target, account);
  try {
    await writeAll([
      ...files.map(({ file, text }) => ({ path: resolve(io.cwd, file), text })),
      ...(needsSchema ? [{ path: schemaPath, text: schema() }] : []),
      ...project,
    ]);
  } catch (error) {
    const hint = 'free disk space or allow writing there, or choose another path with --out';
    throw new Stop(EXIT.failed, `nothing was written: ${reasonOf(error)}`, hint);
  }
  return project.map(({ path }) => relative(io.cwd, path));
}

// A first export begins a project. Its account is a comment: the files may be tried elsewhere first, such as in an emulator.
function newProject(
  { path, isFile, files }: Target,
  account: string | undefined,
): readonly { readonly path: string; readonly text: string }[] {
  const isFirst = !isFile && files.length === 0 && account !== undefined;
  if (!isFirst || folderUpwards(path, PROJECT_FILE) !== null) return [];
  return [{ path: join(path, PROJECT_FILE), text: projectText(account) }];
}

// A file of the folder that was not read, for example because the project excludes it, must not be overwritten.
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
