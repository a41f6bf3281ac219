// The constraints of JSON Schema in words for users: the messages of the validator are written for authors of schemas.
import type { ErrorObject } from 'ajv/dist/2020.js';
import { quoted } from '../../model/text/visible.ts';

type Words = (params: Readonly<Record<string, unknown>>) => string;

/** Types of JSON Schema in a sentence. */
export const TYPE_WORDS: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'a mapping',
  integer: 'a whole number',
  boolean: 'true or false',
  string: 'text',
  number: 'a number',
  null: 'empty',
};

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': 'less than',
  '<=': 'at most',
  '>': 'more than',
  '>=': 'at least',
};

const compared: Words = ({ comparison, limit }) =>
  `must be ${COMPARISONS[String(comparison)] ?? 'within'} ${limit}`;

const many = (count: unknown, one: string, more: string): string =>
  `${count} ${count === 1 ? one : more}`;

const WORDS: Readonly<Record<string, Words>> = {
  type: ({ type }) => `must be ${[type].flat().map(typeText).join(' or ')}`,
  enum: () => 'is not one of the allowed values',
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  required: ({ missingProperty }) => `lacks ${quoted(String(missingProperty))}`,
  dependentRequired: ({ property, missingProperty }) =>
    `has ${quoted(String(property))}, so it needs ${quoted(String(missingProperty))}`,
  additionalProperties: ({ additionalProperty }) =>
    `cannot have ${quoted(String(additionalProperty))}`,
  unevaluatedProperties: ({ unevaluatedProperty }) =>
    `cannot have ${quoted(String(unevaluatedProperty))}`,
  propertyNames: ({ propertyName }) => `cannot have a key called ${quoted(String(propertyName))}`,
  minimum: compared,
  maximum: compared,
  exclusiveMinimum: compared,
  exclusiveMaximum: compared,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
  minLength: ({ limit }) => `must have at least ${many(limit, 'character', 'characters')}`,
  maxLength: ({ limit }) => `must have at most ${many(limit, 'character', 'characters')}`,
  pattern: () => 'does not have the required form',
  format: () => 'does not have the required form',
  minItems: ({ limit }) => `must have at least ${many(limit, 'member', 'members')}`,
  maxItems: ({ limit }) => `must have at most ${many(limit, 'member', 'members')}`,
  items: ({ limit }) => `must have at most ${many(limit, 'member', 'members')}`,
  unevaluatedItems: ({ limit }) => `must have at most ${many(limit, 'member', 'members')}`,
  uniqueItems: () => 'contains the same member twice',
  contains: ({ minContains = 1 }) =>
    `must have at least ${many(minContains, 'member', 'members')} of a required form`,
  minProperties: ({ limit }) => `must have at least ${many(limit, 'key', 'keys')}`,
  maxProperties: ({ limit }) => `must have at most ${many(limit, 'key', 'keys')}`,
  not: () => 'cannot have this value',
  anyOf: () => 'does not have an allowed form',
  oneOf: () => 'does not have exactly one of the allowed forms',
  if: () => 'contradicts the fields beside it',
  'false schema': () => 'cannot be here',
};

/** The fault of a value as the end of a sentence that starts with the name of the value: `must be at least 1`. */
export function constraintWords({
  keyword,
  params,
}: Pick<ErrorObject, 'keyword' | 'params'>): string {
  return (WORDS[keyword] ?? (() => 'is invalid'))(params);
}

/** The keywords for which this file has words. */
export const WORDED: ReadonlySet<string> = new Set(Object.keys(WORDS));

function typeText(type: unknown): string {
  return String(type)
    .split(',')
    .map(name => TYPE_WORDS[name] ?? name)
    .join(' or ');
}
