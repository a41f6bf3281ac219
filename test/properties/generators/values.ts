// Values that a kind's schema admits, generated from the schema itself: no kind is known here by name.
import type {
  ChoiceShape,
  DictShape,
  Kind,
  ListShape,
  ObjectShape,
  ScalarShape,
  Shape,
} from '../../../src/kinds/kind.ts';
import { ruleFault } from '../../../src/kinds/schema/fieldRules.ts';
import { FORMATS } from '../../../src/kinds/schema/formats.ts';
import { schemaCompiler } from '../../../src/kinds/schema/keywords.ts';
import type { Dialect } from '../../../src/kinds/traits.ts';
import { keyFields } from '../../../src/kinds/values/items.ts';
import type { KindName } from '../../../src/model/names.ts';
import { secretFrom } from '../../../src/model/secrets/secret.ts';
import {
  type Fields,
  isList,
  isObject,
  type Json,
  type JsonObject,
} from '../../../src/model/value.ts';
import type { RandomSource } from './randomSource.ts';
import { coherentService } from './services.ts';

/** What values may be generated from. */
export interface Source {
  readonly random: RandomSource;
  readonly dialect: Dialect;
  /** Whether lists of which the server keeps one item an object may have several: what is generated is declared, and not sent as it is. */
  readonly isDeclared?: boolean;
  /** The keys that a pointer to a kind may hold. */
  readonly keys: (kind: KindName) => readonly string[];
  /** Whether a network resource is a whole network, if its address is known. */
  readonly isSubnet?: (key: string) => boolean | undefined;
}

/** Thrown where nothing can be generated: a pointer to a kind of which there is no object. */
class NothingToDraw extends Error {}

/** Where a secret of a generated object comes from. */
export const SECRET = 'HOOK_SECRET';

/** Texts without a rule of their own; event codes, because one field takes no others and its schema does not say so. */
const WORDS: Readonly<Record<Dialect, readonly string[]>> = {
  spec: ['user.join', 'peer.user.add', 'group.add', 'policy.update', 'route.delete'],
  netbird: ['user.join', 'service.user.create', 'peer.add', 'peer.pending.approval'],
};

/** Texts for those that have a rule: the rule picks. Some mean the same, written in another way. */
const TEXTS = [
  '10.0.0.0/16',
  '10.1.0.0/24',
  '192.168.4.0/22',
  '2001:db8::/32',
  '10.20.0.5',
  '10.20.0.5/32',
  '2001:DB8:0::1',
  '2001:db8::1/128',
  '10.0.0.7/24',
  'db.example.com',
  '*.apps.example.com',
  'Shop.Example.com',
  'xn--bcher-kva.example',
  'bücher.example',
  '443',
  '0443',
  '22',
  '8080',
  '0.30.0',
  '1.2',
  '/shop',
  '30s',
  '90s',
  '1.5h',
  'X-Drawn',
  'ops@example.com',
  'net@example.com',
  'https://hooks.example.com/a',
  'https://hooks.example.com/b',
  'NL',
  'DE',
  'PL',
] as const;

/** The fields of one object, valid against its kind; null where a pointer it must have has nothing to point at. */
export function drawFields(kind: Kind, fixed: Fields, source: Source): Fields | null {
  try {
    const generated = drawObject(kind.shape, kind.schema, { kind, source, fixed, forbidden: {} });
    const taken = takenIn(kind, generated, source.dialect);
    return kind.identitySuffix
      ? coherentService(kind, taken, { ...source, secret: SECRET })
      : taken;
  } catch (error) {
    if (error instanceof NothingToDraw) return null;
    throw error;
  }
}

