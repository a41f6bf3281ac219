// Turns JSON Schema with traits into the tree of shapes. Supports the subset of JSON Schema that the schemas of kinds use.
import { InvariantError } from '../../model/errors.ts';
import { type KindName, kindName } from '../../model/names.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import type { ChoiceShape, Field, ListShape, ObjectShape, Shape } from '../kind.ts';
import type { FieldTrait } from '../language/fieldWords.ts';
import { DIALECTS } from '../traits.ts';

/** The shape of an object schema; `root` is the file to which its `$ref`s refer. */
export function objectShape(schema: JsonObject, root: JsonObject): ObjectShape {
  const required = new Set(isList(schema.required) ? schema.required : []);
  const fields = new Map<string, Field>();
  for (const [name, raw] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    fields.set(name, fieldOf(name, resolve(raw, root), root, required.has(name)));
  }
  const { check, secret, whenOmitted } = traitOf(schema);
  return {
    type: 'object',
    fields,
    exclusive: exclusiveGroups(schema),
    ...(check && { check }),
    ...(whenOmitted === 'kept-inside' && { keepsInside: true }),
    ...(typeof secret === 'object' && { lock: secret }),
  };
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
    immutable: trait.mutability === 'immutable',
    irreversible: trait.mutability === 'irreversible',
    inputOnly: trait.inputOnly === true,
    serverAssigned: trait.whenOmitted === 'server-assigned',
    ...(typeof trait.mutability === 'object' && { changeRequires: trait.mutability.requires }),
    ...dialectLimits(trait),
    notSent: trait.whenOmitted === 'not-sent',
    withoutGone: trait.whenOmitted === 'without-gone',
    sentEmpty: trait.whenOmitted === 'sent-empty',
    ...(trait.updateOnly && { updateOnly: trait.updateOnly }),
    shared: trait.shared !== undefined,
    ...(trait.ends && { ends: trait.ends }),
    keepsProvided: trait.keepsProvided === true,
    addOnly: trait.mutability === 'addOnly',
    ...(trait.inverse?.written === 'here' && { inverse: trait.inverse.field }),
    ...(trait.inverse?.written === 'there' && { writtenAs: trait.inverse.field }),
    sentBack: trait.sentBack === true,
    ...(trait.sentTo && sentTo(trait.sentTo)),
    ...(trait.transform && { transform: trait.transform }),
    schema,
  };
}

function sentTo(said: NonNullable<FieldTrait['sentTo']>): Pick<Field, 'sentTo' | 'sentHow'> {
  if (typeof said === 'string' || 'length' in said) return { sentTo: [said].flat() };
  const { to, ...how } = said;
  return { sentTo: to, sentHow: how };
}

// The dialects that have the field, and the range of numbers in each dialect.
function dialectLimits({ dialects = {} }: FieldTrait): Pick<Field, 'dialects' | 'limits'> {
  const having = DIALECTS.filter(dialect => dialects[dialect] !== false);
  const limits = DIALECTS.flatMap(dialect => {
    const { minimum, maximum } = dialects[dialect] || {};
    const limit = {
      ...(minimum !== undefined && { minimum }),
      ...(maximum !== undefined && { maximum }),
    };
    return Object.keys(limit).length > 0 ? [[dialect, limit] as const] : [];
  });
  return {
    ...(having.length < DIALECTS.length && { dialects: having }),
    ...(limits.length > 0 && { limits: Object.fromEntries(limits) }),
  };
}

function shapeOf(schema: JsonObject, root: JsonObject, inherited: KindName | undefined): Shape {
  const trait = traitOf(schema);
  if (typeof trait.ref === 'object' && 'oneOf' in trait.ref) return choiceShape(trait.ref);
  const ref = typeof trait.ref === 'string' ? kindName(trait.ref) : inherited;
  switch (typeName(schema)) {
    case 'array':
      return listShape(shapeOf(resolve(schema.items, root), root, ref), trait);
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
        ...(trait.secret === 'url' && { shownAs: 'host' as const }),
        ...(trait.secret === 'shown' && { shownAs: 'whole' as const }),
        secret: trait.secret === true,
        masked: trait.secret === 'masked' || trait.secret === 'shown',
      };
  }
}

function listShape(items: Shape, { set, dialects = {} }: FieldTrait): ListShape {
  if (set === undefined) return { type: 'list', items, set: false };
  const singleIn = DIALECTS.filter(
    dialect => dialects[dialect] && dialects[dialect].maxItems === 1,
  );
  if (set === true) return { type: 'list', items, set: { singleIn } };
  const by = [set.by].flat();
  const unknown = by.find(name => items.type !== 'object' || !items.fields.has(name));
  if (unknown !== undefined)
    throw new InvariantError(
      `the items of a list are identified by a field that they lack: ${unknown}`,
    );
  return { type: 'list', items, set: { by, singleIn } };
}

type Pointer = Extract<NonNullable<FieldTrait['ref']>, { readonly oneOf: unknown }>;

function choiceShape({ oneOf, at }: Pointer): ChoiceShape {
  return {
    type: 'choice',
    cases: new Map(Object.entries(oneOf).map(([k, v]) => [kindName(k), v ?? {}])),
    ...(at && { at }),
  };
}

// The JSON type of a schema. The schema of a reference to a nested kind has alternatives, a text or a list of names, which become
// one scalar.
function typeName(schema: JsonObject): string {
  if (typeof schema.type === 'string') return schema.type;
  if (isList(schema.enum) || isList(schema.anyOf)) return 'string';
  throw new InvariantError(`a schema of a kind has no type: ${JSON.stringify(schema)}`);
}

// The groups of fields of which exactly one is present, from `oneOf: [{required: [a]}, {required: [b]}]` in JSON Schema, alone or
// inside `allOf`.
function exclusiveGroups(schema: JsonObject): string[][] {
  const holders = [schema, ...(isList(schema.allOf) ? schema.allOf.filter(isObject) : [])];
  return holders
    .map(holder => (isList(holder.oneOf) ? holder.oneOf.filter(isObject) : []))
    .map(variants =>
      variants.flatMap(variant => (isList(variant.required) ? variant.required : [])),
    )
    .filter((names): names is string[] => names.length > 1);
}

const traitOf = (schema: JsonObject): FieldTrait => (schema['x-trait'] ?? {}) as FieldTrait;

function resolve(schema: Json | undefined, root: JsonObject): JsonObject {
  if (!isObject(schema))
    throw new InvariantError('a schema of a kind has a value in place of a schema');
  if (typeof schema.$ref !== 'string') return schema;
  const { $ref, ...siblings } = schema;
  const target = $ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<Json | undefined>((at, step) => (isObject(at) ? at[step] : undefined), root);
  return { ...resolve(target, root), ...siblings };
}
