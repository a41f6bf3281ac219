// Conflicts: both the files and the account changed a value or object since the base. A person
// decides which side wins (`--resolve`).
import type { FieldChange } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Address } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import { pathName } from '../../model/text/pathName.ts';
import { pointer } from '../../model/text/pointer.ts';
import { quoted } from '../../model/text/visible.ts';
import { isObject, type Json, type Path } from '../../model/value.ts';
import { diffFields } from '../diff/diff.ts';
import { fieldChanges } from '../diff/fieldChanges.ts';
import { formerFields } from '../pairing/planContext.ts';
import type { FoundHazard, FoundHazards } from '../types/hazard.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { Pair, Pairing } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';
import { sideFor } from './resolution.ts';
import { substituted } from './substitution.ts';

/**
 * Returns the pairing with the account's value in place of the declared value, for every conflict that the account wins. Adds a
 * warning for each of these conflicts, because the next run would change the value again unless the files are updated.
 */
export function withLiveSides(pairing: Pairing, context: PlanContext): Pairing {
  if (context.resolve.length === 0) return pairing;
  const found = pairing.pairs.map(pair => ({ pair, conflicts: conflictsKept(pair, context) }));
  return {
    ...pairing,
    pairs: found.map(({ pair, conflicts }) => withTheirs(pair, conflicts, context)),
    diagnostics: [
      ...pairing.diagnostics,
      ...found.flatMap(({ pair, conflicts }) =>
        conflicts.map(({ path }) => kept(pair.desired, path, context)),
      ),
    ],
  };
}

function conflictsKept(pair: Pair, context: PlanContext): FieldChange[] {
  if (sideFor(context.resolve, context.namesOf(pair.desired)) !== 'live') return [];
  return fieldChanges(pair, context).filter(({ since }) => since === 'conflict');
}

function withTheirs(pair: Pair, conflicts: readonly FieldChange[], context: PlanContext): Pair {
  if (conflicts.length === 0) return pair;
  const { desired, live } = pair;
  const { shape } = context.kind(desired.kind);
  const theirs = context.fieldsOf(live);
  const fields = conflicts.reduce<Json>(
    (ours, { path }) => substituted(shape, ours, theirs, path) ?? {},
    desired.fields,
  );
  return isObject(fields) ? { live, desired: { ...desired, fields } } : pair;
}

function kept(desired: Desired, path: Path, { isUndo }: PlanContext): Diagnostic {
  const what = `${quoted(pathName(path))} of ${addressOf(desired.kind, desired.key)}`;
  const found = {
    code: 'CONFLICT_KEPT',
    severity: 'warning',
    at: desired.spans[pointer(path.slice(0, 1))] ?? desired.at,
  } as const;
  if (isUndo)
    return { ...found, message: `${what} keeps the value that somebody set after the run` };
  return {
    ...found,
    message: `${what} keeps the value of the account, although the files declare a different value`,
    hint: 'update the files to match the account; otherwise the next run reports the difference as drift',
  };
}

/**
 * The hazards, by address, of values and objects that somebody changed in the account since the base, and that the plan would
 * overwrite or delete.
 */
export function conflictHazards(
  objects: readonly ObjectChange[],
  context: PlanContext,
): FoundHazards {
  return new Map(
    objects.flatMap(({ change, live }): [Address, FoundHazard[]][] => {
      const { address, type, fields } = change;
      const isChanged = type === 'delete' && live && hasChangedSinceBase(live, context);
      const conflicts = fields.filter(({ since }) => since === 'conflict');
      const { isUndo } = context;
      const since = isUndo ? 'the run' : 'the base';
      const by = isUndo
        ? 'by the run, and by somebody after it'
        : 'in the account and in the files since the base';
      const messages = [
        ...(isChanged
          ? [`${address} was changed in the account since ${since}, and is deleted`]
          : []),
        ...conflicts.map(({ path }) => `${quoted(pathName(path))} of ${address} was changed ${by}`),
      ];
      if (messages.length === 0) return [];
      return [[address, messages.map(message => ({ code: 'CONFLICT', message }))]];
    }),
  );
}

/** Whether the object in the account differs from the base; false if the base did not declare it. */
export const hasChangedSinceBase = (live: Live, context: PlanContext): boolean =>
  changesSinceBase(live, context).length > 0;

/** The differences between an object in the account and the base; none if the base did not declare it. */
export function changesSinceBase(live: Live, context: PlanContext): readonly FieldChange[] {
  const former = context.base.get(context.addressOf(live));
  if (!former || former.lifecycle.delete) return [];
  const { shape } = context.kind(live.kind);
  const ignore = new Set(former.lifecycle.ignore ?? []);
  const options = { written: {}, ignore, exact: new Set<string>(), base: {} };
  const meanings = formerFields(former, context).map(fields =>
    diffFields(shape, fields, context.fieldsOf(live), options),
  );
  // The object counts as changed in the account only if it differs from every possible
  // interpretation of the base.
  return meanings.some(changes => changes.length === 0) ? [] : (meanings[0] ?? []);
}