// Within what servers of the dialect take.
function takenIn({ shape }: Kind, generated: Fields, dialect: Dialect): Fields {
  const entries = Object.entries(generated).flatMap(([name, value]): [string, Json][] => {
    const { dialects, limits } = shape.fields.get(name) ?? {};
    if (dialects?.includes(dialect) === false) return [];
    const { minimum = -Infinity, maximum = Infinity } = limits?.[dialect] ?? {};
    const isNumber = typeof value === 'number';
    return [[name, isNumber ? Math.max(minimum, Math.min(maximum, value)) : value]];
  });
  return Object.fromEntries(entries);
}

interface Drawing {
  readonly kind: Kind;
  readonly source: Source;
  /** Fields whose values are given. */
  readonly fixed: Fields;
  /** Fields that may not be there, and inside which fields some may not be there. */
  readonly forbidden: Forbidden;
}
interface Forbidden {
  readonly [field: string]: true | Forbidden;
}

function drawObject(shape: ObjectShape, schema: JsonObject, drawing: Drawing): Fields {
  const { random } = drawing.source;
  const properties = isObject(schema.properties) ? schema.properties : {};
  const value: Record<string, Json> = { ...drawing.fixed };
  const needed = needs(shape, schema, drawing);
  for (const field of shape.fields.values()) {
    if (field.readOnly || field.sentBack || field.name in value) continue;
    const forbidden = { ...drawing.forbidden, ...forbiddenBy(schema, value) }[field.name];
    const isNeeded =
      field.required ||
      needed.has(field.name) ||
      requiredBy(schema, value, drawing).has(field.name);
    const isExcluded = shape.exclusive.flat().includes(field.name) && !needed.has(field.name);
    if (forbidden === true || isExcluded || (!isNeeded && !random.chance(0.5))) continue;
    const inner = { ...drawing, fixed: {}, forbidden: forbidden ?? {} };
    const generated = attempt(() =>
      drawValue(
        field.shape,
        { ...resolve(properties[field.name], drawing), ...narrowedBy(schema, value, field.name) },
        inner,
      ),
    );
    if (generated !== undefined) value[field.name] = generated;
    else if (isNeeded) throw new NothingToDraw(field.name);
  }
  const atLeast = Number(schema.minProperties ?? 0);
  if (Object.keys(value).length < atLeast)
    return { ...value, ...oneMore(shape, properties, drawing) };
  if (shape.check && ruleFault(shape.check, value) !== undefined)
    return drawObject(shape, schema, drawing);
  return value;
}

// Of fields that exclude each other one is there: the first that can be generated, in a random order.
function needs(shape: ObjectShape, schema: JsonObject, drawing: Drawing): ReadonlySet<string> {
  const properties = isObject(schema.properties) ? schema.properties : {};
  return new Set(
    shape.exclusive.flatMap(names => {
      const isOpen = (name: string) => drawing.forbidden[name] !== true;
      const canBe = (name: string) => {
        const inner = shape.fields.get(name)?.shape;
        const probe = { ...drawing, fixed: {}, forbidden: {} };
        return (
          inner &&
          attempt(() => drawValue(inner, resolve(properties[name], drawing), probe)) !== undefined
        );
      };
      return drawing.source.random.shuffled(names).filter(isOpen).find(canBe) ?? [];
    }),
  );
}

function oneMore(shape: ObjectShape, properties: JsonObject, drawing: Drawing): Fields {
  const open = [...shape.fields.values()].filter(
    ({ name }) => drawing.forbidden[name] === undefined,
  );
  const [field] = drawing.source.random.some(open, 1);
  if (!field) throw new NothingToDraw('a field');
  const inner = { ...drawing, fixed: {} };
  return { [field.name]: drawValue(field.shape, resolve(properties[field.name], drawing), inner) };
}

function drawValue(shape: Shape, schema: JsonObject, drawing: Drawing): Json {
  switch (shape.type) {
    case 'scalar':
      return drawScalar(shape, schema, drawing.source);
    case 'choice':
      return drawChoice(shape, drawing.source);
    case 'list':
      return drawList(shape, schema, drawing);
    case 'dict':
      return drawDict(shape, schema, drawing);
    case 'object':
      return drawObject(shape, schema, drawing);
  }
}

