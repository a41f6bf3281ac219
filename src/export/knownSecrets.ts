// Secrets that an account shows in clear text: an export writes the source that the files or a base name for them, and never the
// value.
import type { Kind, KindTable, ScalarShape, Shape } from '../kinds/kind.ts';
import { canonicalFields } from '../kinds/values/canonical.ts';
import { isHidden } from '../kinds/values/hidden.ts';
import { itemKey, keyFields } from '../kinds/values/items.ts';
import { shapeAt } from '../kinds/values/shapeAt.ts';
import type { Desired } from '../model/object.ts';
import { isSecret, secretsIn } from '../model/secrets/secret.ts';
import { literally } from '../model/text/literalText.ts';
import { stableText } from '../model/text/stableText.ts';
import { isList, isObject, type Json, type Path } from '../model/value.ts';
import { hasReference, hasSecretReference } from '../source/values/reference.ts';
import type { Exported } from './model.ts';
import { stepOf } from './writtenFields.ts';

/** A declaration of an exported object, from the files or from a base. */
export interface Declaration {
  readonly desired: Desired;
  /** Whether the sources that it names can be written: in an unsigned base, whoever can push could name any source. */
  readonly isTrusted: boolean;
}

/** The known secrets of an account. */
export interface KnownSecrets {
  readonly kinds: KindTable;
  /** The declarations of an exported object; the one in the files comes first. */
  readonly declarationsOf: (object: Exported) => readonly Declaration[];
  /** Every declaration, including those of objects that the account no longer has. */
  readonly all: readonly Declaration[];
  /** A reference for a secret whose source is not known. */
  readonly unknown: (object: Exported, path: Path) => string;
}

/** Whether a field of this shape can be a secret that an account shows. */
const mayBeShown = (shape: ScalarShape): boolean => shape.secret || shape.masked || isHidden(shape);

/** Whether one of these objects has a text where its kind allows a secret. */
export function mayShowSecrets(objects: readonly Exported[]): boolean {
  return objects.some(
    ({ kind, fields, children }) =>
      textsIn(kind.shape, fields).length > 0 || mayShowSecrets(children),
  );
}

function textsIn(shape: Shape | undefined, value: Json): readonly string[] {
  if (isList(value)) return value.flatMap(item => textsIn(shapeAt(shape, ['0']), item));
  if (isObject(value))
    return Object.entries(value).flatMap(([name, item]) => textsIn(shapeAt(shape, [name]), item));
  const isText = shape?.type === 'scalar' && mayBeShown(shape) && typeof value === 'string';
  return isText && !hasSecretReference(value) ? [value] : [];
}

/** The objects with the sources of their secrets. */
export function withKnownSecrets(
  objects: readonly Exported[],
  known: KnownSecrets,
): readonly Exported[] {
  const met = new Set<Json>();
  for (const object of objects) walked(object, known, slot => meet(slot, met));
  const lost = lostPlaces(known, met);
  return objects.map(object => walked(object, known, slot => written(slot, lost, known)));
}

/** A text where the kind allows a secret, and its declaration. */
interface Slot {
  readonly object: Exported;
  readonly path: Path;
  readonly place: string;
  readonly value: string;
  readonly shape: ScalarShape;
  readonly declared: readonly Declared[];
}

/** A value of a declaration. */
interface Declared extends Declaration {
  readonly value: Json | undefined;
}

function meet({ declared, value }: Slot, met: Set<Json>): string {
  for (const one of declared) if (isSecret(one.value)) met.add(one.value);
  return value;
}

/**
 * The places where a secret is declared that the account does not have there: somebody may have moved it to another key, another
 * item or another object of the kind.
 */
function lostPlaces({ all, kinds }: KnownSecrets, met: ReadonlySet<Json>): ReadonlySet<string> {
  return new Set(
    all.flatMap(({ desired: { kind: name, fields } }) => {
      const kind = kinds.get(name);
      const lost = secretsIn(fields).filter(({ secret }) => !met.has(secret));
      return kind ? lost.map(({ path }) => placeOf(kind, path)) : [];
    }),
  );
}

/** A place of a schema: a path without keys and numbers. */
function placeOf(kind: Kind, path: Path): string {
  const steps = path.map((step, i) =>
    shapeAt(kind.shape, path.slice(0, i))?.type === 'object' ? step : '*',
  );
  return [kind.name, ...steps].join(' ');
}

/**
 * The text for the files: the source in the files or a base, or a text that the files contain, or else the value that the account
 * shows. A variable replaces a value that may be a secret, because the account returns values of this field unmasked.
 */
