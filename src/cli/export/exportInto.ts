// Writes an export into files, or compares files with the account. Before anything is written, the next plan of the files is made.
import { join, relative } from 'node:path';
import { type Comparison, compare } from '../../export/adoption/compare.ts';
import { type Bound, misnamed, withIds } from '../../export/bound.ts';
import { knownSecrets } from '../../export/declarations.ts';
import { fileNameOf } from '../../export/files.ts';
import { partsOf } from '../../export/join.ts';
import { joinedAsDeclared } from '../../export/joinFiles.ts';
import { withKnownSecrets } from '../../export/knownSecrets.ts';
import { type Merged, merged } from '../../export/merge.ts';
import { type ExportModel, everyObject, without } from '../../export/model.ts';
import { withOwnNames } from '../../export/ownNames.ts';
import { type Remaining, remainingIn } from '../../export/remaining.ts';
import { type Repair, repairsOf } from '../../export/repairs.ts';
import { concerns, kindsToRead } from '../../export/select.ts';
import type { AccountExport } from '../../exportAccount.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import { pathText } from '../../model/text/visible.ts';
import { inputsFor, loadDesired } from '../../pipeline.ts';
import { agree, checkText, exportLine } from '../../report/exportText.ts';
import { styleFor } from '../colour.ts';
import { EXIT } from '../exitCodes.ts';
import { readingRequest } from '../files/desired.ts';
import { printFindings, stopOnErrors } from '../findings.ts';
import { say } from '../io.ts';
import { Stop } from '../stop.ts';
import * as finding from './exportFindings.ts';
import type { ExportRun } from './exportRun.ts';
import { type Target, writeExport } from './exportTarget.ts';
import { keptNames } from './keptNames.ts';

/** Reports whether the files match the account. */
export async function checkAgainst(
  target: Target,
  account: AccountExport,
  run: ExportRun,
): Promise<number> {
  const { tools, io } = run;
  const desired = target.state?.desired ?? [];
  const { plan, declared, gone } = comparison(desired, account, run);
  const made = new Set(plan.changes.map(({ at }) => at));
  const { idOf } = await run.nextPlan(desired);
  const { objects } = account.snapshot;
  // The account has an object of the name, and the files do not mean it.
  const others = misnamed(account.model.objects, { desired, live: objects, idOf });
  const isOther = ({ kind, key }: Desired) =>
    objects.some(one => one.kind === kind && one.key === key && others.has(`${kind} ${one.id}`));
  const lost = new Set([...gone, ...desired.filter(isOther)]);
  const difference = {
    changes: plan.changes.filter(isConcern(run)),
    gone: [...lost]
      .filter(object => !made.has(object.at) && isConcern(run)(object))
      .map(({ kind, key }) => addressOf(kind, key)),
    undeclared: everyObject(account.model.objects)
      .flatMap(partsOf)
      .filter(({ kind, id }) => !declared({ kind: kind.name, id })),
  };
  io.stdout.write(checkText(difference, tools.kinds, styleFor(io.stdout, io)));
  return agree(difference) ? EXIT.done : EXIT.changes;
}

/**
 * Writes the export into the files: either all changed and new files are written, or none. The exit code is that of a check of the files
 * afterwards.
 */
export async function exportInto(
  target: Target,
  account: AccountExport,
  run: ExportRun,
): Promise<number> {
  const { tools, io } = run;
  const draft = draftOf(target, account, run);
  const { result, model, remaining } = await settled(draft, target, account, run);
  const desired = target.state?.desired ?? [];
  const told = finding.findingsOf(
    { ...draft, result, remaining, desired, objects: model.objects },
    run,
  );
  const kept = target.state
    ? keptNames(
        target.state,
        { objects: model.objects, live: account.snapshot.objects },
        draft.compared,
        tools.kinds,
      )
    : [];
  const findings = [...told, ...kept.map(({ finding: one }) => one)];
  printFindings(findings, io);
  const isWorse = remaining.some(one => one.isNew) || kept.some(one => one.isOther);
  const isLeft = findings.some(({ severity }) => severity !== 'note');
  if (isWorse && target.state) {
    say(
      io.stderr,
      'Nothing was written: the next apply would change the account where the export cannot change the files.',
    );
    return EXIT.changes;
  }
  const project = await writeExport(target, { ...result, account: account.snapshot.account }, run);
  const objects = everyObject(model.objects).length;
  say(run.report, result.files.length === 0 ? 'Nothing to write.' : 'Written:');
  for (const file of [...result.files.map(one => one.file), ...project])
    say(run.report, `  ${pathText(file)}`);
  say(io.stderr, exportLine({ objects, leftOut: model.leftOut.length, ...result }));
  return isLeft ? EXIT.changes : EXIT.done;
}

