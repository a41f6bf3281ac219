// The closed vocabulary of the two house keywords. A misspelt trait fails when the schemas are loaded.

/** Ways in which equal meanings are written differently; both sides of a comparison pass through them. */
export const NORMALISERS = [
  'cidr',
  'cidr-masked',
  'domain',
  'lower-case',
  'port',
  'resource-address',
  'upper-case',
] as const;
export type NormaliserName = (typeof NORMALISERS)[number];

/** Odd wire shapes, one file each in `wire/transforms`. */
const TRANSFORMS = [
  'lifetime-in-days',
  'limit-of-reusable',
  'mapped-direct-port',
  'mapped-port-ranges',
  'placeholder-network',
] as const;
export type TransformName = (typeof TRANSFORMS)[number];

/** Rules between fields that JSON Schema cannot say, one each in `kinds/checks.ts`. */
const CHECKS = ['range-order'] as const;
export type CheckName = (typeof CHECKS)[number];

export const DIALECTS = ['spec', 'netbird'] as const;
/** Which reading of the API a server follows: design §7. */
export type Dialect = (typeof DIALECTS)[number];

const VERBS = ['create', 'update', 'delete'] as const;
export type Verb = (typeof VERBS)[number];

const text = { type: 'string', minLength: 1 } as const;
const texts = { type: 'array', items: text, minItems: 1 } as const;
const flag = { type: 'boolean' } as const;
const perDialect = (values: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(DIALECTS.map(dialect => [dialect, { enum: values }])),
  required: DIALECTS,
  additionalProperties: false,
});

/** The meta-schema of `x-kind`, at the root of a kind's schema. */
export const KIND_KEYWORD = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'plural', 'at', 'path', 'verbs'],
  if: { properties: { cardinality: { const: 'singleton' } }, required: ['cardinality'] },
  else: { required: ['identity'] },
  properties: {
    name: { type: 'string', pattern: '^[a-z][a-z_]*$' },
    plural: text,
    at: { type: 'string', pattern: '^[a-z_]+(\\[\\])?(\\.[a-z_]+(\\[\\])?)*$' },
    path: { type: 'string', pattern: '^/api/' },
    pathIn: {
      type: 'object',
      additionalProperties: { type: 'string', pattern: '^/api/' },
      propertyNames: { enum: DIALECTS },
    },
    parent: text,
    cardinality: { enum: ['collection', 'singleton'] },
    where: {
      type: 'object',
      additionalProperties: false,
      required: ['field', 'equals'],
      properties: { field: text, equals: { type: ['string', 'boolean'] }, query: text },
    },
    identity: texts,
    unique: { enum: ['account', 'parent'] },
    contends: {
      type: 'object',
      additionalProperties: false,
      required: ['for', 'taken', 'held'],
      properties: { for: text, taken: text, held: text },
    },
    verbs: { type: 'array', items: { enum: VERBS }, uniqueItems: true },
    put: { enum: ['whole', 'mutable', 'partial'] },
    envelope: text,
    reveals: text,
    satisfiedBy: {
      type: 'object',
      additionalProperties: false,
      required: ['kind', 'field'],
      properties: { kind: text, field: text },
    },
    lapses: {
      type: 'object',
      additionalProperties: false,
      required: ['at'],
      properties: {
        at: text,
        when: {
          type: 'object',
          additionalProperties: false,
          required: ['field', 'in'],
          properties: { field: text, in: texts },
        },
      },
    },
    forgotten: flag,
    grantsAccess: flag,
    actor: {
      type: 'object',
      additionalProperties: false,
      required: ['own', 'role', 'blocked'],
      properties: { own: text, role: text, blocked: text, admin: text },
    },
    reread: { enum: ['item', 'list'] },
    settled: { enum: ['answer', 'read'] },
    moves: perDialect(['update', 'replace']),
    replace: { enum: ['delete-first', 'create-first', 'refuse'] },
    reserved: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['field', 'because'],
        properties: { field: text, equals: text, not: text, startsWith: text, because: text },
      },
    },
    cascades: texts,
    needs: texts,
  },
} as const;

/** The meta-schema of `x-trait`, on a field. */
export const TRAIT_KEYWORD = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    ref: {
      anyOf: [
        text,
        {
          type: 'object',
          additionalProperties: false,
          required: ['keys'],
          properties: { keys: text },
        },
        {
          type: 'object',
          additionalProperties: false,
          required: ['oneOf'],
          properties: {
            oneOf: {
              type: 'object',
              minProperties: 1,
              additionalProperties: {
                type: 'object',
                additionalProperties: false,
                minProperties: 1,
                properties: { type: text, typeOf: text },
              },
            },
          },
        },
      ],
    },
    set: {
      anyOf: [
        { const: true },
        {
          type: 'object',
          additionalProperties: false,
          required: ['by'],
          properties: { by: text, single: { type: 'array', items: { enum: DIALECTS } } },
        },
      ],
    },
    shared: flag,
    evictions: {
      type: 'object',
      additionalProperties: false,
      required: ['code', 'holder'],
      properties: { code: text, holder: text },
    },
    grows: flag,
    inverse: text,
    mirrors: text,
    echo: flag,
    immutable: flag,
    updateOnly: { enum: ['never-sent', 'maybe-ignored'] },
    inputOnly: flag,
    sentEmpty: flag,
    secret: { anyOf: [flag, { const: 'masked' }] },
    oneWay: flag,
    normalise: { enum: NORMALISERS },
    transform: { enum: TRANSFORMS },
    printed: { const: 'host' },
    check: { enum: CHECKS },
  },
} as const;
