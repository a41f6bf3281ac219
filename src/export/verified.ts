// Verifies an export: it is read and planned like other files, and objects with faults are left out with the reason. A plan of an
// export against the same account is therefore always empty.
import type { KindTable } from '../kinds/kind.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Desired } from '../model/object.ts';
import type { Plan } from '../model/plan.ts';
import { quoted } from '../model/text/visible.ts';
import type { Loaded } from '../source/load.ts';
import { type ObjectAt, objectFinder } from './exportPlaces.ts';
import { oneFile } from './files.ts';
import { partsOf } from './joinParts.ts';
import { type Exported, type ExportModel, without } from './model.ts';

/** Reads files, and plans them against the exported account. */
export interface Trial {
  readonly kinds: KindTable;
  readonly read: (text: string) => Loaded;
  readonly plan: (desired: readonly Desired[]) => Plan;
}

/** The part of a model whose plan is empty. */
export function verified(model: ExportModel, trial: Trial): ExportModel {
  const faults = faultsOf(model, trial);
  if (faults.size === 0) return model;
  // Objects that cannot be one declaration may be expressible as several.
  const isJoined = ({ joined }: Exported): boolean => joined !== undefined;
  const split = model.objects.flatMap(object =>
    faults.has(object) && isJoined(object) ? partsOf(object) : [object],
  );
  const left = without({ ...model, objects: split }, object => faults.get(object));
  return verified(left, trial);
}

function faultsOf(model: ExportModel, { kinds, read, plan }: Trial): Map<Exported, string> {
  const text = oneFile(model, kinds);
  if (model.objects.length === 0) return new Map();
  let finder: ObjectAt | undefined;
  // The text is parsed only if there is a finding to locate.
  const objectAt: ObjectAt = span => {
    finder ??= objectFinder(text, model, kinds);
    return finder(span);
  };
  const loaded = read(text);
  const unread = reasons(loaded.diagnostics, objectAt);
  if (unread.size > 0) return unread;
  const { changes, diagnostics } = plan(loaded.desired);
  const unplanned = reasons(diagnostics, objectAt);
  for (const { at, type, fields } of changes) {
    const object = at && objectAt(at);
    const names = [...new Set(fields.map(({ path: [name = ''] }) => quoted(name)))].join(', ');
    const because = type === 'create' ? 'its name does not identify it' : `${names} would change`;
    if (object && !unplanned.has(object)) unplanned.set(object, because);
  }
  return unplanned;
}

// The first error of each object.
function reasons(diagnostics: readonly Diagnostic[], objectAt: ObjectAt): Map<Exported, string> {
  const faults = new Map<Exported, string>();
  for (const { severity, at, message } of diagnostics) {
    const object = severity === 'error' && at ? objectAt(at) : undefined;
    if (object && !faults.has(object)) faults.set(object, message);
  }
  return faults;
}