/** What goes into the files, before the names in them are known to be clear. */
interface Draft {
  readonly compared: Comparison;
  readonly model: ExportModel;
  readonly bound: Bound;
  readonly stuck: Merged['stuck'];
  readonly repairs: readonly Repair[];
}

function draftOf(target: Target, account: AccountExport, run: ExportRun): Draft {
  const { tools, became } = run;
  const { kinds } = tools;
  const desired = target.state?.desired ?? [];
  const compared = comparison(desired, account, run);
  const { ambiguous } = compared;
  const isOpen = ({ at }: Diagnostic) => ambiguous.some(one => one.desired.at === at);
  const faults = compared.plan.diagnostics.filter(one => isInTheWay(one) && !isOpen(one));
  printFindings(faults, run.io);
  stopOnErrors(faults);
  const decided = without(account.model, ({ kind, id }) =>
    finding.sharedName(kind.name, id, ambiguous),
  );
  const named = withOwnNames(decided.objects, compared, became.meant);
  const live = account.snapshot.objects;
  const joining = { kinds, live, dialect: run.dialect };
  const { objects: clear, stuck } = joinedAsDeclared(
    named.objects,
    compared,
    joining,
    became.deleted,
  );
  const { declared } = compared;
  const known = knownSecrets({ ...joining, ...account, desired, declared, bases: run.bases });
  const objects = withKnownSecrets(clear, known);
  const gone = compared.gone.filter(isConcern(run));
  const repairs = repairsOf(gone, desired, { deleted: became.deleted, kinds });
  return { compared, model: { ...decided, objects }, bound: named.bound, stuck, repairs };
}

/** The future files, and what the next plan of them will say. */
interface Settled {
  readonly result: Merged;
  readonly model: ExportModel;
  readonly remaining: readonly Remaining[];
}

// An object whose name means another one, or none, to the next plan is bound by its id.
async function settled(
  draft: Draft,
  target: Target,
  account: AccountExport,
  run: ExportRun,
): Promise<Settled> {
  const { io, tools } = run;
  const live = account.snapshot.objects;
  const before = await run.nextPlan(target.state?.desired ?? []);
  for (let { bound } = draft; ; ) {
    const model = { ...draft.model, objects: withIds(draft.model.objects, bound) };
    const result = merged({
      kinds: tools.kinds,
      model,
      files: target.files,
      comparison: draft.compared,
      bound,
      stuck: draft.stuck,
      repairs: draft.repairs,
      newFileFor: kind =>
        relative(io.cwd, target.isFile ? target.path : join(target.path, fileNameOf(kind))),
    });
    const desired = await futureOf(target, result, run);
    const next = await run.nextPlan(desired);
    const more = bound.union(misnamed(model.objects, { desired, live, idOf: next.idOf }));
    if (more.size === bound.size)
      return { result, model, remaining: remainingIn(next.plan, before.plan, isConcern(run)) };
    bound = more;
  }
}

// The objects that the files will declare. A fault in them stops the command.
async function futureOf(
  { state, path }: Target,
  { files }: Merged,
  { tools, flags, io }: ExportRun,
): Promise<readonly Desired[]> {
  const request = readingRequest(path, flags, io);
  // A new folder cannot be read yet.
  const { desired, diagnostics } = state
    ? await loadDesired(tools, { ...request, instead: files })
    : tools.reader.read(files, inputsFor(request));
  const errors = diagnostics.filter(
    ({ severity, code }) => severity === 'error' && code !== 'SECRET_UNDEFINED',
  );
  if (errors.length > 0) {
    printFindings(errors, io);
    throw new Stop(
      EXIT.invalid,
      'nothing was written: the files would have the errors above',
      'the places are those in the files as they would be; `--except` leaves out an object',
    );
  }
  return desired;
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
