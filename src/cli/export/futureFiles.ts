// Computes the files after the export, and their next plan. An object gets an id in the files if
// its name alone would denote another object. An object is left unchanged in two cases: the export
// would make the next apply change it, or references elsewhere in the files would denote different
// objects.
import { join, relative } from 'node:path';
import { type Comparison, declaredOf } from '../../export/adoption/compare.ts';
import {
  type Bound,
  boundAs,
  misnamed,
  misnamedRefs,
  withIds,
  withRefsById,
} from '../../export/boundById.ts';
import { concerns } from '../../export/exportSelection.ts';
import { fileNameOf } from '../../export/files.ts';
import { partsOf } from '../../export/joinParts.ts';
import { fieldText, type Merged, mergedFiles } from '../../export/merge.ts';
import { type Exported, type ExportModel, everyObject, without } from '../../export/model.ts';
import { type NewMeaning, newMeanings } from '../../export/newMeanings.ts';
import { type Remaining, remainingIn } from '../../export/remainingActions.ts';
import type { Repair } from '../../export/repairs.ts';
import { namingFields } from '../../kinds/identity/identity.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { valueAt } from '../../kinds/values/items.ts';
import type { ShownChange } from '../../model/change.ts';
import { spanText } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { AccountExport } from '../../pipeline/exporting/exportAccount.ts';
import { inputsFor } from '../../pipeline/loading/externalInputs.ts';
import { loadDesired } from '../../pipeline/loading/loadDesired.ts';
import { EXIT } from '../exitCodes.ts';
import { readingRequest } from '../files/desired.ts';
import { printFindings } from '../findings.ts';
import { Stop } from '../stop.ts';
import type { ExportRun } from './exportRun.ts';
import type { Target } from './exportTarget.ts';

/** The content of the files, before the names in them are checked for ambiguity. */
export interface FutureFiles {
  readonly compared: Comparison;
  readonly model: ExportModel;
  readonly bound: Bound;
  readonly unchanged: Merged['unchanged'];
  readonly repairs: readonly Repair[];
}

/** The future files, and the findings of their next plan. */
interface Settled extends Leaving {
  readonly result: Merged;
  readonly model: ExportModel;
  readonly remaining: readonly Remaining[];
  /** The objects that references elsewhere in the files would newly denote. */
  readonly meanings: readonly NewMeaning[];
}

/** The objects that do not change in the files. */
interface Leaving {
  /** The changes that the next apply would have made because of the export. */
  readonly left: readonly ShownChange[];
  /**
   * The objects that were left out because references elsewhere in the files would have denoted
   * them.
   */
  readonly unmeant: readonly NewMeaning[];
}

/**
 * The future files. Left out are objects that the next apply would change because of the export,
 * and objects that references elsewhere would newly denote. If leaving objects out does not help,
 * the result contains all objects, and nothing may be written.
 */
export async function futureFiles(
  draft: FutureFiles,
  target: Target,
  account: AccountExport,
  run: ExportRun,
): Promise<Settled> {
  const whole = await settled({ draft, left: [], unmeant: [] }, target, account, run);
  // In a new folder, there is no object that could stay unchanged.
  if (!target.state) return whole;
  for (let best = whole; ; ) {
    const { remaining, meanings } = best;
    const worse = remaining.filter(({ isNew }) => isNew);
    if (worse.length + meanings.length === 0) return best;
    // The new meaning of a reference may be the only cause of the changes.
    const changes = meanings.length > 0 ? [] : worse;
    const left = [...best.left, ...changes.flatMap(({ is }) => ('code' in is ? [] : [is]))];
    const unmeant = [...best.unmeant, ...meanings];
    const isKnown = isAmong([...best.left, ...best.unmeant]);
    const isMore = isAmong([...left, ...unmeant]);
    const all = everyObject(best.model.objects);
    if (!all.some(object => isMore(object) && !isKnown(object))) return whole;
    best = await settled({ draft, left, unmeant }, target, account, run);
  }
}

/** Returns a function that checks whether one of these addresses is an object or one of its parts. */
export function isAmong(
  objects: readonly Pick<ShownChange, 'kind' | 'id'>[],
): (object: Exported) => boolean {
  const ids = new Set(objects.map(({ kind, id }) => `${kind} ${id}`));
  return object => partsOf(object).some(part => ids.has(boundAs(part)));
}

