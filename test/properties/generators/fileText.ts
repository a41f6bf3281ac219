// Generated objects as the text of a file, and the same objects written in another way that means the same.
import type { ObjectShape, Shape } from '../../../src/kinds/kind.ts';
import { present } from '../../../src/model/errors.ts';
import type { Desired } from '../../../src/model/object.ts';
import { isSecret } from '../../../src/model/secrets/secret.ts';
import { isList, isObject, type Json, type JsonObject } from '../../../src/model/value.ts';
import { KINDS } from '../../support/files.ts';
import type { RandomSource } from './randomSource.ts';

/** One file that declares all of it, without objects that appear by themselves and that no file can declare. JSON is YAML. */
export function fileText(desired: readonly Desired[]): string {
  return JSON.stringify(nested(desired, undefined), null, 1);
}

function nested(desired: readonly Desired[], parent: Desired | undefined): JsonObject {
  const places: Record<string, Json> = {};
  for (const object of desired) {
    const kind = present(KINDS.get(object.kind), `the kind ${object.kind}`);
    if (kind.verbs.size === 0) continue;
    if (kind.parent !== parent?.kind || (parent && object.parent !== parent.key)) continue;
    const steps = kind.at.split('.').slice(parent ? -1 : 0);
    const { was } = object.lifecycle;
    put(places, steps, {
      ...(plain(object.fields) as JsonObject),
      ...(was !== undefined && { lifecycle: { was } }),
      ...nested(desired, object),
    });
  }
  return places;
}

// Puts an object at the end of its steps: into a list where the last of them says so.
function put(holder: Record<string, Json>, [step = '', ...rest]: string[], value: Json): void {
  const name = step.replace('[]', '');
  const there = holder[name];
  if (rest.length > 0) {
    const inner: Record<string, Json> = isObject(there) ? { ...there } : {};
    put(inner, rest, value);
    holder[name] = inner;
  } else if (step === name) holder[name] = value;
  else holder[name] = [...(isList(there) ? there : []), value];
}

function plain(value: Json): Json {
  if (isSecret(value)) return value.$secret;
  if (isList(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
}

/** The same objects in another order, their keys and sets too. */
export function permuted(desired: readonly Desired[], random: RandomSource): Desired[] {
  return random.shuffled(desired).map(object => {
    const { shape } = present(KINDS.get(object.kind), `the kind ${object.kind}`);
    return { ...object, fields: permutedObject(shape, object.fields, random) };
  });
}

function permutedObject(shape: ObjectShape, value: JsonObject, random: RandomSource): JsonObject {
  const entries = random.shuffled(Object.entries(value));
  return Object.fromEntries(
    entries.map(([name, item]) => [
      name,
      permutedValue(shape.fields.get(name)?.shape, item, random),
    ]),
  );
}

function permutedValue(shape: Shape | undefined, value: Json, random: RandomSource): Json {
  if (shape?.type === 'object' && isObject(value)) return permutedObject(shape, value, random);
  if (shape?.type === 'dict' && isObject(value))
    return Object.fromEntries(random.shuffled(Object.entries(value)));
  if (shape?.type !== 'list' || !isList(value)) return value;
  const items = value.map(item => permutedValue(shape.items, item, random));
  return shape.set ? random.shuffled(items) : items;
}
