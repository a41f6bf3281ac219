// Declared objects ↔ the objects of a base. A base holds values, so that reading it needs no variable, no template and not
// the defaults of the version that recorded it.
import isEqual from 'fast-deep-equal';
import type { Kind, ObjectShape, Shape } from '../kinds/kind.ts';
import { shapeAt } from '../kinds/schema/shapeAt.ts';
import { unchosen } from '../kinds/values/canonical.ts';
import { hostOf, mapHidden } from '../kinds/values/hidden.ts';
import type { Span } from '../model/diagnostic.ts';
import type { Desired } from '../model/object.ts';
import type { RecordedObject } from '../model/recordedBase.ts';
import type { Mark } from '../model/secrets/hostedSecret.ts';
import { isSecret } from '../model/secrets/secret.ts';
import type { ShownFields } from '../model/secrets/shown.ts';
import { pointer } from '../model/text/pointer.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../model/value.ts';

/** A declared object as a base records it. Web addresses are marked, so that later runs recognise them. */
export function recordedObject(
  { kind: name, key, parent, fields, lifecycle, hidden }: Desired,
  kind: Kind,
  mark: Mark | undefined,
): RecordedObject {
  const defaults: string[] = [];
  const filled = withDefaults(kind.shape, fields, [], defaults);
  const sealed = mapHidden(kind.shape, filled, text => ({
    ...{ $secret: hidden?.sources.get(text) ?? '', $host: hostOf(text) },
    ...(mark && { $digest: mark(text) }),
  }));
  return {
    ...{ kind: name, key },
    ...(parent !== undefined && { parent }),
    // No hidden value is left, and all other secrets have been sources since the files were read.
    fields: sealed as ShownFields,
    ...(defaults.length > 0 && { defaults }),
    ...(Object.keys(lifecycle).length > 0 && { lifecycle }),
  };
}

/**
 * The declared object of a base. A default that is the same today counts as not declared, as it was; one that has changed
 * since is kept as a value.
 */
export function declaredObject(
  { kind: name, key, parent, fields, defaults = [], lifecycle = {} }: RecordedObject,
  kind: Kind,
  at: Span,
): Desired {
  return {
    ...{ kind: name, key },
    ...(parent !== undefined && { parent }),
    fields: withoutDefaults(kind.shape, fields, new Set(defaults)),
    ...{ lifecycle, at, spans: {} },
  };
}

function withDefaults(shape: ObjectShape, value: Fields, path: Path, marks: string[]): Fields {
  const dropped = unchosen(shape, value);
  const result: Record<string, Json> = {};
  for (const [name, item] of Object.entries(value))
    result[name] = filledValue(shapeAt(shape, [name]), item, [...path, name], marks);
  for (const field of shape.fields.values()) {
    const { name, default: preset } = field;
    if (field.readOnly || field.sentBack || dropped.has(name) || preset === undefined) continue;
    if (value[name] !== undefined && value[name] !== null) continue;
    result[name] = preset;
    marks.push(pointer([...path, name]));
  }
  return result;
}

function filledValue(shape: Shape | undefined, value: Json, path: Path, marks: string[]): Json {
  if (isSecret(value)) return value;
  if (shape?.type === 'object' && isObject(value)) return withDefaults(shape, value, path, marks);
  if (shape?.type === 'list' && isList(value))
    return value.map((item, i) => filledValue(shape.items, item, [...path, String(i)], marks));
  if (shape?.type === 'dict' && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        filledValue(shape.values, item, [...path, name], marks),
      ]),
    );
  return value;
}

function withoutDefaults(shape: ObjectShape, fields: Fields, marks: ReadonlySet<string>): Fields {
  const reduced = (value: Json, path: Path): Json => {
    if (isSecret(value)) return value;
    if (isList(value)) return value.map((item, i) => reduced(item, [...path, String(i)]));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name, item]) => !isSameDefault(item, [...path, name]))
        .map(([name, item]) => [name, reduced(item, [...path, name])]),
    );
  };
  const isSameDefault = (value: Json, path: Path): boolean => {
    const name = path.at(-1) ?? '';
    if (!marks.has(pointer(path))) return false;
    const home = path.length === 1 ? shape : shapeAt(shape, path.slice(0, -1));
    const preset = home?.type === 'object' ? home.fields.get(name)?.default : undefined;
    return isEqual(preset, value);
  };
  return reduced(fields, []) as Fields;
}
