// A kind and the contract are two readings of one specification: what of the one does not fit the other.
import type { Field, ObjectShape, ScalarShape, Shape } from '../../../src/kinds/kind.ts';
import { isList, isObject, type Json, type JsonObject } from '../../../src/model/value.ts';

/** A schema of the contract, with everything that it points at in reach. */
export interface ContractSchema {
  readonly schema: JsonObject;
  readonly document: JsonObject;
}

/** Whether what is wrong is looked for in a create or in an update. */
export interface Reading {
  /** Whether a field is sent at all. */
  readonly isSent: (field: Field) => boolean;
  /** Whether it is sent although no file declares it. */
  readonly isAlwaysSent: (field: Field) => boolean;
  /** Whether fields of the contract may be another kind’s. */
  readonly isOthers: boolean;
}

/** The schema at a JSON pointer of the contract's document. */
export function schemaAt(document: JsonObject, pointer: string): ContractSchema {
  const steps = pointer.split('/').slice(1);
  const found = steps.reduce<Json | undefined>((at, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const here = isObject(at) ? resolved(at, document) : at;
    return isList(here) ? here[Number(name)] : isObject(here) ? here[name] : undefined;
  }, document);
  return { schema: resolved(found, document), document };
}

/** The fields of an object schema, those of its parts and alternatives included. */
export function fieldsOf({ schema, document }: ContractSchema): Map<string, ContractSchema> {
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap(name => listOf(schema[name]));
  const own = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  return new Map([
    ...parts.flatMap(part => [...fieldsOf({ schema: resolved(part, document), document })]),
    ...own.map(([name, field]) => [name, { schema: resolved(field, document), document }] as const),
  ]);
}

/** The fields that an object schema demands; those of alternatives are not demanded. */
export function demandedBy({ schema, document }: ContractSchema): Set<string> {
  const own = new Set(listOf(schema.required).map(String));
  const parts = listOf(schema.allOf).map(part =>
    demandedBy({ schema: resolved(part, document), document }),
  );
  return parts.reduce((all, part) => all.union(part), own);
}

/** In what the fields of an object differ from the contract's: by path, in sentences. */
export function disagreements(
  shape: ObjectShape,
  contract: ContractSchema,
  reading: Reading,
  path = '',
): string[] {
  const known = fieldsOf(contract);
  const sent = [...shape.fields.values()].filter(field => reading.isSent(field) || field.sentBack);
  const beside = new Set([...shape.fields.values()].flatMap(pointerFields));
  const isPlaced = (name: string) => shape.fields.has(name) || beside.has(name);
  const unknown = sent.filter(field => !known.has(field.name) && pointerFields(field).length === 0);
  const unused = [...known].filter(
    ([name, { schema }]) =>
      !isPlaced(name) && !reading.isOthers && schema.description !== 'Ignored.',
  );
  const missing = [...demandedBy(contract)].filter(name => {
    const field = shape.fields.get(name);
    if (beside.has(name)) return false;
    return !isAlwaysSent(field) && !(field && reading.isAlwaysSent(field));
  });
  return [
    ...unknown.map(({ name }) => `${path}/${name} is not in the contract`),
    ...unused.map(([name]) => `${path}/${name} is not in the kind`),
    ...missing.map(name => `${path}/${name} is demanded, and not always sent`),
    ...sent.flatMap(field => {
      const inner = known.get(field.name);
      return inner && !field.sentBack
        ? misfits(
            field.shape,
            { ...field.schema, ...field.limits?.spec },
            inner,
            reading,
            `${path}/${field.name}`,
          )
        : [];
    }),
  ];
}

// A pointer may be in two fields beside the others.
const pointerFields = ({ shape }: Field): readonly string[] =>
  shape.type === 'choice' && shape.at ? Object.values(shape.at) : [];

const isAlwaysSent = (field: Field | undefined): boolean =>
  field !== undefined && (field.required || field.default !== undefined || field.sentEmpty);

function misfits(
  shape: Shape,
  own: JsonObject,
  contract: ContractSchema,
  reading: Reading,
  path: string,
): string[] {
  const { schema, document } = contract;
  const expected =
    shape.type === 'scalar' ? shape.json : shape.type === 'list' ? 'array' : 'object';
  if (schema.type !== expected) return [`${path} is ${expected}, in the contract ${schema.type}`];
  switch (shape.type) {
    case 'scalar':
      return looser(shape, own, schema, path);
    case 'choice':
      return disagreementOfNames(['id', 'type'], contract, path);
    case 'list': {
      const items = { schema: resolved(schema.items, document), document };
      const ownItems = isObject(own.items) ? own.items : {};
      return [
        ...limits(own, schema, path),
        ...misfits(shape.items, ownItems, items, reading, `${path}/*`),
      ];
    }
    case 'dict': {
      const values = { schema: resolved(schema.additionalProperties, document), document };
      return misfits(shape.values, {}, values, reading, `${path}/*`);
    }
    case 'object':
      return disagreements(shape, contract, reading, path);
  }
}

function disagreementOfNames(names: string[], contract: ContractSchema, path: string): string[] {
  const known = [...fieldsOf(contract).keys()].sort();
  return known.join() === names.join() ? [] : [`${path} has ${names}, in the contract ${known}`];
}

// A value that the kind admits must not be one that the contract refuses.
function looser(shape: ScalarShape, own: JsonObject, schema: JsonObject, path: string): string[] {
  if (shape.ref || shape.secret || !isList(schema.enum)) return limits(own, schema, path);
  const { enum: allowed } = schema;
  const strange = listOf(own.enum).filter(value => !allowed.includes(value));
  if (!isList(own.enum)) return [`${path} may be any text, in the contract only ${allowed}`];
  return strange.map(value => `${path} may be ${value}, in the contract it may not`);
}

const LEAST = ['minimum', 'minLength', 'minItems'];
const MOST = ['maximum', 'maxLength', 'maxItems'];

function limits(own: JsonObject, schema: JsonObject, path: string): string[] {
  const broken = (name: string, isWider: (ours: number, theirs: number) => boolean) =>
    schema[name] !== undefined &&
    (own[name] === undefined || isWider(Number(own[name]), Number(schema[name])));
  return [
    ...LEAST.filter(name => broken(name, (ours, theirs) => ours < theirs)),
    ...MOST.filter(name => broken(name, (ours, theirs) => ours > theirs)),
  ].map(name => `${path} has a wider ${name} than the contract`);
}

const listOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);

function resolved(schema: Json | undefined, document: JsonObject): JsonObject {
  const found = isObject(schema) ? schema : {};
  return typeof found.$ref === 'string'
    ? schemaAt(document, found.$ref.slice(1)).schema
    : withoutNull(found);
}

/** A schema without null, which in a request stands for a field that is left out. */
function withoutNull(schema: JsonObject): JsonObject {
  if (!isList(schema.type)) return schema;
  const [type = null] = schema.type.filter(one => one !== 'null');
  return {
    ...schema,
    type,
    ...(isList(schema.enum) && { enum: schema.enum.filter(value => value !== null) }),
  };
}