function drawScalar(shape: ScalarShape, schema: JsonObject, source: Source): Json {
  const { random, keys } = source;
  if (shape.secret) return secretFrom(`\${env:${SECRET}}`);
  if (shape.ref)
    return among(
      random,
      keys(shape.ref).filter(key => !isExcluded(schema, key)),
    );
  if (isList(schema.enum)) return among(random, schema.enum);
  if (shape.json === 'boolean') return random.chance(0.5);
  if (shape.json !== 'string') {
    const least = Number(schema.minimum ?? 0);
    const most = Number(schema.maximum ?? least + 99);
    // Ports: a server has only so many of them to give.
    if (most - least > 60_000) return among(random, [least, least + 7, least + 15]);
    return among(random, [least, Math.floor((least + most) / 2), most]);
  }
  const { format, pattern } = schema;
  if (format === undefined && pattern === undefined) return among(random, WORDS[source.dialect]);
  const holds = (text: string) =>
    (format === undefined || FORMATS[String(format)]?.holds(text)) &&
    (pattern === undefined || new RegExp(String(pattern)).test(text));
  return among(random, TEXTS.filter(holds));
}

const isExcluded = ({ not }: JsonObject, value: Json): boolean =>
  isObject(not) && not.const === value;

function drawChoice({ cases }: ChoiceShape, { random, keys }: Source): Json {
  const kinds = [...cases.keys()].filter(kind => keys(kind).length > 0);
  const kind = among(random, kinds);
  return { [kind]: among(random, keys(kind)) };
}

function drawList(shape: ListShape, schema: JsonObject, drawing: Drawing): Json {
  const { random, dialect, isDeclared = false } = drawing.source;
  const items = resolve(schema.items, drawing);
  const isSingle = !isDeclared && shape.set !== false && shape.set.singleIn.includes(dialect);
  const most = isSingle ? 1 : Math.min(3, Number(schema.maxItems ?? 3));
  const least = Number(schema.minItems ?? 0);
  const count = least + random.below(most - least + 1);
  // Every shipped list of objects is keyed by one field.
  const [by] = keyFields(shape) ?? [];
  const names =
    by === undefined ? [] : random.some(namesOf(shape.items, by, drawing.source), count);
  const inner = { ...drawing, forbidden: {} };
  if (by !== undefined && shape.items.type === 'object') {
    const { items: itemShape } = shape;
    if (isToldByPointer(shape.items, keyFields(shape) ?? []))
      return Array.from({ length: count }, () =>
        drawObject(itemShape, items, { ...inner, fixed: {} }),
      );
    return names.map(name => drawObject(itemShape, items, { ...inner, fixed: { [by]: name } }));
  }
  const members = Array.from({ length: count }, () =>
    drawValue(shape.items, items, { ...inner, fixed: {} }),
  );
  const byText = new Map(members.map(member => [JSON.stringify(member), member]));
  return [...byText.values()];
}

// Members that a pointer tells apart, along with something else.
function isToldByPointer(items: Shape, by: readonly string[]): boolean {
  const fields = items.type === 'object' ? items.fields : undefined;
  return by.some(name => fields?.get(name)?.shape.type === 'choice');
}

// What tells members apart is a name, or a pointer.
function namesOf(items: Shape, by: string, { keys, dialect }: Source): readonly string[] {
  const shape = items.type === 'object' ? items.fields.get(by)?.shape : undefined;
  return shape?.type === 'scalar' && shape.ref ? keys(shape.ref) : WORDS[dialect];
}

// A map by pointers has them all: a server may want an entry for every object that a field beside it names.
function drawDict(shape: DictShape, schema: JsonObject, drawing: Drawing): Json {
  const { random, keys, dialect } = drawing.source;
  const names = shape.keyRef ? keys(shape.keyRef) : random.some(WORDS[dialect], random.below(3));
  const values = resolve(schema.additionalProperties, drawing);
  const inner = { ...drawing, fixed: {}, forbidden: {} };
  return Object.fromEntries(names.map(name => [name, drawValue(shape.values, values, inner)]));
}

