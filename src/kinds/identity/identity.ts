// The name of an object: the key of its identity fields.
import { createHash } from 'node:crypto';
import { idInKey, keyOf } from '../../model/key.ts';
import type { Key } from '../../model/names.ts';
import { isSecret } from '../../model/secrets/secret.ts';
import { type Fields, isList, isObject, type Json } from '../../model/value.ts';
import type { Field, Kind, ObjectShape, Shape } from '../kind.ts';
import { isEmpty } from '../values/canonical.ts';
import { hostOf, isHidden } from '../values/hidden.ts';

/**
 * The name of an object within its parent, from its canonical fields. For a kind without a name field, the natural key. Null if a
 * part of the name is missing, because then no reference can use the name.
 */
export function identityName(kind: Kind, fields: Fields): string | null {
  return nameOf(kind, fields, shownText);
}

/**
 * The full identity of an object, with nothing hidden or shortened. Two objects are the same only if their identities are equal.
 * The result may contain a secret, so it is never printed or stored.
 */
export function exactIdentity(kind: Kind, fields: Fields): string | null {
  return nameOf(kind, fields, String);
}

/**
 * The values that identify an object, one for each part of the identity; null for a missing part. Like `exactIdentity`, they are
 * never printed.
 */
export function identityParts(kind: Kind, fields: Fields): (string | null)[] {
  return kind.identity.map(part => identityPart(kind, part, fields, String));
}

/** Whether different objects may share a name, because a part of their identity is hidden. */
export function sharesNames(kind: Kind): boolean {
  return kind.identity.flat().some(path => isHidden(fieldAt(kind.shape, path.split('.'))?.shape));
}

function nameOf(kind: Kind, fields: Fields, textOf: TextOf): string | null {
  if (kind.cardinality !== 'collection') return SINGLETON;
  const parts = kind.identity.map(part => identityPart(kind, part, fields, textOf));
  if (parts.some(part => part === null)) return null;
  const name = parts.join(' ');
  return isNameless(kind) && textOf === shownText ? shortened(name) : name;
}

/** Returns the text of a scalar value that is a part of a name. */
type TextOf = (value: Json, shape: Shape | undefined) => string;

const shownText: TextOf = (value, shape) =>
  isHidden(shape) ? hostOf(String(value)) : String(value);

/** Whether objects of this kind have no name field, so that their name consists of other fields. */
export function isNameless(kind: Kind): boolean {
  return kind.identity.some(part => part.length > 1);
}

/**
 * Whether meshform creates objects of this kind, and an object keeps the name (or the fields that replace a name) that identifies
 * it as long as it exists.
 */
export const hasLastingName = (kind: Kind | undefined): boolean =>
  hasIdInBase(kind) && kind?.expiry === undefined;

/**
 * Whether a base records the ids of objects of this kind by their declared names: only for kinds that meshform creates. Keys and
 * tokens, which expire, may share a name; with the id, another object with the name is never mistaken for the recorded object.
 */
export function hasIdInBase(kind: Kind | undefined): boolean {
  if (kind === undefined || !kind.verbs.has('create') || kind.cardinality !== 'collection')
    return false;
  return !sharesNames(kind);
}

/** The identity fields, one for each part of the identity; undefined for a part that is one of several fields. */
export function namingFields({ identity }: Kind): readonly (string | undefined)[] {
  return identity.map(([field, ...others]) => (others.length === 0 ? field : undefined));
}

/**
 * Whether a reference with this key needs a declaration. No declaration is needed for an id, which refers to the account, for an
 * object that every account has, or for an object that no file can create.
 */
export function mustBeDeclared(kind: Kind, key: string): boolean {
  const isReserved = kind.reserved.some(
    ({ field, equals }) => namingFields(kind).includes(field) && equals === key,
  );
  return idInKey(key) === null && kind.verbs.has('create') && !isReserved;
}

/** The name of a singleton. */
const SINGLETON = 'account';

// The maximum length of a name that is made of lists. A longer name is shortened, and a digest makes it unique.
const LONGEST_MADE_NAME = 46;

function shortened(name: string): string {
  return name.length <= LONGEST_MADE_NAME ? name : `${name.slice(0, 36)}…#${digestOf(name)}`;
}

/** The key of the object with this name under the parent with the key `parent`. */
export function childKey(parent: Key | undefined, name: string): Key {
  return keyOf(parent === undefined ? [name] : [parent, name]);
}

function identityPart(
  kind: Kind,
  part: readonly string[],
  fields: Fields,
  textOf: TextOf,
): string | null {
  const alternatives = part.map(path => path.split('.'));
  const path = alternatives.find(steps => !isEmpty(at(fields, steps)));
  if (!path) return null;
  const field = fieldAt(kind.shape, path);
  const value = at(fields, path) ?? '';
  if (isObject(value) && !isSecret(value)) return null;
  const text = partText(field, value, textOf);
  // A peer and a group may share a name, so the name of the field becomes a part of the object's name. A network, a domain and an
  // e-mail address cannot be confused.
  const isMistakable = alternatives.length > 1 && field?.shape.type === 'scalar' && field.shape.ref;
  return isMistakable ? `${path.at(-1)}=${text}` : text;
}

function partText(field: Field | undefined, value: Json, textOf: TextOf): string {
  if (isList(value)) return value.map(item => partText(field, item, textOf)).join(',');
  // Until a secret is read, its source identifies it.
  if (isSecret(value)) return value.$secret;
  return isObject(value) ? '' : textOf(value, field?.shape);
}

const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 8);

function at(fields: Fields, steps: readonly string[]): Json | undefined {
  return steps.reduce<Json | undefined>(
    (value, step) => (isObject(value) ? value[step] : undefined),
    fields,
  );
}

/** The field at the end of `steps`; undefined if the shape has no such field. */
export function fieldAt(shape: ObjectShape, steps: readonly string[]): Field | undefined {
  const [first = '', ...rest] = steps;
  const field = shape.fields.get(first);
  return rest.length > 0 && field?.shape.type === 'object' ? fieldAt(field.shape, rest) : field;
}

/**
 * Whether only one object can have a name: the server refuses a second object with the name, or an account has only one object of
 * the kind.
 */
export const isNameUnique = ({ unique, cardinality }: Kind): boolean =>
  unique !== undefined || cardinality !== 'collection';

/** Whether the server refuses a second object with the same name. */
export const refusesTwins = ({ unique, conflict }: Kind): boolean =>
  unique !== undefined || conflict !== undefined;
