// The files as an export would leave them, and their next plan: names that mean another object get an id, and an object that the
// next apply would change because of the export is left unchanged.
import { join, relative } from 'node:path';
import { type Comparison, declaredOf } from '../../export/adoption/compare.ts';
import { type Bound, boundAs, misnamed, withIds } from '../../export/bound.ts';
import { fileNameOf } from '../../export/files.ts';
import { partsOf } from '../../export/join.ts';
import { fieldText, type Merged, merged } from '../../export/merge.ts';
import { type Exported, type ExportModel, everyObject, without } from '../../export/model.ts';
import { type Remaining, remainingIn } from '../../export/remaining.ts';
import type { Repair } from '../../export/repairs.ts';
import { concerns } from '../../export/select.ts';
import type { AccountExport } from '../../exportAccount.ts';
import { namingFields } from '../../kinds/identity/identity.ts';
import { valueAt } from '../../kinds/values/items.ts';
import type { ShownChange } from '../../model/change.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import { inputsFor, loadDesired } from '../../pipeline.ts';
import { EXIT } from '../exitCodes.ts';
import { readingRequest } from '../files/desired.ts';
import { printFindings } from '../findings.ts';
import { Stop } from '../stop.ts';
import type { ExportRun } from './exportRun.ts';
import type { Target } from './exportTarget.ts';

/** The content of the files, before the names in them are checked for ambiguity. */
export interface Draft {
  readonly compared: Comparison;
  readonly model: ExportModel;
  readonly bound: Bound;
  readonly stuck: Merged['stuck'];
  readonly repairs: readonly Repair[];
}

/** The future files, and the findings of their next plan. */
interface Settled {
  readonly result: Merged;
  readonly model: ExportModel;
  readonly remaining: readonly Remaining[];
  /** What the next apply would have changed because of the export: these objects are left as the files had them. */
  readonly left: readonly ShownChange[];
}

/**
 * The future files without the objects that the next apply would change because of the export, and with all others. If leaving objects out
 * does not help, the outcome is that of all objects, and nothing may be written.
 */
export async function settledBest(
  draft: Draft,
  target: Target,
  account: AccountExport,
  run: ExportRun,
): Promise<Settled> {
  const whole = await settled({ draft, left: [] }, target, account, run);
  // A new folder has nothing that could stay as it is.
  if (!target.state) return whole;
  for (let best = whole; ; ) {
    const worse = best.remaining.filter(({ isNew }) => isNew);
    if (worse.length === 0) return best;
    const more = worse.flatMap(({ is }) => ('code' in is ? [] : [is]));
    const isKnown = isAmong(best.left);
    const isMore = isAmong(more);
    const all = everyObject(best.model.objects);
    if (!all.some(object => isMore(object) && !isKnown(object))) return whole;
    best = await settled({ draft, left: [...best.left, ...more] }, target, account, run);
  }
}

/** Returns whether one of these changes is of an object, or of one of its parts. */
export function isAmong(changes: readonly ShownChange[]): (object: Exported) => boolean {
  const ids = new Set(changes.map(({ kind, id }) => `${kind} ${id}`));
  return object => partsOf(object).some(part => ids.has(boundAs(part)));
}

// An object whose name means another one, or none, to the next plan is bound by its id.
async function settled(
  { draft, left }: { readonly draft: Draft; readonly left: Settled['left'] },
  target: Target,
  account: AccountExport,
  run: ExportRun,
): Promise<Settled> {
  const { io, tools } = run;
  const { compared, stuck, repairs } = draft;
  const { declared, differs, paths } = compared;
  const isLeft = isAmong(left);
  const isAdded = (object: Exported) => declaredOf(object, declared) === undefined;
  const kept = without(draft.model, object =>
    isLeft(object) && isAdded(object) ? 'the next apply would change it' : undefined,
  );
  const live = account.snapshot.objects;
  const before = await run.nextPlan(target.state?.desired ?? []);
  const inherited = new Set<string>();
  for (let { bound } = draft; ; ) {
    const model = { ...kept, objects: withIds(kept.objects, bound) };
    const result = merged({
      kinds: tools.kinds,
      model,
      files: target.files,
      comparison: { declared, paths, differs: one => (isLeft(one) ? new Set() : differs(one)) },
      bound,
      stuck,
      repairs,
      inherited,
      newFileFor: kind =>
        relative(io.cwd, target.isFile ? target.path : join(target.path, fileNameOf(kind))),
    });
    const desired = await futureOf(target, result, run);
    const shown = stillDeclared(result, desired);
    if (shown.length > 0) {
      for (const field of shown) inherited.add(field);
      continue;
    }
    const next = await run.nextPlan(desired);
    const more = bound.union(misnamed(model.objects, { desired, live, idOf: next.idOf }));
    if (more.size === bound.size) {
      const isConcern = concerns(tools.kinds, run.selection);
      const remaining = remainingIn(next.plan, before.plan, { isConcern, desired });
      return { result, model, left, remaining };
    }
    bound = more;
  }
}

// The fields that templates and layers say as well: taken out of the own text, they would get the value of these.
function stillDeclared({ removed }: Merged, desired: readonly Desired[]): readonly string[] {
  if (removed.length === 0) return [];
  const objects = Map.groupBy(desired, one => addressOf(one.kind, one.key));
  return removed.flatMap(one => {
    const { kind, home, now, path } = one;
    // A template contains no name, and of several objects with one name it is unknown which one is meant.
    if (namingFields(kind).includes(String(path[0]))) return [];
    const found =
      objects.get(addressOf(kind.name, now)) ?? objects.get(addressOf(kind.name, home)) ?? [];
    const [object] = found.length === 1 ? found : [];
    const value = object && valueAt(kind.shape, object.whole ?? object.fields, path);
    return value === undefined || value === null ? [] : fieldText(one);
  });
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
