// Whether a change of an object may remove access, judged only by the changed fields.
import type { Field, Kind, Shape } from '../../kinds/kind.ts';
import type { Change, FieldChange } from '../../model/change.ts';
import type { Path } from '../../model/value.ts';
import { isOffValue } from '../waiting/switches.ts';

/**
 * Whether an update may remove access. It may if it removes members or a part, disables something,
 * adds the first entry to a restricting list, or replaces a part of an object that grants access.
 */
export function mayTakeAccess({ fields }: Pick<Change, 'fields'>, kind: Kind): boolean {
  return fields.some(change => {
    if (change.type === 'members') return losesMembers(change, kind);
    return isSwitchedOff(change) || isLostPart(change) || (kind.grantsAccess && isInside(change));
  });
}

function losesMembers(
  { removed, added, kept, foreign, path }: Extract<FieldChange, { type: 'members' }>,
  { shape }: Kind,
): boolean {
  const isFirst = added.length > 0 && kept.length + foreign.length === 0;
  return removed.length > 0 || (isFirst && isRestricting(shape, path));
}

const isInside = ({ path }: FieldChange): boolean => path.length > 2;

/** Whether a field disables an object or a part of it. */
export const isSwitchedOff = (change: FieldChange): boolean =>
  change.type === 'value' && isOffValue(change.path.at(-1) ?? '', change.after);

/** Whether a named part will be removed. */
export const isLostPart = (change: FieldChange): boolean =>
  change.type === 'value' && change.path.length === 2 && change.after === undefined;

/**
 * Whether a list restricts access if it has entries. Every list that is empty by default does. Its
 * first entry narrows access, and removing its last entry widens access.
 */
export const isRestricting = (shape: Shape, path: Path): boolean =>
  fieldAt(shape, path)?.default !== undefined;

// The field at a path. A path leads through the items of keyed lists and the values of maps.
function fieldAt(shape: Shape, [step, ...rest]: Path): Field | undefined {
  if (step === undefined) return undefined;
  if (shape.type === 'list') return fieldAt(shape.items, rest);
  if (shape.type === 'dict') return fieldAt(shape.values, rest);
  const field = shape.type === 'object' ? shape.fields.get(step) : undefined;
  return rest.length === 0 ? field : field && fieldAt(field.shape, rest);
}
