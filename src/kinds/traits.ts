// The closed vocabulary of the two house keywords. A misspelt trait fails when the schemas are loaded.

/** Ways in which equal meanings are written differently; both sides of a comparison pass through them. */
export const NORMALISERS = [
  'cidr',
  'cidr-masked',
  'domain',
  'ip',
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

/** Rules between fields that JSON Schema cannot say, one each in `kinds/schema/checks.ts`. */
const CHECKS = ['range-order'] as const;
export type CheckName = (typeof CHECKS)[number];

export const DIALECTS = ['spec', 'netbird'] as const;
/** The variant of the API that a server implements (docs/server.md#which-servers). */
export type Dialect = (typeof DIALECTS)[number];

export const DIALECT_CHOICES = ['auto', ...DIALECTS] as const;
/** What a person can choose: a dialect, or `auto` to find it out from what the server answers. */
export type DialectChoice = (typeof DIALECT_CHOICES)[number];

/**
 * Whether servers of a dialect ignore what they do not know in a body. There an update can send back fields that the
 * schemas do not have: they are kept by a server that knows them, and do nothing on one that does not.
 */
export const IGNORES_UNKNOWN: Readonly<Record<Dialect, boolean>> = { spec: false, netbird: true };

const VERBS = ['create', 'update', 'delete'] as const;
export type Verb = (typeof VERBS)[number];

const text = { type: 'string', minLength: 1 } as const;
const texts = { type: 'array', items: text, minItems: 1 } as const;
const flag = { type: 'boolean' } as const;
/** An object with these properties and no others. */
const closed = (properties: Readonly<Record<string, object>>, required: readonly string[]) =>
  ({ type: 'object', additionalProperties: false, required, properties }) as const;
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
    accountWide: {
      type: 'object',
      additionalProperties: closed({ path: { type: 'string', pattern: '^/api/' }, ids: text }, [
        'path',
        'ids',
      ]),
      propertyNames: { enum: DIALECTS },
    },
    parent: text,
    cardinality: { enum: ['collection', 'singleton'] },
    where: closed({ field: text, equals: { type: ['string', 'boolean'] }, query: text }, [
      'field',
      'equals',
    ]),
    identity: texts,
    unique: { enum: ['account', 'parent'] },
    contends: closed({ for: text, taken: text, held: text }, ['for', 'taken', 'held']),
    verbs: { type: 'array', items: { enum: VERBS }, uniqueItems: true },
    createdEvent: closed({ codes: texts, about: { const: 'parent' }, named: text }, ['codes']),
    put: { enum: ['whole', 'mutable', 'partial'] },
    envelope: text,
    reveals: text,
    satisfiedBy: closed({ kind: text, field: text }, ['kind', 'field']),
    lapses: closed({ at: text, when: closed({ field: text, in: texts }, ['field', 'in']) }, ['at']),
    forgotten: flag,
    grantsAccess: flag,
    actor: closed({ own: text, role: text, blocked: text, admin: text }, [
      'own',
      'role',
      'blocked',
    ]),
    reread: { enum: ['item', 'list'] },
    settled: { enum: ['answer', 'read'] },
    moves: perDialect(['update', 'replace']),
    replace: { enum: ['delete-first', 'create-first', 'refuse'] },
    reserved: {
      type: 'array',
      items: closed({ field: text, equals: text, not: text, startsWith: text, because: text }, [
        'field',
        'because',
      ]),
    },
    parts: closed(
      {
        list: text,
        separator: text,
        in: { type: 'array', items: { enum: DIALECTS }, minItems: 1, uniqueItems: true },
      },
      ['list', 'separator', 'in'],
    ),
    cascades: {
      type: 'array',
      items: { anyOf: [text, closed({ kind: text, by: text, indirect: flag }, ['kind'])] },
      minItems: 1,
    },
    needs: texts,
    servesWhile: text,
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
        closed({ keys: text }, ['keys']),
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
          properties: {
            by: { anyOf: [text, texts] },
            single: { type: 'array', items: { enum: DIALECTS } },
          },
        },
      ],
    },
    shared: flag,
    evictions: closed({ code: text, holder: text }, ['code', 'holder']),
    carries: closed({ kind: text, by: text, into: text }, ['kind', 'by', 'into']),
    endsLogins: closed({ kind: text, by: text }, ['kind', 'by']),
    grows: flag,
    inverse: text,
    mirrors: text,
    echo: flag,
    immutable: flag,
    updateOnly: { enum: ['never-sent', 'maybe-ignored'] },
    inputOnly: flag,
    allocated: flag,
    needs: text,
    dialects: { type: 'array', items: { enum: DIALECTS }, minItems: 1, uniqueItems: true },
    limits: {
      type: 'object',
      propertyNames: { enum: DIALECTS },
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        minProperties: 1,
        properties: { minimum: { type: 'integer' }, maximum: { type: 'integer' } },
      },
    },
    sentEmpty: flag,
    secret: { anyOf: [flag, { const: 'masked' }] },
    oneWay: flag,
    normalise: { enum: NORMALISERS },
    transform: { enum: TRANSFORMS },
    printed: { const: 'host' },
    check: { enum: CHECKS },
  },
} as const;