function written(slot: Slot, lost: ReadonlySet<string>, { unknown }: KnownSecrets): string {
  const { object, path, place, value, shape, declared } = slot;
  for (const one of declared) {
    const text = isText(one) ? literally(one.value) : undefined;
    if (text !== undefined && (text === value || hasSecretReference(value))) return text;
    const source = sourceOf(one, shape);
    if (source !== undefined) return source ?? unknown(object, path);
  }
  if (value === '' || hasSecretReference(value)) return value;
  const mayBeMoved = lost.has(place) && !declared.some(isText);
  return mayBeMoved || shape.shownAs === 'whole' ? unknown(object, path) : value;
}

const isText = (one: Declared): one is Declared & { readonly value: string } =>
  typeof one.value === 'string' && one.desired.hidden?.written.has(one.value) !== true;

/** The source of a declared secret, in the form of files; null if it is unknown; undefined if the value is not a secret. */
function sourceOf(
  { desired: { hidden }, value, isTrusted }: Declared,
  shape: ScalarShape,
): string | null | undefined {
  const text = isSecret(value)
    ? (hidden?.unread.get(value.$secret) ?? value.$secret)
    : isHidden(shape) && typeof value === 'string'
      ? hidden?.written.get(value)
      : undefined;
  if (text === undefined) return undefined;
  return isTrusted && hasReference(text) ? text : null;
}

/** An object and its children, with each slot replaced by the result of `change`. */
function walked(object: Exported, known: KnownSecrets, change: (slot: Slot) => string): Exported {
  const { kind, fields, children } = object;
  const declared = known.declarationsOf(object).map(one => ({ ...one, value: one.desired.fields }));
  const whole = { shape: kind.shape, path: [], steps: [], declared };
  const replaced = replacedInside(fields, whole, slot =>
    change({ ...slot, object, place: placeOf(kind, slot.steps) }),
  );
  return {
    ...object,
    fields: replaced as Exported['fields'],
    children: children.map(child => walked(child, known, change)),
  };
}

/** A place in the fields of an object, and the declared values there. */
interface PlaceInside {
  readonly shape: Shape | undefined;
  readonly path: Path;
  /** The same path with the numbers of items instead of their keys. */
  readonly steps: Path;
  readonly declared: readonly Declared[];
}

/** A slot in the fields of an object. */
type SlotInside = Omit<PlaceInside, 'shape'> & Pick<Slot, 'value' | 'shape'>;

/** A value with each slot in it replaced by the result of `change`. */
function replacedInside(
  value: Json,
  { shape, path, steps, declared }: PlaceInside,
  change: (slot: SlotInside) => string,
): Json {
  if (shape?.type === 'scalar')
    return typeof value === 'string' && mayBeShown(shape)
      ? change({ path, steps, declared, value, shape })
      : value;
  if (isList(value) && shape?.type === 'list') {
    const pairs = declared.map(one => pairedItems(shape.items, keyFields(shape), value, one));
    return value.map((item, i) => {
      const place = {
        shape: shape.items,
        path: [...path, stepOf(shape, item, i)],
        steps: [...steps, String(i)],
        declared: pairs.flatMap(pair => pair.get(item) ?? []),
      };
      return replacedInside(item, place, change);
    });
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const place = {
        shape: shapeAt(shape, [name]),
        path: [...path, name],
        steps: [...steps, name],
        declared: declared.map(one => ({ ...one, value: memberOf(one.value, name) })),
      };
      return [name, replacedInside(item, place, change)];
    }),
  );
}

const memberOf = (value: Json | undefined, name: string): Json | undefined =>
  isObject(value) ? value[name] : undefined;

/**
 * The declared item of each exported item: the item with the same key, or without keys the item that is equal except for secrets.
 * If one item is left on each side, these two are paired as a changed item. Items are never paired by position, because that
 * could give the secret of one item to another.
 */
function pairedItems(
  shape: Shape,
  by: readonly string[] | undefined,
  items: readonly Json[],
  declared: Declared,
): ReadonlyMap<Json, Declared> {
  const textOf = (item: Json): string => {
    const canonical =
      shape.type === 'object' && isObject(item) ? canonicalFields(shape, item, 'desired') : item;
    return by ? itemKey(canonical, by) : stableText(withoutSecrets(shape, canonical));
  };
  const left = Map.groupBy(isList(declared.value) ? declared.value : [], textOf);
  const pairs = new Map<Json, Declared>();
  const unpaired: Json[] = [];
  for (const item of items) {
    const value = left.get(textOf(item))?.shift();
    if (value === undefined) unpaired.push(item);
    else pairs.set(item, { ...declared, value });
  }
  const [value, ...others] = [...left.values()].flat();
  const [item, ...more] = unpaired;
  if (item !== undefined && value !== undefined && others.length + more.length === 0)
    pairs.set(item, { ...declared, value });
  return pairs;
}

function withoutSecrets(shape: Shape | undefined, value: Json): Json {
  if (shape?.type === 'scalar' && mayBeShown(shape)) return null;
  if (isList(value)) return value.map(item => withoutSecrets(shapeAt(shape, ['0']), item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      withoutSecrets(shapeAt(shape, [name]), item),
    ]),
  );
}
