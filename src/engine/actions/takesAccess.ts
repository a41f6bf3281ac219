// Whether a change of an object may take access from somebody, as far as its form tells.
import type { Field, Kind, Shape } from '../../kinds/kind.ts';
import type { Change, FieldChange } from '../../model/change.ts';
import type { Json, Path } from '../../model/value.ts';

/**
 * Whether an update may take access away: members or a part go, something is switched off, a list that restricts gets its
 * first member, or a part of what grants access becomes another one.
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

/** The values with which a field switches an object, or a part of it, off. */
const OFF: Readonly<Record<string, Json>> = { enabled: false, revoked: true, is_blocked: true };

/** Whether a field switches an object, or a part of it, off. */
export const isSwitchedOff = (change: FieldChange): boolean =>
  change.type === 'value' &&
  change.after !== undefined &&
  change.after === OFF[change.path.at(-1) ?? ''];

/** Whether a part that has a name of its own will be there no more. */
export const isLostPart = (change: FieldChange): boolean =>
  change.type === 'value' && change.path.length === 2 && change.after === undefined;

/**
 * Whether a list restricts where it is not empty: one that is empty by default does. Its first member narrows, and without
 * its last one it widens.
 */
export const isRestricting = (shape: Shape, path: Path): boolean =>
  fieldAt(shape, path)?.default !== undefined;

// Paths go through the items of keyed lists and the values of maps.
function fieldAt(shape: Shape, [step, ...rest]: Path): Field | undefined {
  if (step === undefined) return undefined;
  if (shape.type === 'list') return fieldAt(shape.items, rest);
  if (shape.type === 'dict') return fieldAt(shape.values, rest);
  const field = shape.type === 'object' ? shape.fields.get(step) : undefined;
  return rest.length === 0 ? field : field && fieldAt(field.shape, rest);
}