const compiler = schemaCompiler();
const conditions = new WeakMap<object, (value: Fields) => boolean>();

// `if … then …` of the schema, as far as what is generated so far decides it: fields that must then be empty or missing.
function forbiddenBy(schema: JsonObject, value: Fields): Forbidden {
  return Object.assign({}, ...branchesOf(schema, value).map(forbiddenIn));
}

// And fields that must then be there. Of an object that is always there, a field that must have entries, or one of a few values, is
// declared too: without a declaration, it counts as the account has it.
function requiredBy(
  schema: JsonObject,
  value: Fields,
  { kind }: Pick<Drawing, 'kind'>,
): ReadonlySet<Json> {
  const isAlwaysThere = kind.identity.length === 0;
  return new Set(
    branchesOf(schema, value).flatMap(branch => [
      ...(isList(branch.required) ? branch.required : []),
      ...(isAlwaysThere ? narrowedFields(branch) : []),
    ]),
  );
}

/** The fields that a branch of a rule wants to have entries or one of a few values. */
export function narrowedFields({ properties }: JsonObject): readonly string[] {
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, rule]) =>
    isObject(rule) && (rule.minItems !== undefined || rule.enum !== undefined) ? [name] : [],
  );
}

const NARROWING: readonly string[] = ['minItems', 'format', 'pattern', 'enum'];

// And what values a field must then have.
function narrowedBy(schema: JsonObject, value: Fields, name: string): JsonObject {
  const rules = branchesOf(schema, value).map(({ properties }) =>
    isObject(properties) ? properties[name] : undefined,
  );
  const said = rules.filter(isObject).flatMap(rule => Object.entries(rule));
  return Object.fromEntries(said.filter(([keyword]) => NARROWING.includes(keyword)));
}

function branchesOf(schema: JsonObject, value: Fields): JsonObject[] {
  const rules = isList(schema.allOf) ? schema.allOf.filter(isObject) : [];
  return rules
    .flatMap(rule => (isObject(rule.if) ? [holds(rule.if, value) ? rule.then : rule.else] : []))
    .filter(isObject);
}

function holds(condition: JsonObject, value: Fields): boolean {
  const known = conditions.get(condition) ?? compiler.compile(condition);
  conditions.set(condition, known as (value: Fields) => boolean);
  return known(value) === true;
}

function forbiddenIn(branch: JsonObject): Forbidden {
  const properties = isObject(branch.properties) ? Object.entries(branch.properties) : [];
  return Object.fromEntries(
    properties.flatMap(([name, rule]): [string, true | Forbidden][] => {
      if (!isObject(rule)) return [];
      const isOut =
        rule.not !== undefined ||
        rule.const !== undefined ||
        rule.maxItems === 0 ||
        rule.maxProperties === 0;
      return [[name, isOut ? true : forbiddenIn(rule)]];
    }),
  );
}

function resolve(schema: Json | undefined, { kind }: Drawing): JsonObject {
  const found = isObject(schema) ? schema : {};
  if (typeof found.$ref !== 'string') return found;
  const definitions = isObject(kind.schema.$defs) ? kind.schema.$defs : {};
  return resolve(definitions[found.$ref.replace('#/$defs/', '')], { kind } as Drawing);
}

function attempt<T>(draw: () => T): T | undefined {
  try {
    return draw();
  } catch (error) {
    if (error instanceof NothingToDraw) return undefined;
    throw error;
  }
}

function among<T>(random: RandomSource, choices: readonly T[]): T {
  const [first, ...rest] = choices;
  if (first === undefined) throw new NothingToDraw();
  return random.pick([first, ...rest]);
}
