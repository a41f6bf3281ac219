// The violations of the contract as plain values. Only this file depends on the form of the validator's errors.
import type { ErrorObject } from 'ajv/dist/2020.js';

/** A violation of the contract. */
export interface Violation {
  /** JSON pointer into the value; empty for the value as a whole. */
  readonly at: string;
  /** The JSON Schema keyword that is violated, such as `required` or `maximum`. */
  readonly keyword: string;
  /** A sentence with the field in it, without a full stop. */
  readonly sentence: string;
}

type Params = Readonly<Record<string, unknown>>;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

const SENTENCES: Readonly<Record<string, (field: string, params: Params) => string>> = {
  required: field => `${field} is required`,
  type: (field, { type }) => `${field} must be ${typeNames(type)}`,
  minimum: (field, { limit }) => `${field} must be at least ${limit}`,
  maximum: (field, { limit }) => `${field} must be at most ${limit}`,
  minLength: (field, { limit }) =>
    limit === 1
      ? `${field} must not be empty`
      : `${field} must be at least ${limit} characters long`,
  maxLength: (field, { limit }) => `${field} must be at most ${limit} characters long`,
  minItems: (field, { limit }) =>
    limit === 1 ? `${field} must not be empty` : `${field} must have at least ${limit} entries`,
  maxItems: (field, { limit }) => `${field} must have at most ${limit} entries`,
  maxProperties: (field, { limit }) => `${field} must have at most ${limit} fields`,
  enum: (field, { allowedValues }) =>
    `${field} must be one of ${[allowedValues].flat().filter(isSaid).join(', ')}`,
  pattern: (field, { pattern }) => `${field} must match ${pattern}`,
  format: (field, { format }) => `${field} must be written as ${format}`,
  anyOf: field => `${field} does not have an allowed form`,
};

/** Whether messages mention an accepted value. They do not mention `null`, because it represents an omitted field. */
function isSaid(value: unknown): boolean {
  return value !== null && value !== 'null';
}

function typeNames(type: unknown): string {
  const names = [type].flat().join(',').split(',').filter(isSaid);
  return (names.length > 0 ? names : ['null'])
    .map(name => TYPES[name] ?? `of type ${name}`)
    .join(' or ');
}

/** The validator's errors as violations. A value that matches none of several alternatives yields a single violation. */
export function violations(errors: readonly ErrorObject[]): readonly Violation[] {
  const forms = errors.filter(error => error.keyword === 'anyOf');
  const noise = (error: ErrorObject): boolean =>
    error.keyword === 'anyOf'
      ? errors.some(other => other.keyword === 'type' && isSamePlace(other, error))
      : forms.some(form => isBelow(error, form) && !isSamePlace(error, form));
  return errors.filter(error => !noise(error)).map(violation);
}

function isSamePlace(one: ErrorObject, other: ErrorObject): boolean {
  return one.instancePath === other.instancePath && one.parentSchema === other.parentSchema;
}

/** Whether an error concerns the value with alternatives that `form` is about, or a part of that value. */
function isBelow(error: ErrorObject, form: ErrorObject): boolean {
  return `${error.instancePath}/`.startsWith(`${form.instancePath}/`);
}

function violation(error: ErrorObject): Violation {
  const { instancePath, keyword } = error;
  if (keyword === 'not') return exclusion(error);
  const params: Params = error.params;
  const missing = keyword === 'required' ? `/${params.missingProperty}` : '';
  const at = `${instancePath}${missing}`;
  const word = SENTENCES[keyword] ?? (field => `${field} does not match the contract (${keyword})`);
  return { at, keyword, sentence: word(fieldName(at), params) };
}

/** The document uses `not` for a single purpose: fields of which only one may be present. */
function exclusion({ instancePath, keyword, schema }: ErrorObject): Violation {
  const fields =
    typeof schema === 'object' && schema !== null && 'required' in schema && schema.required;
  const names = [fields || []].flat().join(' and ');
  return { at: instancePath, keyword, sentence: `${names} exclude each other` };
}

/** `/rules/0/name` in the notation for people: `rules[0].name`. */
function fieldName(pointer: string): string {
  if (pointer === '') return 'the body';
  return pointer
    .slice(1)
    .split('/')
    .map(part =>
      /^\d+$/.test(part) ? `[${part}]` : `.${part.replaceAll('~1', '/').replaceAll('~0', '~')}`,
    )
    .join('')
    .replace(/^\./, '');
}
