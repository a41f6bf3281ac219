// Handles fields that are inside other objects of a body. In the model, each of them is a separate field at the top of the
// object.
import type { Field, Kind } from '../kinds/kind.ts';
import { type Fields, isObject, type Json, type JsonObject, type Path } from '../model/value.ts';

/** A body in which the fields inside its objects are also at the top, with the id that the API takes. */
export function lifted({ layout, idField }: Kind, given: JsonObject): JsonObject {
  const id = idField === undefined ? undefined : given[idField];
  const body = id === undefined ? given : { ...given, id };
  if (layout === undefined) return body;
  const found = [...layout].flatMap(([name, path]) => {
    const value = valueAt(body, [...path, name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...body, ...Object.fromEntries(found) };
}

/** The declared fields of an update, and the object as it was read just before. */
interface Written {
  /** The encoded values of the declared fields. */
  readonly declared: Fields;
  readonly read: JsonObject;
}

/**
 * The body of an update. Nested objects are sent whole, as they were read, including unknown fields, because the server resets
 * missing ones. A nested object without declared fields is left out, unless it must be sent back.
 */
export function laidOut(kind: Kind, { declared, read }: Written): JsonObject {
  const { layout = new Map<string, Path>() } = kind;
  const roots = new Set([...layout.values()].map(([root = '']) => root));
  const isSent = (root: string): boolean =>
    kind.shape.fields.get(root)?.sentBack === true ||
    Object.keys(declared).some(name => layout.get(name)?.[0] === root);
  const body: JsonObject = Object.fromEntries(
    [...roots].filter(isSent).map(root => [root, read[root] ?? {}]),
  );
  return [...layout].reduce((whole, [name, path]) => {
    const field = kind.shape.fields.get(name);
    if (name in declared) return withValue(whole, [...path, name], declared[name]);
    return field && isLeftOut(kind, field, path)
      ? withValue(whole, [...path, name], undefined)
      : whole;
  }, body);
}

// Whether a field is left out. An object that is always sent back keeps omitted fields on the server; in any other object, the
// server resets them.
const isLeftOut = ({ shape }: Kind, { readOnly, notSent }: Field, [root = '']: Path): boolean =>
  readOnly || (notSent && shape.fields.get(root)?.sentBack === true);

/** The objects in the body of an update that the server stores separately: those that are sent only if declared. */
export function separateParts({ shape, layout }: Kind, body: JsonObject): readonly string[] {
  const roots = new Set([...(layout?.values() ?? [])].map(([root = '']) => root));
  return [...roots].filter(root => root in body && shape.fields.get(root)?.sentBack !== true);
}

function valueAt(value: Json | undefined, [step, ...rest]: Path): Json | undefined {
  if (step === undefined) return value;
  return isObject(value) ? valueAt(value[step], rest) : undefined;
}

// The same object with another value at a path, or without that value. Leaving out a value creates no parent objects.
function withValue(
  object: JsonObject,
  [step = '', ...rest]: Path,
  value: Json | undefined,
): JsonObject {
  const { [step]: inner, ...others } = object;
  if (rest.length === 0) return value === undefined ? others : { ...object, [step]: value };
  if (value === undefined && !isObject(inner)) return object;
  return { ...object, [step]: withValue(isObject(inner) ? inner : {}, rest, value) };
}