// Binds an object by id if its name would denote another object, or none, in the next plan.
async function settled(
  { draft, left, unmeant }: Leaving & { readonly draft: FutureFiles },
  target: Target,
  account: AccountExport,
  run: ExportRun,
): Promise<Settled> {
  const { kinds } = run.tools;
  const isLeft = isAmong([...left, ...unmeant]);
  const isUnmeant = isAmong(unmeant);
  const kept = withoutAdded(draft, { isLeft, isUnmeant });
  const nameless = new Set(everyObject(draft.model.objects).filter(isUnmeant).map(boundAs));
  const live = account.snapshot.objects;
  const before = await run.nextPlan(target.state?.desired ?? []);
  const inherited = new Set<string>();
  const byId = new Map<Address, Key>();
  for (let bound = draft.bound.difference(nameless); ; ) {
    const model = { ...kept, objects: withRefsById(withIds(kept.objects, bound), byId) };
    const result = merged({ model, draft, isLeft, bound, inherited }, target, run);
    const desired = await futureOf(target, result, run);
    const shown = stillDeclared(result, desired);
    if (shown.length > 0) {
      for (const field of shown) inherited.add(field);
      continue;
    }
    const next = await run.nextPlan(desired);
    const others = misnamed(model.objects, { desired, live, idOf: next.idOf });
    const more = bound.union(others.difference(nameless));
    const refs = misnamedRefs(model.objects, { live, idOf: next.idOf });
    for (const [name, key] of refs) byId.set(name, key);
    if (more.size === bound.size && refs.size === 0) {
      const isConcern = concerns(kinds, run.selection);
      const remaining = remainingIn(next.plan, before.plan, { isConcern, desired });
      const written = everyObject(model.objects).filter(object => !isLeft(object));
      const changing = { draft, target, live, kinds };
      const meanings = meaningsOf({ model, written }, { before, next }, changing);
      return { result, model, left, unmeant, remaining, meanings };
    }
    bound = more;
  }
}

/** The part of the draft that is written. */
interface Written {
  readonly model: ExportModel;
  readonly draft: FutureFiles;
  /** Returns whether an object does not change in the files. */
  readonly isLeft: (object: Exported) => boolean;
  readonly bound: Bound;
  /** The fields that an object inherits from other texts, such as its template. */
  readonly inherited: ReadonlySet<string>;
}

function merged(
  { model, draft, isLeft, bound, inherited }: Written,
  target: Target,
  { io, tools }: ExportRun,
): Merged {
  const { compared, unchanged, repairs } = draft;
  const { declared, differs, paths } = compared;
  return mergedFiles({
    kinds: tools.kinds,
    model,
    files: target.files,
    comparison: { declared, paths, differs: one => (isLeft(one) ? new Set() : differs(one)) },
    bound,
    unchanged,
    repairs,
    inherited,
    newFileFor: kind =>
      relative(io.cwd, target.isFile ? target.path : join(target.path, fileNameOf(kind))),
  });
}

type Planned = Awaited<ReturnType<ExportRun['nextPlan']>>;

/** The files that an export changes, and the account. */
interface Changing {
  readonly draft: FutureFiles;
  readonly target: Target;
  readonly live: readonly Live[];
  readonly kinds: KindTable;
}

function meaningsOf(
  { model, written }: { readonly model: ExportModel; readonly written: readonly Exported[] },
  { before, next }: { readonly before: Planned; readonly next: Planned },
  { draft, target, live, kinds }: Changing,
): readonly NewMeaning[] {
  return newMeanings(stayingIn(target, written, draft), model.objects, {
    before: before.idOf,
    after: next.idOf,
    ids: target.state?.stored?.base.ids ?? [],
    live,
    renamed: draft.compared.renamed,
    kinds,
  });
}

interface LeftOut {
  readonly isLeft: (object: Exported) => boolean;
  readonly isUnmeant: (object: Exported) => boolean;
}

// Removes objects from the export that are left out and that the files do not declare yet. Other
// objects that are left out stay as they are declared.
function withoutAdded(
  { model, compared: { declared } }: FutureFiles,
  { isLeft, isUnmeant }: LeftOut,
): ExportModel {
  return without(model, object => {
    const isAdded = declaredOf(object, declared) === undefined;
    if (!isLeft(object) || !isAdded) return undefined;
    return isUnmeant(object) ? 'the files mean another object' : 'the next apply would change it';
  });
}

// The declarations that stay in the files because the export does not write them.
function stayingIn(
  { state }: Target,
  written: readonly Exported[],
  { compared: { declared }, repairs }: FutureFiles,
): readonly Desired[] {
  const own = written.flatMap(object => declaredOf(object, declared) ?? []);
  const changed = [...own, ...repairs.map(({ desired }) => desired)];
  const places = new Set(changed.map(({ at }) => spanText(at)));
  return (state?.desired ?? []).filter(({ at }) => !places.has(spanText(at)));
}

// The removed fields that a template or layer also sets. If such a field were removed only from the
// object's own text, the value from the template or layer would apply.
function stillDeclared({ removed }: Merged, desired: readonly Desired[]): readonly string[] {
  if (removed.length === 0) return [];
  const objects = Map.groupBy(desired, one => addressOf(one.kind, one.key));
  return removed.flatMap(one => {
    const { kind, home, now, path } = one;
    // A template contains no names. If several objects have the same name, it is unknown which
    // object is meant.
    if (namingFields(kind).includes(String(path[0]))) return [];
    const found =
      objects.get(addressOf(kind.name, now)) ?? objects.get(addressOf(kind.name, home)) ?? [];
    const [object] = found.length === 1 ? found : [];
    const value = object && valueAt(kind.shape, object.whole ?? object.fields, path);
    return value === undefined || value === null ? [] : fieldText(one);
  });
}

// The objects that the future files will declare. An error in these files stops the command.
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
      'the places are in the files as the export would write them; `--except` leaves out an object',
    );
  }
  return desired;
}
