// Plans an object as it was last applied, if it cannot be written without the objects for which it
// waits. Changes in the account are reverted; changes in the files wait.
import type { Shape } from '../../kinds/kind.ts';
import { itemKey, keyFields } from '../../kinds/values/items.ts';
import { isSecret, secretsIn } from '../../model/secrets/secret.ts';
import {
  type Fields,
  isList,
  isObject,
  type Json,
  type JsonObject,
  listOf,
} from '../../model/value.ts';
import { switchOf } from './switches.ts';
import {
  addressesIn,
  isWider,
  type Narrowing,
  type WithoutAbsentReferences,
  withoutAbsentReferences,
} from './withoutAbsentReferences.ts';

/**
 * The object as in the base, if this version can be written and leaves nothing open. Otherwise, the
 * object as it is in the account.
 */
export function asLastApplied(
  held: WithoutAbsentReferences,
  narrowing: Narrowing,
): WithoutAbsentReferences {
  const fields = lastApplied(narrowing);
  if (fields === undefined) return held;
  const again = withoutAbsentReferences({ ...narrowing, live: fields });
  if (again === null || again.isOpen) return held;
  return { ...held, isOpen: false, object: { ...narrowing.object, fields } };
}

/**
 * The object, as last applied or as it is in the account, but disabled, if the files declare it
 * disabled. While it is disabled, no other part of it grants access. Undefined if the files do not
 * disable it, or if it cannot be written in this form.
 */
export function switchedOff(
  held: WithoutAbsentReferences,
  narrowing: Narrowing,
): WithoutAbsentReferences | undefined {
  const { kind, object } = narrowing;
  const off = switchOf(kind);
  if (off === undefined || object.fields[off] !== false) return undefined;
  const kept = lastApplied(narrowing) ?? asItIs(narrowing);
  if (kept === undefined) return undefined;
  const written = { ...object, fields: { ...kept, [off]: false } };
  return { ...held, fate: 'closed', isOpen: false, object: written, compared: written };
}

function asItIs({ kind, object, live }: Narrowing): Fields | undefined {
  if (live === undefined) return undefined;
  const fields: Record<string, Json> = {};
  for (const [name, value] of Object.entries(object.fields)) {
    const shape = kind.shape.fields.get(name)?.shape;
    const held = live[name];
    const now = secretsIn(value).length > 0 ? withSecretsOf(value, held, shape) : held;
    if (now !== undefined) fields[name] = now;
  }
  return fields;
}

function lastApplied(narrowing: Narrowing): Fields | undefined {
  const { kind, former, live } = narrowing;
  if (live === undefined || former === undefined) return undefined;
  const fields: Record<string, Json> = {};
  for (const [name, value] of Object.entries(former)) {
    const shape = kind.shape.fields.get(name)?.shape;
    const written = shape && lastValue(shape, value, narrowing, name);
    if (written === undefined) return undefined;
    fields[name] = written;
  }
  return fields;
}

// The value that was last applied. If it refers to missing objects, the value in the account is
// kept, provided that it leaves nothing open. Undefined if neither can be written.
function lastValue(
  shape: Shape,
  value: Json,
  { object, live, isThere }: Narrowing,
  name: string,
): Json | undefined {
  if (addressesIn(shape, value).every(isThere))
    return secretsIn(value).length > 0 ? withSecretsOf(object.fields[name], value, shape) : value;
  const now = live?.[name];
  const isOfItems = shape.type === 'list' && shape.items.type === 'object';
  return isOfItems || isWider(now, value) ? undefined : now;
}

// A value, with the secrets that the files declare in the same places, because only the files
// contain them. A secret that the files do not declare is left out, and the account keeps it.
function withSecretsOf(
  declared: Json | undefined,
  value: Json | undefined,
  shape: Shape | undefined,
): Json | undefined {
  if (isSecret(declared)) return declared;
  if (isSecret(value)) return undefined;
  if (shape?.type === 'list' && isList(value)) {
    const by = keyFields(shape) ?? [];
    const own = new Map(listOf(declared).map(item => [itemKey(item, by), item]));
    return value.flatMap(
      item => withSecretsOf(own.get(itemKey(item, by)), item, shape.items) ?? [],
    );
  }
  if (!isObject(value)) return value;
  const others = isObject(declared) ? declared : {};
  const fields = shape?.type === 'object' ? shape.fields : undefined;
  const names = new Set([...Object.keys(value), ...secretNames(others)]);
  return Object.fromEntries(
    [...names].flatMap(name => {
      const inner = withSecretsOf(others[name], value[name], fields?.get(name)?.shape);
      return inner === undefined ? [] : [[name, inner] as const];
    }),
  );
}

const secretNames = (fields: JsonObject): readonly string[] =>
  Object.keys(fields).filter(name => isSecret(fields[name]));
