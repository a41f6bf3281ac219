// Files that an export goes into, or is held against.
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type Comparison, compare } from '../export/compare.ts';
import { type ExportedFile, fileNameOf, SCHEMA_FILE } from '../export/files.ts';
import { type Merged, merged } from '../export/merge.ts';
import { everyObject } from '../export/model.ts';
import { concerns, kindsToRead } from '../export/select.ts';
import { desiredStateSchema } from '../kinds/desiredState.ts';
import { shippedSchema } from '../kinds/registry.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { jsonText } from '../model/jsonText.ts';
import { addressOf } from '../model/key.ts';
import type { Desired } from '../model/object.ts';
import { nameText, quoted } from '../model/visible.ts';
import { type AccountExport, type DesiredState, inputsFor, loadDesired } from '../pipeline.ts';
import { reasonOf } from '../read/fileText.ts';
import { readFolder } from '../read/folder.ts';
import { writeAll } from '../read/writeFiles.ts';
import { agree, checkText, exportLine } from '../report/exportText.ts';
import { PROJECT_FILE } from '../source/project.ts';
import { styleFor } from './colour.ts';
import { loadRequest, printFindings, stopOnErrors } from './desired.ts';
import { EXIT } from './exitCodes.ts';
import type { ExportRun } from './exporting.ts';
import { say } from './io.ts';
import { Stop } from './stop.ts';

/** A folder, or one file, and what it declares. */
export interface Target {
  readonly path: string;
  readonly isFile: boolean;
  readonly files: readonly ExportedFile[];
  /** Not there where there are no files yet. */
  readonly state?: DesiredState;
}

/** Opens the place that people call `place`. Files with a fault in them stop the command. */
export async function openTarget(
  place: string,
  { tools, flags, io }: Pick<ExportRun, 'tools' | 'flags' | 'io'>,
): Promise<Target> {
  const path = resolve(io.cwd, place);
  const isFile = /\.ya?ml$/.test(place);
  const isEmpty = !existsSync(path) || (await filesIn(path, [], io)).length === 0;
  if (isEmpty && flags.check === undefined) return { path, isFile, files: [] };
  const state = await loadDesired(tools, loadRequest(place, flags, io));
  // Nothing is applied here, so no secret is missed.
  stopOnErrors(
    shown(
      state.diagnostics.filter(({ code }) => code !== 'SECRET_UNDEFINED'),
      io,
    ),
  );
  return { path, isFile, files: await filesIn(path, state.project.exclude ?? [], io), state };
}

async function filesIn(
  path: string,
  exclude: readonly string[],
  { cwd }: ExportRun['io'],
): Promise<readonly ExportedFile[]> {
  const selection = { projectFile: PROJECT_FILE, exclude };
  const { files } = await readFolder(path, selection, file => relative(cwd, file) || '.');
  return files;
}

/** Says whether the files hold what the account holds. */
export function checkAgainst(target: Target, account: AccountExport, run: ExportRun): number {
  const { tools, io } = run;
  const { plan, declared, gone } = comparison(target.state?.desired ?? [], account, run);
  const made = new Set(plan.changes.map(({ at }) => at));
  const difference = {
    changes: plan.changes.filter(isConcern(run)),
    gone: gone
      .filter(object => !made.has(object.at) && isConcern(run)(object))
      .map(({ kind, key }) => addressOf(kind, key)),
    undeclared: everyObject(account.model.objects).filter(
      ({ kind, id }) => !declared({ kind: kind.name, id }),
    ),
  };
  io.stdout.write(checkText(difference, tools.kinds, styleFor(io.stdout, io)));
  return agree(difference) ? EXIT.done : EXIT.changes;
}

/** Writes the export into the files: those that change, and new ones. All of them, or none. */
export async function exportInto(
  target: Target,
  account: AccountExport,
  run: ExportRun,
): Promise<number> {
  const { tools, io } = run;
  const { model } = account;
  const compared = comparison(target.state?.desired ?? [], account, run);
  stopOnErrors(shown(compared.plan.diagnostics.filter(isInTheWay), io));
  const result = merged({
    ...{ kinds: tools.kinds, model, files: target.files, comparison: compared },
    newFileFor: kind =>
      relative(io.cwd, target.isFile ? target.path : join(target.path, fileNameOf(kind))),
  });
  shown(
    [...stuck(result), ...notThere(compared, run), ...unsettled(target, result, account, run)],
    io,
  );
  await write(target, result, run);
  const objects = everyObject(model.objects).length;
  say(io.stdout, result.files.length === 0 ? 'Nothing to write.' : 'Written:');
  for (const { file } of result.files) say(io.stdout, `  ${nameText(file)}`);
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
  return compare({
    ...{ kinds: tools.kinds, dialect, folder: '', now: io.now() },
    snapshot: account.snapshot,
    desired: desired.filter(({ kind }) => known.has(kind)),
  });
}

const isConcern = ({ tools, selection }: ExportRun) => concerns(tools.kinds, selection);

// What cannot be told to stand for one live object cannot be brought up to it either.
const isInTheWay = ({ code, severity }: Diagnostic): boolean =>
  severity === 'error' && ['PAIR_AMBIGUOUS', 'PAIR_RESERVED', 'OBJECT_DUPLICATE'].includes(code);

function shown(diagnostics: readonly Diagnostic[], io: ExportRun['io']): readonly Diagnostic[] {
  printFindings(diagnostics, io);
  return diagnostics;
}

const stuck = (result: Merged): Diagnostic[] =>
  result.stuck.map(({ at, because }) => ({
    ...{ code: 'OBJECT_STUCK', severity: 'warning', at },
    message: `this differs from the account and is left as it is: ${because}`,
    hint: 'change it by hand',
  }));

function notThere({ gone }: Comparison, run: ExportRun): Diagnostic[] {
  return gone.filter(isConcern(run)).map(({ kind, key, at }) => ({
    ...{ code: 'OBJECT_NOT_THERE', severity: 'warning', at },
    message: `${addressOf(kind, key)} is declared, and not in the account; it is left as it is`,
    hint: 'remove it here if it is gone for good',
  }));
}

// The files as they will be are read and compared once more, before anything is written.
function unsettled(
  { files, path, state }: Target,
  result: Merged,
  account: AccountExport,
  run: ExportRun,
): Diagnostic[] {
  const { tools, flags, io } = run;
  const after = new Map(
    [...files, ...result.files].map(({ file, text }) => [file, { file, text }]),
  );
  if (after.size === 0) return [];
  const inputs = inputsFor(loadRequest(path, flags, io), state?.project ?? {});
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

async function write(target: Target, { files }: Merged, { tools, io }: ExportRun): Promise<void> {
  const schemaPath = join(target.isFile ? dirname(target.path) : target.path, SCHEMA_FILE);
  const isNew = ({ file }: ExportedFile) => !target.files.some(other => other.file === file);
  const needsSchema = files.some(isNew) && !existsSync(schemaPath);
  const schema = () =>
    jsonText(desiredStateSchema(tools.kinds, shippedSchema('lifecycle.schema.json')));
  try {
    await writeAll([
      ...files.map(({ file, text }) => ({ path: resolve(io.cwd, file), text })),
      ...(needsSchema ? [{ path: schemaPath, text: schema() }] : []),
    ]);
  } catch (error) {
    throw new Stop(EXIT.failed, `nothing was written: ${reasonOf(error)}`);
  }
}
