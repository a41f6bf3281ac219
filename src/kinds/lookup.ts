// Finds kinds and fields by the names that people type.
import type { KindNamed } from '../model/objectName.ts';
import type { Field, Kind, KindTable, ObjectShape, ReservedRule, Shape } from './kind.ts';

/**
 * Whether responses contain no id of the object. Then an account has only one object of the kind, and the name of the kind is
 * used as its id.
 */
export const isWithoutId = ({ cardinality, shape }: Kind): boolean =>
  cardinality === 'singleton' && !shape.fields.has('id');

/** Whether the ids of a kind are the names of its objects, so that a dangling reference still contains the name. */
export const isNamedById = ({ idField, identity }: Kind): boolean =>
  idField !== undefined && identity.length === 1 && identity[0]?.[0] === idField;

/** The kind with this name or place in the YAML. */
export function findKind(kinds: KindTable, name: string): Kind | undefined {
  return [...kinds.values()].find(
    kind => kind.name === name || kind.at.replaceAll('[]', '') === name,
  );
}

/** The kinds with a neutral name that cover a product whose name contains this word. */
export function kindsOfVendor(kinds: Iterable<Kind>, word: string): readonly Kind[] {
  const asked = lettersOf(word);
  if (asked.length < SHORTEST_VENDOR) return [];
  return [...kinds].filter(({ vendorByDialect }) =>
    Object.values(vendorByDialect).some(vendor => lettersOf(vendor).includes(asked)),
  );
}

// The minimum length of a vendor word. A shorter word would also match names of other products.
const SHORTEST_VENDOR = 4;

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The rule that identifies a special object whose id identifies the account; undefined if the kind has no such object. */
export function accountMarkerOf({ reserved }: Kind): ReservedRule | undefined {
  return reserved.find(({ marksAccount }) => marksAccount === true);
}

/** The kind of the object that identifies the account. Every run requests its list first. */
export function accountMarkerKind(kinds: KindTable): Kind | undefined {
  return [...kinds.values()].find(accountMarkerOf);
}

/** Returns `findKind` with this table, for parsers of names. */
export const kindNamedIn =
  (kinds: KindTable): KindNamed =>
  word =>
    findKind(kinds, word);

/** A step that names no field, and the names that are valid there; empty if there are no fields. */
interface UnknownStep {
  readonly unknown: string;
  readonly known: string[];
}

/** The field at the end of `path`; null for an empty path; otherwise the first unknown step with the valid names. */
export function findField(
  shape: ObjectShape,
  path: readonly string[],
): { readonly field: Field } | UnknownStep | null {
  const [step, ...rest] = path;
  if (step === undefined) return null;
  const field = shape.fields.get(step);
  if (!field) return { unknown: step, known: [...shape.fields.keys()] };
  if (rest.length === 0) return { field };
  const { shape: own } = field;
  const inner = objectIn(own);
  if (inner) return findField(inner, rest);
  const [name = '', beyond] = rest;
  const cases: readonly string[] = own.type === 'choice' ? [...own.cases.keys()] : [];
  // If the step names a case of a reference, the result is the field itself: its explanation describes the target.
  if (cases.includes(name))
    return beyond === undefined ? { field } : { unknown: beyond, known: [] };
  return { unknown: name, known: [...cases] };
}

/** The kinds that nest in a kind, each with the name of its list in the parent. */
export function childSteps(
  { name }: Kind,
  kinds: KindTable,
): readonly { readonly step: string; readonly child: Kind }[] {
  return [...kinds.values()]
    .filter(({ parent }) => parent === name)
    .map(child => ({ step: child.at.split('.').at(-1)?.replace('[]', '') ?? '', child }));
}

/**
 * The kind at the beginning of a dotted text, and the path of a field after it. The name of a list of nested objects stands for
 * their kind.
 */
export function kindAndPath(
  kinds: KindTable,
  what: string,
): { readonly kind: Kind; readonly path: readonly string[] } | undefined {
  const words = what.split('.');
  for (let count = words.length; count > 0; count--) {
    const kind = findKind(kinds, words.slice(0, count).join('.'));
    if (kind) return withinChildren(kind, words.slice(count), kinds);
  }
  return undefined;
}

function withinChildren(
  kind: Kind,
  path: readonly string[],
  kinds: KindTable,
): { readonly kind: Kind; readonly path: readonly string[] } {
  const [step, ...rest] = path;
  const found = childSteps(kind, kinds).find(one => one.step === step);
  return found ? withinChildren(found.child, rest, kinds) : { kind, path };
}

/** The shape of an object, or of the objects in a list; null if the value has no fields. */
export function objectIn(shape: Shape): ObjectShape | null {
  if (shape.type === 'object') return shape;
  return shape.type === 'list' ? objectIn(shape.items) : null;
}

/** Every dotted name of a kind or of a field that a person can write. */
export function fieldNames(kinds: KindTable): readonly string[] {
  return [...kinds.values()].flatMap(kind => [kind.name, ...namesWithin(kind.shape, kind.name)]);
}

function namesWithin({ fields }: ObjectShape, above: string): readonly string[] {
  return [...fields.values()].flatMap(field => {
    if (field.readOnly) return [];
    const name = `${above}.${field.name}`;
    const inner = objectIn(field.shape);
    return [name, ...(inner ? namesWithin(inner, name) : [])];
  });
}
