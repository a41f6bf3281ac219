// Encodes one value of the model: keys become ids, secrets are opened, empty values are left out.
import isEqual from 'fast-deep-equal';
import type {
  ChoiceShape,
  DictShape,
  Field,
  ListShape,
  Lock,
  ObjectShape,
  Shape,
} from '../kinds/kind.ts';
import { canonicalFields, excludedFields, isEmpty } from '../kinds/values/canonical.ts';
import { itemKey, pairedByKey, samePairs } from '../kinds/values/items.ts';
import { mapObjectRefs } from '../kinds/values/refs.ts';
import { present } from '../model/errors.ts';
import { idKey } from '../model/key.ts';
import { type KindName, remoteId } from '../model/names.ts';
import type { Fault } from '../model/outcome.ts';
import { isSecret, type Secret } from '../model/secrets/secret.ts';
import { quoted } from '../model/text/visible.ts';
import { type Fields, isList, isObject, type Json, type JsonObject } from '../model/value.ts';
import { byId, decodeFields, valueIn } from './decode.ts';
import { plainUnknown } from './unknownFields.ts';

/** The data about the account that encoding needs at the time of the write. */
export interface Resolve {
  /** The id of an object by its key. */
  readonly idOf: (kind: KindName, key: string) => string;
  /** The value of a read-only field of an object, such as the `type` of a resource; undefined if it is not known. */
  readonly fieldOf: (kind: KindName, key: string, field: string) => Json | undefined;
  /** The value of a declared secret. */
  readonly open: (secret: Secret) => string;
  /** Called if there is no value to send. Never returns. */
  readonly refuse: (fault: Fault) => never;
}

/** The settings of encoding. */
export interface Encoding {
  readonly resolve: Resolve;
  /** Whether plain fields that were read and that no schema has are sent back unchanged. */
  readonly sendsBackUnknown: boolean;
}

/** Encodes `value`. `read` is the value that was read from the account just before the write; undefined if it had none. */
export function encodeValue(
  shape: Shape,
  value: Json,
  read: Json | undefined,
  encoding: Encoding,
): Json {
  const { resolve } = encoding;
  switch (shape.type) {
    case 'scalar':
      if (isSecret(value)) return resolve.open(value);
      return shape.ref ? resolve.idOf(shape.ref, String(value)) : value;
    case 'choice':
      return isObject(value) ? encodeChoice(shape, value, read, resolve) : value;
    case 'list':
      return isList(value) ? encodeList(shape, value, read, encoding) : value;
    case 'dict':
      return isObject(value) ? encodeDict(shape, value, read, encoding) : value;
    case 'object':
      return isObject(value) ? encodeObject(shape, value, read, encoding) : value;
  }
}

// Inside an object, empty values are not sent, unless the value is the chosen alternative of two.
function encodeObject(
  shape: ObjectShape,
  value: Fields,
  read: Json | undefined,
  encoding: Encoding,
): Json {
  const silent = excludedFields(shape, value);
  const chosen = new Set(shape.exclusive.flat()).difference(silent);
  const body: Record<string, Json> = encoding.sendsBackUnknown
    ? { ...plainUnknown(shape, read) }
    : {};
  for (const field of shape.fields.values()) {
    const { name } = field;
    const item = value[name];
    const shown = isObject(read) ? valueIn(field, read) : undefined;
    if (field.sentBack) Object.assign(body, echoed(field, shown));
    else if (item === undefined && field.sentEmpty) body[name] = zeroOf(field.shape);
    else if (item !== undefined && !silent.has(name)) {
      const says = field.required || chosen.has(name) || !isEmpty(item);
      if (says) Object.assign(body, encodeField(field, item, shown, encoding));
    }
  }
  return shape.lock ? locked(shape.lock, body, read, encoding) : body;
}

function encodeField(
  { name, shape }: Field,
  item: Json,
  shown: Json | undefined,
  encoding: Encoding,
): Fields {
  const encoded = encodeValue(shape, item, shown, encoding);
  if (shape.type !== 'choice' || !shape.at || !isObject(encoded)) return { [name]: encoded };
  const { id = null, type = null } = encoded;
  return { [shape.at.id]: id, [shape.at.type]: type };
}

