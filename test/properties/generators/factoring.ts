// The same objects written in fewer lines: a random factoring into templates, sets and `for_each`, over several files.
import { sectionsUnder } from '../../../src/kinds/identity/sections.ts';
import type { Kind } from '../../../src/kinds/kind.ts';
import { isList, isObject, type Json, type JsonObject } from '../../../src/model/value.ts';
import { KINDS } from '../../support/files.ts';
import type { RandomSource } from './randomSource.ts';

/** Files by name. JSON is YAML. */
export type Files = Readonly<Record<string, string>>;

interface Drawing {
  readonly random: RandomSource;
  readonly templates: JsonObject[];
  readonly sets: Record<string, Json>;
  /** The beginning of the names of templates and sets: layers share them. */
  readonly prefix: string;
  /** How many names of entries there are: an inner one needs another than the outer one. */
  names: number;
}

/** Files that declare what `file` does, which is one file without templates. `prefix`: the beginning of the names of its templates and sets. */
export function factored(file: JsonObject, random: RandomSource, prefix = ''): Files {
  const drawing: Drawing = { random, templates: [], sets: {}, prefix, names: 0 };
  const objects = inSections(file, undefined, drawing);
  const parts: JsonObject[] = [
    ...Object.entries(objects).map(([key, value]): JsonObject => ({ [key]: value })),
    ...random.shuffled(drawing.templates).map((one): JsonObject => ({ templates: [one] })),
    ...Object.entries(drawing.sets).map(([name, set]): JsonObject => ({ sets: { [name]: set } })),
  ];
  const files = new Map<string, JsonObject[]>();
  for (const part of random.shuffled(parts)) {
    const name = random.pick(['a.yaml', 'b.yaml', 'c.yaml']);
    files.set(name, [...(files.get(name) ?? []), part]);
  }
  const texts = [...files].map(([name, all]): [string, string] => [
    name,
    // Documents of one file, so that no key is there twice.
    all.map(part => JSON.stringify(part, null, 1)).join('\n---\n'),
  ]);
  return Object.fromEntries(texts);
}

function inSections(holder: JsonObject, parent: Kind | undefined, drawing: Drawing): JsonObject {
  const visit = (value: Json, sections: ReturnType<typeof sectionsUnder>): Json => {
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([key, item]): [string, Json] => {
      const section = sections.get(key);
      if (!section) return [key, item];
      const { kind, inside } = section;
      if (!kind) return [key, visit(item, inside)];
      return [key, isList(item) ? inList(item, kind, drawing) : oneObject(item, kind, drawing)];
    });
    return Object.fromEntries(entries);
  };
  return visit(holder, sectionsUnder(KINDS, parent?.name)) as JsonObject;
}

function inList(list: readonly Json[], kind: Kind, drawing: Drawing): Json[] {
  const { random } = drawing;
  const objects = list.map(item => oneObject(item, kind, drawing)).filter(isObject);
  const groups = Map.groupBy(objects, object => JSON.stringify(Object.keys(object).sort()));
  return [...groups.values()].flatMap(group =>
    random.chance(0.5) ? repeatedFor(group, drawing) : group,
  );
}

function oneObject(value: Json, kind: Kind, drawing: Drawing): Json {
  if (!isObject(value)) return value;
  const whole = inSections(value, kind, drawing);
  return drawing.random.chance(0.5) ? extending(whole, kind, drawing) : whole;
}

// A part of the fields comes from one template or two; what the object does not have is removed again.
function extending(object: JsonObject, kind: Kind, drawing: Drawing): JsonObject {
  const { random, templates, prefix } = drawing;
  const naming = new Set(kind.identity.flat().map(path => path.split('.')[0]));
  const own = new Map<string, Json>();
  const lower = new Map<string, Json>();
  const upper = new Map<string, Json>();
  for (const [key, value] of Object.entries(object)) {
    if (naming.has(key) || key === 'name' || key === 'lifecycle') own.set(key, value);
    else spread(key, value, [lower, upper, own], random);
  }
  if (random.chance(0.3)) {
    lower.set('nobody', { has: 'this' });
    (random.chance(0.5) ? upper : own).set('nobody', null);
  }
  const base = `${prefix}t${templates.length}`;
  const name = `${prefix}t${templates.length + 1}`;
  const isChain = random.chance(0.5);
  templates.push({ name: base, ...Object.fromEntries(lower) });
  templates.push({ name, ...(isChain && { extends: base }), ...Object.fromEntries(upper) });
  return { extends: isChain ? name : [base, name], ...Object.fromEntries(own) };
}

// The value is in one of the layers; those below it may have another one.
function spread(
  key: string,
  value: Json,
  layers: readonly Map<string, Json>[],
  random: RandomSource,
): void {
  const at = random.below(layers.length);
  if (isObject(value) && random.chance(0.5)) {
    for (const layer of layers) layer.set(key, {});
    for (const [inner, item] of Object.entries(value)) {
      const layer = layers[random.below(layers.length)];
      layer?.set(key, { ...(layer.get(key) as JsonObject), [inner]: item });
    }
    return;
  }
  layers[at]?.set(key, value);
  for (const layer of layers.slice(0, at))
    if (random.chance(0.3)) layer.set(key, random.pick<Json>([null, 'other', ['other']]));
}

// Each field is the same for all, or a whole reference to a value of the entry.
function repeatedFor(group: readonly JsonObject[], drawing: Drawing): readonly JsonObject[] {
  const { random, sets, prefix } = drawing;
  const [first = {}] = group;
  const isSame = (key: string): boolean =>
    group.every(one => JSON.stringify(one[key]) === JSON.stringify(first[key]));
  // Templates are merged before: what is merged or removed there cannot come from an entry.
  const isFixed = (key: string): boolean =>
    key === 'extends' ||
    group.some(
      one =>
        one[key] === null ||
        ('extends' in one && isObject(one[key])) ||
        /"(?:extends|for_each)"/.test(JSON.stringify(one[key])),
    );
  const keys = Object.keys(first);
  if (keys.some(key => isFixed(key) && !isSame(key))) return group;
  // What is inside, or comes from a template, may be repeated too.
  const isOuter = /"(?:extends|for_each)"/.test(JSON.stringify(group));
  const isNamed = isOuter || random.chance(0.5);
  const name = isNamed ? `entry${drawing.names++}` : 'each';
  const fields = keys.map((key): [string, Json] => {
    const isKept = isFixed(key) || (isSame(key) && random.chance(0.5));
    return [key, isKept ? (first[key] ?? null) : `\${${name}.value.${key}}`];
  });
  const entryOf = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).filter(([key]) => !isFixed(key)));
  const set = Object.fromEntries(group.map((one, i): [string, Json] => [`k${i}`, entryOf(one)]));
  const setName = `${prefix}s${Object.keys(sets).length}`;
  const isSet = random.chance(0.5);
  if (isSet) sets[setName] = set;
  const each = { for_each: isSet ? setName : set, ...(isNamed && { as: name }) };
  return [{ ...each, ...Object.fromEntries(fields) }];
}
