// An object that cannot be written without what it waits for, as it was last applied: what somebody changed in the account is taken
// back, and what the files changed waits.
import type { Shape } from '../../kinds/kind.ts';
import { secretsIn } from '../../model/secrets/secret.ts';
import type { Fields, Json } from '../../model/value.ts';
import { addressesIn, isWider, type Narrowed, type Narrowing, narrowed } from './narrowed.ts';
import { switchOf } from './switches.ts';

/** The object as the base has it, if it can be written so and leaves nothing open; otherwise it stays as it is. */
export function restored(held: Narrowed, narrowing: Narrowing): Narrowed {
  const fields = lastApplied(narrowing);
  if (fields === undefined) return held;
  const again = narrowed({ ...narrowing, live: fields });
  if (again === null || again.isOpen) return held;
  return { ...held, isOpen: false, object: { ...narrowing.object, fields } };
}

/**
 * The object as it is, but switched off, if that is declared: then nothing else of it opens anything. Undefined if it is not, or cannot be
 * written so.
 */
export function closed(held: Narrowed, narrowing: Narrowing): Narrowed | undefined {
  const { kind, object } = narrowing;
  const off = switchOf(kind);
  if (off === undefined || object.fields[off] !== false) return undefined;
  const kept = lastApplied(narrowing) ?? asItIs(narrowing);
  if (kept === undefined) return undefined;
  const written = { ...object, fields: { ...kept, [off]: false } };
  return { ...held, fate: 'closed', isOpen: false, object: written, compared: written };
}

function asItIs({ kind, object, live, isAbsent }: Narrowing): Fields | undefined {
  if (live === undefined) return undefined;
  const fields: Record<string, Json> = {};
  for (const [name, value] of Object.entries(object.fields)) {
    const shape = kind.shape.fields.get(name)?.shape;
    const isSecret = secretsIn(value).length > 0;
    if (isSecret && shape && addressesIn(shape, value).some(isAbsent)) return undefined;
    const now = isSecret ? value : live[name];
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

// A value that names what is gone stays as it is in the account, where that opens nothing; undefined if it cannot be written.
function lastValue(
  shape: Shape,
  value: Json,
  { object, live, isThere }: Narrowing,
  name: string,
): Json | undefined {
  // Only the files know the values of secrets.
  if (secretsIn(value).length > 0) return object.fields[name];
  if (addressesIn(shape, value).every(isThere)) return value;
  const now = live?.[name];
  const isOfItems = shape.type === 'list' && shape.items.type === 'object';
  return isOfItems || isWider(now, value) ? undefined : now;
}
