// Turns a schema mistake into a sentence and a hint. The sentence names the key, never the value, because a misplaced
// value may be a secret.
import type { ErrorObject } from 'ajv';
import { constraintWords } from '../../kinds/schema/constraintWords.ts';
import { FORMATS } from '../../kinds/schema/formats.ts';
import type { DiagnosticCode } from '../../model/codes.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList, type Json, type JsonObject, type Path } from '../../model/value.ts';
import { enumerated, kindOf, named, scalarText, typeWords } from '../sentenceWords.ts';
import { fieldsOf, missingField, unknownField } from './fieldSentences.ts';
import type { Mistake, Sentence } from './mistake.ts';
import { typeHint } from './typeHints.ts';

/** The sentence for a mistake. */
export function sentence(mistake: Mistake): Sentence {
  const { description } = schemaOf(mistake.error);
  if (mistake.isCombination && typeof description === 'string') {
    const hint = 'change one of the values that contradict each other';
    return { code: 'SCHEMA_COMBINATION', message: description, hint };
  }
  const said = (SENTENCES[mistake.error.keyword] ?? unexpected)(mistake);
  return { ...said, hint: said.hint ?? STEPS[said.code] ?? OTHERWISE };
}

/** The hint for a mistake whose sentence has no hint. */
const STEPS: Readonly<Partial<Record<DiagnosticCode, string>>> = {
  SCHEMA_TYPE: 'write a value of that type',
  SCHEMA_RANGE: 'write a number in that range',
  SCHEMA_FORMAT: 'write it in that form',
};

const OTHERWISE = '`meshform explain KIND.FIELD` shows what a field takes';

const SENTENCES: Readonly<Record<string, (mistake: Mistake) => Sentence>> = {
  additionalProperties: unknownField,
  required: missingField,
  type: wrongType,
  anyOf: noneOf,
  enum: notAllowed,
  const: notAllowed,
  pattern: mistake => ({
    code: 'SCHEMA_FORMAT',
    message: `${named(mistake.path)} does not have the required form`,
    hint: about(mistake.error),
  }),
  format: wrongFormat,
  minimum: outOfRange,
  maximum: outOfRange,
  minLength: mistake =>
    mistake.error.params.limit === 1
      ? empty('SCHEMA_LENGTH', mistake.path, 'write a string, or remove the key')
      : { ...unexpected(mistake), code: 'SCHEMA_LENGTH' },
  maxLength: ({ error, path }) => {
    const length = [...String(error.data)].length;
    const message = `${named(path)} has ${length} characters; at most ${error.params.limit} are allowed`;
    return { code: 'SCHEMA_LENGTH', message, hint: 'shorten it' };
  },
  minItems: tooFew,
  minProperties: tooFew,
  maxItems: ({ error, path }) => {
    const message = `${named(path)} has ${sizeOf(error.data)} members; at most ${error.params.limit} are allowed`;
    const hint = 'remove some, or divide them between several objects';
    return { code: 'SCHEMA_COUNT', message, hint };
  },
  maxProperties: ({ path, error }) => {
    const { limit } = error.params;
    const most = limit === 1 ? 'exactly one is' : `at most ${limit} are`;
    return {
      code: 'SCHEMA_COUNT',
      message: `${named(path)} holds ${sizeOf(error.data)} keys; ${most} allowed`,
      hint: `keep ${limit === 1 ? 'one' : 'some'} of ${enumerated(Object.keys(error.data as JsonObject), 'and')}`,
    };
  },
  uniqueItems: ({ error, path }) => {
    const [first = 0, second = 0] = [Number(error.params.i), Number(error.params.j)].sort(
      (a, b) => a - b,
    );
    const key = String(second);
    const message = `${named([...path, key])} is the same as member ${first + 1}`;
    return { code: 'SCHEMA_VALUE', message, key, hint: 'keep one of them' };
  },
};

const unexpected = ({ error, path }: Mistake): Sentence => ({
  code: 'SCHEMA_VALUE',
  message: `${named(path)} ${constraintWords(error)}`,
  hint: about(error),
});

const schemaOf = (error: ErrorObject): JsonObject => (error.parentSchema ?? {}) as JsonObject;

const about = (error: ErrorObject): string | undefined => {
  const { description } = schemaOf(error);
  return typeof description === 'string' ? description : undefined;
};

function wrongType(mistake: Mistake): Sentence {
  const { error, path } = mistake;
  const code = 'SCHEMA_TYPE';
  const hint = typeHint(mistake);
  if (error.data === null) return { code, message: `${named(path)} has no value`, hint };
  const isFraction = error.params.type === 'integer' && typeof error.data === 'number';
  const but = isFraction ? '' : `, not ${kindOf(error.data)}`;
  return { code, message: `${named(path)} must be ${typeWords(error.params.type)}${but}`, hint };
}

// The hint is the description that the schema declares with its alternatives.
function noneOf({ error, path }: Mistake): Sentence {
  const message =
    error.data === null
      ? `${named(path)} has no value`
      : `${named(path)} does not have an allowed form`;
  return { code: 'SCHEMA_TYPE', message, hint: about(error) };
}

function notAllowed({ error, path }: Mistake): Sentence {
  const values = (error.params.allowedValues ?? [error.params.allowedValue]) as Json[];
  const allowed = values.map(String);
  const written = scalarText(error.data);
  const guess = didYouMean(written, allowed) ?? asPart(written, allowed);
  const list = allowed.join(', ');
  return {
    code: 'SCHEMA_VALUE',
    message:
      error.data === null
        ? `${named(path)} has no value`
        : `${named(path)} is not one of the allowed values`,
    hint: guess ? `${guess} Allowed values: ${list}` : `allowed values: ${list}`,
  };
}

// Suggests `netbird-ssh` for `ssh`.
function asPart(written: string, allowed: readonly string[]): string | undefined {
  const [found, ...others] = allowed.filter(value => value.split('-').includes(written));
  return found === undefined || others.length > 0 ? undefined : `did you mean ${quoted(found)}?`;
}

function wrongFormat({ error, path }: Mistake): Sentence {
  const format = FORMATS[String(error.params.format)];
  const lack = format?.lacks?.(String(error.data));
  const fault = lack?.fault ?? `is not ${format?.what ?? 'of the required form'}`;
  return {
    code: 'SCHEMA_FORMAT',
    message: `${named(path)} ${fault}`,
    hint: lack?.hint,
  };
}

function outOfRange({ error, path }: Mistake): Sentence {
  const { minimum, maximum } = schemaOf(error);
  const range =
    minimum === undefined
      ? `at most ${maximum}`
      : maximum === undefined
        ? `at least ${minimum}`
        : `from ${minimum} to ${maximum}`;
  return { code: 'SCHEMA_RANGE', message: `${named(path)} must be ${range}` };
}

const empty = (code: DiagnosticCode, path: Path, hint: string): Sentence => ({
  code,
  message: `${named(path)} must not be empty`,
  hint,
});

function tooFew(mistake: Mistake): Sentence {
  const { path, error } = mistake;
  if (error.params.limit !== 1) return { ...unexpected(mistake), code: 'SCHEMA_COUNT' };
  const fields = fieldsOf(schemaOf(error));
  return empty(
    'SCHEMA_COUNT',
    path,
    fields.length > 0 ? `allowed fields: ${fields.join(', ')}` : 'add a member, or remove the key',
  );
}

const sizeOf = (data: unknown): number =>
  isList(data as Json) ? (data as Json[]).length : Object.keys(data as JsonObject).length;
