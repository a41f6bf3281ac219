// Kinds and fields by the names people type.
import type { Field, Kind, KindTable, ObjectShape, ReservedRule, Shape } from './kind.ts';

/** The kind called `name`, by its name or its place in the YAML. */
export function findKind(kinds: KindTable, name: string): Kind | undefined {
  return [...kinds.values()].find(
    kind => kind.name === name || kind.at.replaceAll('[]', '') === name,
  );
}

/** The rule for the object of this kind by which accounts are told apart. */
export function accountMarkerOf({ reserved }: Kind): ReservedRule | undefined {
  return reserved.find(({ marksAccount }) => marksAccount === true);
}

/** The kind that has the object by which accounts are told apart; its list is the first request of every run. */
export function accountMarkerKind(kinds: KindTable): Kind | undefined {
  return [...kinds.values()].find(accountMarkerOf);
}

/** The field at the end of `path`; null for an empty path; the first unknown step and what would be known there. */
export function findField(
  shape: ObjectShape,
  path: readonly string[],
): { readonly field: Field } | { readonly unknown: string; readonly known: string[] } | null {
  const [step, ...rest] = path;
  if (step === undefined) return null;
  const field = shape.fields.get(step);
  if (!field) return { unknown: step, known: [...shape.fields.keys()] };
  if (rest.length === 0) return { field };
  const inner = objectIn(field.shape);
  return inner ? findField(inner, rest) : { unknown: rest[0] ?? '', known: [] };
}

/** The object that a value is, or is a list of; null where it has no fields. */
export function objectIn(shape: Shape): ObjectShape | null {
  if (shape.type === 'object') return shape;
  return shape.type === 'list' ? objectIn(shape.items) : null;
}