// Adds an empty secret to a lock, so that the server keeps the stored secret. This works only if
// the lock was closed just before; otherwise nobody could open it.
function locked(
  { opens, while: closed }: Lock,
  body: JsonObject,
  read: Json | undefined,
  { resolve }: Encoding,
): JsonObject {
  if (body[opens] !== undefined) return body;
  const wasClosed = isObject(read) && read[closed] === true;
  if (body[closed] === true && !wasClosed)
    resolve.refuse({
      code: 'SECRET_UNDEFINED',
      message: `a lock becomes ${quoted(closed)} without ${quoted(opens)}: nobody could open it`,
      hint: `declare ${quoted(opens)}`,
    });
  return { ...body, [opens]: '' };
}

/** The value of a required field that is not declared. */
export function zeroOf(shape: Shape): Json {
  if (shape.type === 'list') return [];
  if (shape.type !== 'scalar') return {};
  return shape.json === 'string' ? '' : shape.json === 'boolean' ? false : 0;
}

/** A field that is sent back: the value as it was read, or an empty list if a list was read as null. */
export function echoed({ name, shape }: Field, shown: Json | undefined): Fields {
  if (shown !== undefined && shown !== null) return { [name]: shown };
  return shape.type === 'list' && shown === null ? { [name]: [] } : {};
}

function encodeList(
  shape: ListShape,
  value: readonly Json[],
  read: Json | undefined,
  encoding: Encoding,
): Json {
  const pairs = pairedItems(shape, value, isList(read) ? read : [], encoding.resolve);
  return value.map(item => encodeValue(shape.items, item, pairs.get(item), encoding));
}

// For each desired item, the item that was read: matched by key in keyed lists, otherwise by equality.
function pairedItems(
  { items, set }: ListShape,
  value: readonly Json[],
  shown: readonly Json[],
  { idOf }: Resolve,
): ReadonlyMap<Json, Json> {
  if (items.type !== 'object') return new Map();
  const by = set ? set.by : undefined;
  const text = (fields: Fields): string => (by ? itemKey(fields, by) : JSON.stringify(fields));
  const declared = (item: Json) => (isObject(item) ? inIds(items, item, idOf) : {});
  const held = (item: Fields) => canonicalFields(items, decodeFields(items, item, byId), 'live');
  const keys = {
    wanted: (item: Json) => text(declared(item)),
    shown: (item: Fields) => text(held(item)),
    isEqual: (item: Json, one: Fields) => {
      const shownFields = held(one);
      return Object.entries(declared(item)).every(([name, own]) => isEqual(own, shownFields[name]));
    },
  };
  return by
    ? pairedByKey(value, shown.filter(isObject), keys)
    : samePairs(value, shown.filter(isObject), keys);
}

// The item with ids. References are names in the desired value, but ids in the value that was read.
function inIds(shape: ObjectShape, item: Fields, idOf: Resolve['idOf']): Fields {
  const named = mapObjectRefs(shape, item, (kind, key) => idKey(remoteId(idOf(kind, key))));
  return canonicalFields(shape, named, 'desired');
}

function encodeChoice(
  { cases }: ChoiceShape,
  value: Fields,
  read: Json | undefined,
  resolve: Resolve,
): Json {
  const found = [...cases].find(([kind]) => typeof value[kind] === 'string');
  const [kind, { type, typeOf = '' }] = present(found, 'a kind to which this field can refer');
  const key = String(value[kind]);
  const id = resolve.idOf(kind, key);
  // If the referenced object was not read, the present reference already contains its type.
  const shown = isObject(read) && String(read.id) === id ? read.type : undefined;
  return {
    id,
    type:
      type ??
      resolve.fieldOf(kind, key, typeOf) ??
      shown ??
      refuseUntyped(kind, key, typeOf, resolve),
  };
}

function refuseUntyped(kind: KindName, key: string, field: string, resolve: Resolve): never {
  return resolve.refuse({
    code: 'API_BAD_ANSWER',
    message: `the account does not return the ${quoted(field)} of ${kind} ${key}, so nothing can refer to it`,
  });
}

function encodeDict(
  { keyRef, values }: DictShape,
  value: Fields,
  read: Json | undefined,
  encoding: Encoding,
): Json {
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = keyRef ? encoding.resolve.idOf(keyRef, key) : key;
      return [name, encodeValue(values, item, isObject(read) ? read[name] : undefined, encoding)];
    }),
  );
}
