// Verifies an export: it is read and planned like other files, and objects and values with faults are left out with the reason. A
// plan of an export against the same account is therefore always empty.
import type { KindTable } from '../kinds/kind.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Desired } from '../model/object.ts';
import type { Plan } from '../model/plan.ts';
import { quoted } from '../model/text/visible.ts';
import type { Loaded } from '../source/load.ts';
import { type PlaceAt, placeFinder } from './exportPlaces.ts';
import { oneFile } from './files.ts';
import { partsOf } from './joinParts.ts';
import { type Exported, type ExportModel, type LeftOut, without } from './model.ts';

/** Reads files, and plans them against the exported account. */
export interface Trial {
  readonly kinds: KindTable;
  readonly read: (text: string) => Loaded;
  readonly plan: (desired: readonly Desired[]) => Plan;
}

/** Why an object has a fault, and the field at the place of the fault. */
interface Fault {
  readonly because: string;
  readonly field?: string;
}

type Faults = ReadonlyMap<Exported, Fault>;

/** The part of a model whose plan is empty. */
export function verified(model: ExportModel, trial: Trial): ExportModel {
  const faults = faultsOf(model, trial);
  if (faults.size === 0) return model;
  // Objects that cannot be one declaration may be expressible as several.
  const isJoined = ({ joined }: Exported): boolean => joined !== undefined;
  const split = model.objects.flatMap(object =>
    faults.has(object) && isJoined(object) ? partsOf(object) : [object],
  );
  const less = withoutFields({ ...model, objects: split }, faults);
  const left = without(less, object => faults.get(object)?.because);
  return verified(left, trial);
}

// Declares objects without a faulty field if the field may be absent. A plan then keeps the account's value.
function withoutFields({ objects, leftOut }: ExportModel, faults: Faults): ExportModel {
  const more: LeftOut[] = [];
  const less = objects.map(object => {
    const { field, because } = faults.get(object) ?? {};
    if (field === undefined || because === undefined || !isOptional(object, field)) return object;
    const { kind, id, name, fields } = object;
    more.push({ kind: kind.name, id, name, field, because });
    const rest = Object.entries(fields).filter(([own]) => own !== field);
    return { ...object, fields: Object.fromEntries(rest) };
  });
  return { objects: less, leftOut: [...leftOut, ...more] };
}

// Whether an object can be declared without a field. If files can create such objects, the answer is no: a later apply could
// create the object without the field, for example without its lock.
function isOptional({ kind, fields }: Exported, name: string): boolean {
  const field = kind.shape.fields.get(name);
  const isLeft = field !== undefined && !field.required && field.default === undefined;
  return isLeft && !kind.verbs.has('create') && name in fields && Object.keys(fields).length > 1;
}

function faultsOf(model: ExportModel, { kinds, read, plan }: Trial): Faults {
  const text = oneFile(model, kinds);
  if (model.objects.length === 0) return new Map();
  let finder: PlaceAt | undefined;
  // The text is parsed only if there is a finding to locate.
  const placeAt: PlaceAt = span => {
    finder ??= placeFinder(text, model, kinds);
    return finder(span);
  };
  const loaded = read(text);
  const unread = reasons(loaded.diagnostics, placeAt);
  if (unread.size > 0) return unread;
  const { changes, diagnostics } = plan(loaded.desired);
  const unplanned = reasons(diagnostics, placeAt);
  for (const { at, type, fields } of changes) {
    const object = at && placeAt(at)?.object;
    const names = [...new Set(fields.map(({ path: [name = ''] }) => quoted(name)))].join(', ');
    const because = type === 'create' ? 'its name does not identify it' : `${names} would change`;
    if (object && !unplanned.has(object)) unplanned.set(object, { because });
  }
  return unplanned;
}

// The first error of each object.
function reasons(diagnostics: readonly Diagnostic[], placeAt: PlaceAt): Map<Exported, Fault> {
  const faults = new Map<Exported, Fault>();
  for (const { severity, at, message } of diagnostics) {
    const place = severity === 'error' && at ? placeAt(at) : undefined;
    if (!place || faults.has(place.object)) continue;
    const { object, field } = place;
    faults.set(object, { because: message, ...(field !== undefined && { field }) });
  }
  return faults;
}
