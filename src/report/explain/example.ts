// Makes an example of a kind or of a field as a complete file, from the examples of the schemas. The file also declares every
// object that the example refers to.
import isEqual from 'fast-deep-equal';
import { stringify } from 'yaml';
import { mustBeDeclared, namingFields } from '../../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { present } from '../../model/errors.ts';
import { segmentsOf } from '../../model/key.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';

/**
 * The first example of the schema that has the field at `path`, as a file that validates. Its parents, and the objects that it
 * refers to, have only their required fields.
 */
export function exampleText(kind: Kind, kinds: KindTable, path: readonly string[] = []): string {
  const own = exampleWith(kind, path);
  const parents = parentNames(kind, kinds);
  const asked = { kind, names: [...parents, nameIn(kind, own)], fields: own };
  const file = fileOf(withReferents([...ancestorsOf(asked, kinds), asked], kinds));
  return stringify(file, { lineWidth: 100, aliasDuplicateObjects: false });
}

/** An object of an example. */
interface Example {
  readonly kind: Kind;
  /** The names of its parents, the outermost first, followed by its own name, which is empty for an object without a name. */
  readonly names: readonly string[];
  readonly fields: JsonObject;
}

// The objects with all objects that they refer to. Those may refer to further objects, so the list grows until each of its
// objects has been examined.
function withReferents(objects: readonly Example[], kinds: KindTable): readonly Example[] {
  const all = [...objects];
  for (const { kind, fields } of all) {
    for (const ref of refsIn(kind.shape, fields)) {
      const target = kinds.get(ref.kind);
      const names = target && mustBeDeclared(target, ref.key) && segmentsOf(ref.key, target.depth);
      if (!target || !names) continue;
      const referent = named(target, names);
      for (const one of [...ancestorsOf(referent, kinds), referent])
        if (!all.some(other => isSame(one, other))) all.push(one);
    }
  }
  return all;
}

const isSame = (a: Example, b: Example): boolean => a.kind === b.kind && isEqual(a.names, b.names);

function ancestorsOf({ kind, names }: Example, kinds: KindTable): readonly Example[] {
  if (kind.parent === undefined) return [];
  const parent = named(present(kinds.get(kind.parent), kind.parent), names.slice(0, -1));
  return [...ancestorsOf(parent, kinds), parent];
}

function parentNames({ parent: name }: Kind, kinds: KindTable): readonly string[] {
  if (name === undefined) return [];
  const parent = present(kinds.get(name), name);
  return [...parentNames(parent, kinds), nameIn(parent, exampleWith(parent, []))];
}

// The example with this name, or the first example under this name, with only the required fields.
function named(kind: Kind, names: readonly string[]): Example {
  const [field = ''] = namingFields(kind);
  const name = names.at(-1) ?? '';
  const found = examplesOf(kind).find(example => example[field] === name) ?? exampleWith(kind, []);
  const required = Object.entries({ ...found, [field]: name }).filter(
    ([one]) => one === field || kind.shape.fields.get(one)?.required,
  );
  return { kind, names, fields: Object.fromEntries(required) };
}

function nameIn(kind: Kind, fields: JsonObject): string {
  const [field = '', ...others] = namingFields(kind);
  const name = others.length === 0 ? fields[field] : undefined;
  return typeof name === 'string' ? name : '';
}

function fileOf(objects: readonly Example[]): JsonObject {
  return objects
    .filter(({ kind }) => kind.parent === undefined)
    .map(object => nested(object.kind.at.split('.'), withChildren(object, objects)))
    .reduce(merged, {});
}

function withChildren(object: Example, objects: readonly Example[]): JsonObject {
  return objects
    .filter(({ kind }) => kind.parent === object.kind.name)
    .filter(({ names }) => isEqual(names.slice(0, -1), object.names))
    .map(child => nested(child.kind.at.split('.').slice(-1), withChildren(child, objects)))
    .reduce(merged, object.fields);
}

function nested([step = '', ...rest]: readonly string[], value: JsonObject): JsonObject {
  const inner = rest.length === 0 ? value : nested(rest, value);
  return step.endsWith('[]') ? { [step.slice(0, -2)]: [inner] } : { [step]: inner };
}

// Joins two files: sections with the same name become one, and lists are joined.
function merged(a: JsonObject, b: JsonObject): JsonObject {
  const joined = Object.entries(b).map(([name, value]) => [name, joinedValue(a[name], value)]);
  return { ...a, ...Object.fromEntries(joined) };
}

function joinedValue(a: Json | undefined, b: Json): Json {
  if (isList(a) && isList(b)) return [...a, ...b];
  return isObject(a) && isObject(b) ? merged(a, b) : b;
}

// The first example that contains the field at `path`; if none does, because the server sets the field, the first example.
function exampleWith(kind: Kind, path: readonly string[]): JsonObject {
  const examples = examplesOf(kind);
  const found = examples.find(example => has(example, path)) ?? examples[0];
  return present(found, `an example of a ${kind.name}`);
}

const examplesOf = ({ schema: { examples } }: Kind): readonly JsonObject[] =>
  (isList(examples) ? examples : []).filter(isObject);

function has(value: Json | undefined, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return value !== undefined;
  if (isList(value)) return value.some(item => has(item, [step, ...rest]));
  return isObject(value) && has(value[step], rest);
}
