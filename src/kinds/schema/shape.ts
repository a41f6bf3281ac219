// JSON Schema with traits → the tree of shapes. Knows the subset of JSON Schema that kinds are written in.
import { InvariantError } from '../../model/errors.ts';
import { type KindName, kindName } from '../../model/names.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import type { ChoiceShape, EvictionLog, Field, ListShape, ObjectShape, Shape } from '../kind.ts';
import type { CheckName, Dialect, NormaliserName, TransformName } from '../traits.ts';

/** A field's `x-trait`, as the meta-schema in `traits.ts` admits it. */
interface Trait {
  readonly ref?: string | { keys: string } | { oneOf: Record<string, WireType> };
  readonly set?: true | { by: string | string[]; single?: Dialect[] };
  readonly shared?: boolean;
  readonly grows?: boolean;
  readonly evictions?: EvictionLog;
  readonly carries?: { kind: string; by: string; into: string };
  readonly endsLogins?: { kind: string; by: string };
  readonly inverse?: string;
  readonly mirrors?: string;
  readonly echo?: boolean;
  readonly immutable?: boolean;
  readonly updateOnly?: 'never-sent' | 'maybe-ignored';
  readonly inputOnly?: boolean;
  readonly allocated?: boolean;
  readonly needs?: string;
  readonly dialects?: Dialect[];
  readonly limits?: Field['limits'];
  readonly sentEmpty?: boolean;
  readonly secret?: boolean | 'masked';
  readonly oneWay?: boolean;
  readonly normalise?: NormaliserName;
  readonly printed?: 'host';
  readonly transform?: TransformName;
  readonly check?: CheckName;
}
type WireType = { type?: string; typeOf?: string };

/** The shape of an object schema; `root` is the file that its `$ref`s point into. */
export function objectShape(schema: JsonObject, root: JsonObject): ObjectShape {
  const required = new Set(isList(schema.required) ? schema.required : []);
  const fields = new Map<string, Field>();
  for (const [name, raw] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    fields.set(name, fieldOf(name, resolve(raw, root), root, required.has(name)));
  }
  const { check } = traitOf(schema);
  return { type: 'object', fields, exclusive: exclusiveGroups(schema), ...(check && { check }) };
}

function fieldOf(name: string, schema: JsonObject, root: JsonObject, required: boolean): Field {
  const trait = traitOf(schema);
  return {
    name,
    shape: shapeOf(schema, root, undefined),
    description: typeof schema.description === 'string' ? schema.description : '',
    required,
    ...(schema.default !== undefined && { default: schema.default }),
    readOnly: schema.readOnly === true,
    writeOnly: schema.writeOnly === true,
    immutable: trait.immutable === true,
    oneWay: trait.oneWay === true,
    inputOnly: trait.inputOnly === true,
    allocated: trait.allocated === true,
    ...(trait.needs !== undefined && { needs: trait.needs }),
    ...(trait.dialects && { dialects: trait.dialects }),
    ...(trait.limits && { limits: trait.limits }),
    sentEmpty: trait.sentEmpty === true,
    ...(trait.updateOnly && { updateOnly: trait.updateOnly }),
    shared: trait.shared === true,
    grows: trait.grows === true,
    ...(trait.evictions && { evictions: trait.evictions }),
    ...(trait.carries && { carries: { ...trait.carries, kind: kindName(trait.carries.kind) } }),
    ...(trait.endsLogins && {
      endsLogins: { ...trait.endsLogins, kind: kindName(trait.endsLogins.kind) },
    }),
    ...(trait.inverse && { inverse: trait.inverse }),
    ...(trait.mirrors && { mirrors: trait.mirrors }),
    echo: trait.echo === true,
    ...(trait.transform && { transform: trait.transform }),
    schema,
  };
}

function shapeOf(schema: JsonObject, root: JsonObject, inherited: KindName | undefined): Shape {
  const trait = traitOf(schema);
  if (typeof trait.ref === 'object' && 'oneOf' in trait.ref) return choiceShape(trait.ref.oneOf);
  const ref = typeof trait.ref === 'string' ? kindName(trait.ref) : inherited;
  switch (typeName(schema)) {
    case 'array':
      return listShape(shapeOf(resolve(schema.items, root), root, ref), trait.set);
    case 'object':
      if (!isObject(schema.additionalProperties)) return objectShape(schema, root);
      return {
        type: 'dict',
        values: shapeOf(resolve(schema.additionalProperties, root), root, undefined),
        ...(typeof trait.ref === 'object' &&
          'keys' in trait.ref && { keyRef: kindName(trait.ref.keys) }),
      };
    default:
      return {
        type: 'scalar',
        json: typeName(schema) as 'string' | 'integer' | 'number' | 'boolean',
        ...(ref && { ref }),
        ...(trait.normalise && { normalise: trait.normalise }),
        ...(trait.printed && { printed: trait.printed }),
        secret: trait.secret === true,
        masked: trait.secret === 'masked',
      };
  }
}

function listShape(items: Shape, set: Trait['set']): ListShape {
  if (set === undefined) return { type: 'list', items, set: false };
  if (set === true) return { type: 'list', items, set: { single: [] } };
  const by = [set.by].flat();
  const unknown = by.find(name => items.type !== 'object' || !items.fields.has(name));
  if (unknown !== undefined)
    throw new InvariantError(`the items of a list are told apart by a field they lack: ${unknown}`);
  return { type: 'list', items, set: { by, single: set.single ?? [] } };
}

function choiceShape(cases: Record<string, WireType>): ChoiceShape {
  return {
    type: 'choice',
    cases: new Map(Object.entries(cases).map(([k, v]) => [kindName(k), v])),
  };
}

// A ref to a nested kind may be written as text or as a list of names: its schema then has alternatives, all of them one scalar.
function typeName(schema: JsonObject): string {
  if (typeof schema.type === 'string') return schema.type;
  if (isList(schema.enum) || isList(schema.anyOf)) return 'string';
  throw new InvariantError(`a schema of a kind has no type: ${JSON.stringify(schema)}`);
}

// `oneOf: [{required: [a]}, {required: [b]}]`, alone or within `allOf`, is how JSON Schema says "exactly one of a and b".
function exclusiveGroups(schema: JsonObject): string[][] {
  const holders = [schema, ...(isList(schema.allOf) ? schema.allOf.filter(isObject) : [])];
  return holders
    .map(holder => (isList(holder.oneOf) ? holder.oneOf.filter(isObject) : []))
    .map(variants =>
      variants.flatMap(variant => (isList(variant.required) ? variant.required : [])),
    )
    .filter((names): names is string[] => names.length > 1);
}

const traitOf = (schema: JsonObject): Trait => (schema['x-trait'] ?? {}) as Trait;

function resolve(schema: Json | undefined, root: JsonObject): JsonObject {
  if (!isObject(schema)) throw new InvariantError('a schema of a kind has an empty place');
  if (typeof schema.$ref !== 'string') return schema;
  const { $ref, ...siblings } = schema;
  const target = $ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<Json | undefined>((at, step) => (isObject(at) ? at[step] : undefined), root);
  return { ...resolve(target, root), ...siblings };
}
