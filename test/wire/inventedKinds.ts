// Kinds that no API has, with every trait that matters on the wire, and a resolver that knows what they point at.
import type { Kind } from '../../src/kinds/kind.ts';
import { kindTable } from '../../src/kinds/schema/table.ts';
import { InvariantError, present } from '../../src/model/errors.ts';
import { idInKey } from '../../src/model/key.ts';
import { kindName } from '../../src/model/names.ts';
import type { Fault } from '../../src/model/outcome.ts';
import type { Json, JsonObject } from '../../src/model/value.ts';
import type { Resolve } from '../../src/wire/encodeValue.ts';

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const traits = (xTrait: JsonObject, schema: JsonObject = text): JsonObject => ({
  ...schema,
  'x-trait': xTrait,
});

const crew = {
  title: 'Crew',
  description: 'What things point at.',
  type: 'object',
  properties: { name: text, colour: { ...text, readOnly: true } },
  'x-kind': {
    name: 'crew',
    plural: 'crews',
    at: 'crews[]',
    path: '/api/crews',
    identity: ['name'],
    verbs: ['create', 'update', 'delete'],
    reserved: [
      { field: 'name', equals: 'Everyone', because: 'it is of everyone' },
      { field: 'owner', not: 'us', because: 'it is of others' },
      { field: 'note', startsWith: 'hands off', because: 'it says so' },
    ],
  },
};

const part = {
  type: 'object',
  required: ['name', 'mode'],
  allOf: [{ oneOf: [{ required: ['from'] }, { required: ['origin'] }] }],
  properties: {
    id: { ...traits({ sentBack: true }), readOnly: true },
    name: text,
    mode: text,
    note: text,
    ports: traits({ set: true }, texts),
    from: traits({ ref: 'crew', set: true }, texts),
    origin: {
      type: 'object',
      'x-trait': { ref: { oneOf: { machine: { type: 'machine' }, crew: { typeOf: 'colour' } } } },
    },
  },
};

const thing = {
  title: 'Thing',
  description: 'A thing.',
  type: 'object',
  required: ['name'],
  allOf: [{ oneOf: [{ required: ['net'] }, { required: ['names'] }] }],
  $defs: { part },
  properties: {
    id: { ...text, readOnly: true },
    made: { ...text, readOnly: true },
    token: { ...traits({ secret: true }), readOnly: true },
    name: text,
    note: traits({ whenOmitted: 'sent-empty' }),
    size: { type: 'integer' },
    lifetime: traits({ inputOnly: true }, { type: 'integer' }),
    late: traits({ updateOnly: 'never-sent' }, { type: 'boolean' }),
    net: text,
    names: traits({ set: true }, texts),
    crews: traits({ ref: 'crew', set: true }, texts),
    lead: traits({ ref: 'crew' }),
    users: traits({ ref: { keys: 'crew' } }, { type: 'object', additionalProperties: texts }),
    belongings: {
      ...traits({ sentBack: true }, { type: 'array', items: { type: 'object' } }),
      readOnly: true,
    },
    parts: traits({ set: { by: 'name' } }, { type: 'array', items: { $ref: '#/$defs/part' } }),
    password: { ...text, writeOnly: true },
    key: traits({ secret: true }),
    hook: {
      type: 'object',
      properties: {
        url: text,
        headers: { type: 'object', additionalProperties: traits({ secret: true }) },
      },
    },
  },
  'x-kind': {
    name: 'thing',
    plural: 'things',
    at: 'things[]',
    path: '/api/things',
    identity: ['name'],
    verbs: ['create', 'update', 'delete'],
  },
};

const machine = {
  title: 'Machine',
  description: 'A machine.',
  type: 'object',
  properties: { name: text },
  'x-kind': {
    name: 'machine',
    plural: 'machines',
    at: 'machines[]',
    path: '/api/machines',
    identity: ['name'],
    verbs: [],
  },
};

const piece = {
  title: 'Piece',
  description: 'A piece of a thing.',
  type: 'object',
  properties: { name: text },
  'x-kind': {
    name: 'piece',
    plural: 'pieces',
    at: 'things[].pieces[]',
    parent: 'thing',
    path: '/api/things/{thing}/pieces',
    identity: ['name'],
    verbs: [],
  },
};

const passage = {
  title: 'Passage',
  description: 'What has no name but what it is made of.',
  type: 'object',
  properties: { lead: traits({ ref: 'crew' }) },
  'x-kind': {
    name: 'passage',
    plural: 'passages',
    at: 'passages[]',
    path: '/api/passages',
    identity: ['lead'],
    verbs: [],
  },
};

export const INVENTED_KINDS = kindTable([crew, machine, thing, piece, passage]);

export const INVENTED_KIND: Kind = present(
  INVENTED_KINDS.get(kindName('thing')),
  'the kind of things',
);

/** What a write was refused for. */
class RefusedWrite extends Error {
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** Every key of a crew or machine is the id `id of key`; crews are red; a secret opens to what it is filled from. */
export const resolve: Resolve = {
  idOf: (_, key) => idInKey(key) ?? `id of ${key}`,
  fieldOf: (kind, key, field): Json | undefined => {
    if (kind !== 'crew' || field !== 'colour') throw new InvariantError(`${kind} has no ${field}`);
    return idInKey(key) === null ? 'red' : undefined;
  },
  open: ({ $secret }) => $secret.replace('${env:KEY}', 'opened'),
  refuse: fault => {
    throw new RefusedWrite(fault);
  },
};

/** What a call refuses. */
export function refusalOf(write: () => JsonObject): Fault {
  try {
    throw new Error(`not refused: ${JSON.stringify(write())}`);
  } catch (error) {
    if (error instanceof RefusedWrite) return error.fault;
    throw error;
  }
}
