// Turns everything read from an account into live objects with names in place of ids (docs/design.md#name-space).
import type { Kind, KindTable, ReservedRule } from '../kinds/kind.ts';
import { present } from '../model/errors.ts';
import type { Key, KindName, RemoteId } from '../model/names.ts';
import type { Live } from '../model/object.ts';
import type { Fields, JsonObject } from '../model/value.ts';
import { byId, decodeFields } from './decode.ts';
import { liveNames } from './liveNames.ts';
import { unknownFields } from './unknownFields.ts';

/** One object as the API returned it. */
export interface ReadObject {
  readonly kind: KindName;
  readonly id: RemoteId;
  readonly parentId?: RemoteId;
  readonly body: JsonObject;
}

/** The live objects of an account. An id becomes a name only if exactly one object has that name. */
export function decodeAccount(kinds: KindTable, objects: readonly ReadObject[]): Live[] {
  const read = objects.map(object => {
    const kind = present(kinds.get(object.kind), `the kind ${object.kind}`);
    return { ...object, kindOf: kind, idFields: decodeFields(kind.shape, object.body, byId) };
  });
  const keyOf = liveNames(kinds, read);
  return read.map(({ body, kindOf, ...object }) => {
    const unknown = unknownFields(kindOf, body, keyOf);
    const reserved = kindOf.reserved.find(rule => isHeldBy(rule, body))?.because;
    return {
      ...object,
      key: keyOf(object.kind, object.id) as Key,
      fields: decodeFields(kindOf.shape, body, keyOf),
      serverFields: serverFields(kindOf, body),
      ...(unknown.length > 0 && { unknown }),
      ...(reserved !== undefined && { reserved }),
    };
  });
}

// Secrets that the server generated are left out, even if they are masked.
function serverFields(kind: Kind, body: JsonObject): Fields {
  const fields: Record<string, JsonObject[string]> = {};
  for (const { name, readOnly, shape } of kind.shape.fields.values()) {
    const isSecret = shape.type === 'scalar' && shape.secret;
    const value = body[name];
    if (readOnly && !isSecret && value !== undefined) fields[name] = value;
  }
  return fields;
}

/** Whether a rule for reserved objects matches an object with this body. */
export function isHeldBy(rule: ReservedRule, body: JsonObject): boolean {
  const value = body[rule.field];
  if (typeof value !== 'string' || value === '') return false;
  if (rule.equals !== undefined) return value === rule.equals;
  if (rule.not !== undefined) return value !== rule.not;
  return rule.startsWith !== undefined && value.startsWith(rule.startsWith);
}
