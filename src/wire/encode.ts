// Turns model fields into the body of a write. Only this code turns keys into ids.
import isEqual from 'fast-deep-equal';
import type { Field, Kind, Shape } from '../kinds/kind.ts';
import { canonicalFields, excludedFields } from '../kinds/values/canonical.ts';
import { fieldsExcludedBy } from '../kinds/values/exclusive.ts';
import { withHeldParts } from '../kinds/values/keptInside.ts';
import { holdsUnknownSecret, isSecret } from '../model/secrets/secret.ts';
import { quoted } from '../model/text/visible.ts';
import { type Fields, isList, isObject, type Json, type JsonObject } from '../model/value.ts';
import { byId, decodeFields } from './decode.ts';
import { type Encoding, echoed, encodeValue, type Resolve, zeroOf } from './encodeValue.ts';
import { laidOut } from './layout.ts';
import { plainUnknownOf } from './unknownFields.ts';

/** The body of a POST: the declared fields, and a zero value for required fields that are not declared. */
export function encodeCreate(kind: Kind, fields: Fields, resolve: Resolve): JsonObject {
  const { where } = kind;
  const isSent = where !== undefined && where.unsent !== true;
  const body: Record<string, Json> = isSent ? { [where.field]: where.equals } : {};
  for (const field of kind.shape.fields.values()) {
    const value = fields[field.name] ?? demanded(field);
    if (field.readOnly || field.updateOnly === 'never-sent' || value === undefined) continue;
    refuseReadSecret(field, value, resolve);
    body[field.name] = encodeValue(field.shape, value, undefined, {
      resolve,
      sendsBackUnknown: false,
    });
  }
  return body;
}

/**
 * The body of a PUT. If the PUT replaces the whole object, the body contains the fields as read just before, overlaid with the
 * declared fields; sent-back fields stay unchanged. If the PUT takes only mutable or only changed fields, the other fields are
 * left out. If servers ignore unknown fields, plain fields that the schema does not have are sent back as read, so that a newer
 * server does not reset them. `fields` are canonical.
 */
export function encodeUpdate(
  kind: Kind,
  fields: Fields,
  read: JsonObject,
  resolve: Resolve,
): JsonObject {
  if (kind.layout) return encodeLaidOut(kind, fields, read, resolve);
  const isMerged = kind.updateMode === 'partial';
  const whole = isMerged ? fields : overlay(kind, fields, read);
  const silent = excludedFields(kind.shape, whole);
  const encoding: Encoding = { resolve, sendsBackUnknown: kind.sendsBackUnknown };
  const body: Record<string, Json> =
    kind.sendsBackUnknown && !isMerged ? { ...plainUnknownOf(kind, read) } : {};
  for (const field of kind.shape.fields.values()) {
    const { name } = field;
    if (field.sentBack) Object.assign(body, echoed(field, read[name]));
    if (field.sentBack || field.readOnly || field.inputOnly || silent.has(name)) continue;
    if (kind.updateMode !== 'whole' && field.immutable) continue;
    const value = whole[name] ?? (isMerged ? undefined : demanded(field));
    if (value === undefined) continue;
    refuseReadSecret(field, value, resolve);
    body[name] = encodeValue(field.shape, value, read[name], encoding);
  }
  return body;
}

// The declared values, where they must be sent, over the values that were read. A value that the server maintains is sent only if
// it changes, because otherwise the server would store a value that it derives.
function encodeLaidOut(kind: Kind, fields: Fields, read: JsonObject, resolve: Resolve): JsonObject {
  const encoding: Encoding = { resolve, sendsBackUnknown: kind.sendsBackUnknown };
  const shown = canonicalFields(kind.shape, decodeFields(kind.shape, read, byId), 'live');
  const declared: Record<string, Json> = {};
  for (const field of kind.shape.fields.values()) {
    const { name, notSent } = field;
    const value = fields[name];
    if (field.readOnly || value === undefined) continue;
    if (notSent && isEqual(value, shown[name])) continue;
    refuseReadSecret(field, value, resolve);
    declared[name] = encodeValue(field.shape, value, read[name], encoding);
  }
  const unknown = kind.sendsBackUnknown ? unknownAround(kind, read) : {};
  return { ...unknown, ...laidOut(kind, { declared, read }) };
}

// The top-level fields that the kind does not know.
const unknownAround = ({ shape }: Kind, read: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(read).filter(([name, value]) => !shape.fields.has(name) && value !== null),
  );

// The fields of an update over the fields in the account. A declared field replaces the alternatives that exclude it. An
// undeclared secret field is left out like a write-only field, because the server keeps it.
function overlay(kind: Kind, fields: Fields, read: JsonObject): Fields {
  const displaced = fieldsExcludedBy(kind.shape, fields);
  const shown = decodeFields(kind.shape, read, byId);
  const kept = Object.entries(shown).filter(
    ([name, value]) => !displaced.has(name) && !isSecret(value),
  );
  const held = closedLocks(kind.shape, Object.fromEntries(kept));
  return isObject(held) ? { ...held, ...withHeldParts(kind.shape, fields, held) } : fields;
}

// The content of the account without locks that are open, because their secrets are lost.
function closedLocks(shape: Shape, value: Json | undefined): Json | undefined {
  if (shape.type === 'list' && isList(value))
    return value.flatMap(item => closedLocks(shape.items, item) ?? []);
  if (shape.type !== 'object' || !isObject(value)) return value;
  if (shape.lock && value[shape.lock.while] !== true) return undefined;
  const parts = Object.entries(value).flatMap(([name, part]): [string, Json][] => {
    const inner = shape.fields.get(name)?.shape;
    const held = inner ? closedLocks(inner, part) : part;
    return held === undefined ? [] : [[name, held]];
  });
  return Object.fromEntries(parts);
}

// Refuses to send an object with an unknown secret. Without the secret, the server would lose it; with a masked value, the server
// would store the mask (docs/design.md#secrets-that-cannot-be-read-back).
function refuseReadSecret({ name }: Field, value: Json, resolve: Resolve): void {
  if (!holdsUnknownSecret(value)) return;
  resolve.refuse({
    code: 'SECRET_UNDEFINED',
    message: `${quoted(name)} contains a secret that the server does not return, so it cannot be sent again`,
    hint: `declare ${quoted(name)} with the secret in it`,
  });
}

const demanded = (field: Field): Json | undefined =>
  field.sentEmpty ? zeroOf(field.shape) : undefined;
