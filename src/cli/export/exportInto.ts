// Writes an export into files, or compares files with the account. Before it writes, it computes the next plan of the files.
import { type Comparison, compare, declaredOf } from '../../export/adoption/compare.ts';
import { withPendingNames } from '../../export/adoption/pendingRenames.ts';
import { misnamed } from '../../export/boundById.ts';
import { knownSecrets } from '../../export/declarations.ts';
import { concerns, kindsToRead } from '../../export/exportSelection.ts';
import { joinedAsDeclared } from '../../export/joinFiles.ts';
import { partsOf } from '../../export/joinParts.ts';
import { withKnownSecrets } from '../../export/knownSecrets.ts';
import { everyObject, without } from '../../export/model.ts';
import { withOwnNames } from '../../export/ownNames.ts';
import { differencesOf } from '../../export/remainingActions.ts';
import { type RenamedShared, renamedShared } from '../../export/renamedShared.ts';
import { repairsOf } from '../../export/repairs.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import { pathText } from '../../model/text/visible.ts';
import type { AccountExport } from '../../pipeline/exporting/exportAccount.ts';
import { agree, checkText, exportLine } from '../../report/exportText.ts';
import { styleFor } from '../colour.ts';
import { EXIT } from '../exitCodes.ts';
import { printFindings, stopOnErrors } from '../findings.ts';
import { say } from '../io.ts';
import * as finding from './exportFindings.ts';
import type { ExportRun } from './exportRun.ts';
import { type Target, writeExport } from './exportTarget.ts';
import { type FutureFiles, futureFiles, isAmong } from './futureFiles.ts';
import { keptNames } from './keptNames.ts';
import { meaningFindings } from './meaningFindings.ts';

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
  const { idOf, plan: next } = await run.nextPlan(desired);
  const { objects } = account.snapshot;
  // The account has an object with this name, but the declaration in the files denotes another
  // object.
  const others = misnamed(account.model.objects, { desired, live: objects, idOf });
  const isOther = ({ kind, key }: Desired) =>
    objects.some(one => one.kind === kind && one.key === key && others.has(`${kind} ${one.id}`));
  const lost = new Set([...gone, ...desired.filter(isOther)]);
  const undeclared = everyObject(account.model.objects)
    .flatMap(partsOf)
    .filter(({ kind, id }) => !declared({ kind: kind.name, id }));
  const found = {
    changes: plan.changes.filter(isConcern(run)),
    gone: [...lost]
      .filter(object => !made.has(object.at) && isConcern(run)(object))
      .map(({ kind, key }) => addressOf(kind, key)),
    undeclared,
  };
  // Even if the files match the account, their next plan may have differences because of the bases
  // of the folders.
  const difference = agree(found)
    ? { ...found, ...differencesOf(next, { isConcern: isConcern(run), desired }) }
    : found;
  io.stdout.write(checkText(difference, tools.kinds, styleFor(io.stdout, io)));
  return agree(difference) ? EXIT.done : EXIT.changes;
}

/**
 * Writes the export into the files: either all changed and new files are written, or none. Resolves
 * to the exit code of a check of the files afterwards. Objects that the next apply would change
 * because of the export stay unchanged in the files and are reported.
 */
export async function exportInto(
  target: Target,
  account: AccountExport,
  run: ExportRun,
): Promise<number> {
  const { io } = run;
  const draft = draftOf(target, account, run);
  const future = await futureFiles(draft, target, account, run);
  const { result, model } = future;
  const { findings, isWorse } = foundIn(draft, { future, target, account }, run);
  printFindings(findings, io);
  if (isWorse && target.state) {
    say(
      io.stderr,
      'Nothing was written: the next apply would change the account where the export cannot change the files.',
    );
    return EXIT.changes;
  }
  const project = await writeExport(target, { ...result, account: account.snapshot.account }, run);
  tellWritten([...result.files.map(one => one.file), ...project], run);
  const objects = everyObject(model.objects).length;
  say(io.stderr, exportLine({ objects, leftOut: model.leftOut.length, ...result }));
  return findings.some(({ severity }) => severity !== 'note') ? EXIT.changes : EXIT.done;
}

/** The findings of an export, and whether the next apply would change the account because of it. */
interface ExportFindings {
  readonly findings: readonly Diagnostic[];
  readonly isWorse: boolean;
}

/** The files after the export, their target, and the account. */
interface ExportedFiles {
  readonly future: Awaited<ReturnType<typeof futureFiles>>;
  readonly target: Target;
  readonly account: AccountExport;
}

function foundIn(
  draft: FirstDraft,
  { future, target, account }: ExportedFiles,
  run: ExportRun,
): ExportFindings {
  const { result, model, remaining, left, unmeant, meanings } = future;
  const desired = target.state?.desired ?? [];
  const told = finding.findingsOf(
    { ...draft, result, remaining, left, desired, objects: model.objects },
    run,
  );
  const isLeft = isAmong([...left, ...unmeant]);
  const objects = everyObject(model.objects).filter(object => !isLeft(object));
  const live = account.snapshot.objects;
  const kept = target.state
    ? keptNames(target.state, { objects, live }, draft.compared, run.tools.kinds)
    : [];
  return {
    findings: [
      ...told,
      ...draft.shared.map(finding.renamedElsewhere),
      ...kept.map(({ finding: one }) => one),
      ...meaningFindings([...unmeant, ...meanings], target, account, run),
    ],
    isWorse:
      remaining.some(one => one.isNew) || kept.some(one => one.isOther) || meanings.length > 0,
  };
}

function tellWritten(files: readonly string[], { report }: ExportRun): void {
  say(report, files.length === 0 ? 'Nothing to write.' : 'Written:');
  for (const file of files) say(report, `  ${pathText(file)}`);
}

function draftOf(target: Target, whole: AccountExport, run: ExportRun): FirstDraft {
  const { tools, became } = run;
  const { kinds } = tools;
  const { desired = [], others = [] } = target.state ?? {};
  const first = comparison(desired, whole, run);
  const exported = { ...whole, model: withPendingNames(whole.model, first.pending) };
  const shared = renamedShared(first, others);
  const account = withoutShared(exported, first, shared);
  const compared = shared.length === 0 ? first : comparison(desired, account, run);
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
  const { objects: clear, unchanged } = joinedAsDeclared(
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
  const model = { ...decided, objects };
  return { compared, model, bound: named.bound, unchanged, repairs, shared };
}

// The account without objects that several folders declare. Like objects that the user left out,
// these keep their declared names.
function withoutShared(
  account: AccountExport,
  { declared }: Comparison,
  shared: readonly RenamedShared[],
): AccountExport {
  if (shared.length === 0) return account;
  const isShared = new Set(shared.map(({ desired }) => desired.at));
  const model = without(account.model, object => {
    const own = declaredOf(object, declared);
    return own && isShared.has(own.at) ? 'several folders declare it' : undefined;
  });
  return { ...account, model };
}

interface FirstDraft extends FutureFiles {
  readonly shared: readonly RenamedShared[];
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

// Whether a finding prevents an export. A declared object cannot be updated from the account if it
// does not match exactly one live object.
const isInTheWay = ({ code, severity }: Diagnostic): boolean =>
  severity === 'error' && ['PAIR_AMBIGUOUS', 'PAIR_RESERVED', 'OBJECT_DUPLICATE'].includes(code);
