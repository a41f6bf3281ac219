// One mistake that a schema found, in a sentence that says what is wrong and a hint that says what to do next.
import type { ErrorObject } from 'ajv';
import { FORMATS } from '../kinds/formats.ts';
import { isSensitive } from '../kinds/sensitive.ts';
import { shapeAt } from '../kinds/shapeAt.ts';
import type { DiagnosticCode } from '../model/codes.ts';
import { didYouMean } from '../model/nearest.ts';
import { isList, type Json, type JsonObject, type Path } from '../model/value.ts';
import { fieldsOf, missingField, unknownField } from './fieldSentences.ts';
import type { Mistake, Sentence } from './mistake.ts';
import { typeHint } from './typeHints.ts';
import { enumerated, named, scalarText, shown, shownAsType, typeWords } from './words.ts';

/** The sentence for a mistake. */
export function sentence(mistake: Mistake): Sentence {
  const { description } = schemaOf(mistake.error);
  if (mistake.isCombination && typeof description === 'string') {
    return { code: 'SCHEMA_COMBINATION', message: description };
  }
  return (SENTENCES[mistake.error.keyword] ?? unexpected)(mistake);
}

const SENTENCES: Readonly<Record<string, (mistake: Mistake) => Sentence>> = {
  additionalProperties: unknownField,
  required: missingField,
  type: wrongType,
  anyOf: noneOf,
  enum: notAllowed,
  const: notAllowed,
  pattern: mistake => ({
    code: 'SCHEMA_FORMAT',
    message: `${named(mistake.path)} cannot be ${seen(mistake)}`,
    hint: about(mistake.error),
  }),
  format: wrongFormat,
  minimum: outOfRange,
  maximum: outOfRange,
  minLength: ({ path }) => empty('SCHEMA_LENGTH', path),
  maxLength: ({ error, path }) => {
    const length = [...String(error.data)].length;
    const message = `${named(path)} has ${length} characters; at most ${error.params.limit} are allowed`;
    return { code: 'SCHEMA_LENGTH', message };
  },
  minItems: ({ path, error }) => tooFew(path, error),
  minProperties: ({ path, error }) => tooFew(path, error),
  maxItems: ({ error, path }) => {
    const message = `${named(path)} has ${sizeOf(error.data)} members; at most ${error.params.limit} are allowed`;
    return { code: 'SCHEMA_COUNT', message };
  },
  maxProperties: ({ path, error }) => ({
    code: 'SCHEMA_COUNT',
    message: `${named(path)} holds ${sizeOf(error.data)} keys; exactly one is allowed`,
    hint: `keep one of ${enumerated(Object.keys(error.data as JsonObject), 'and')}`,
  }),
  uniqueItems: ({ error, path }) => ({
    code: 'SCHEMA_VALUE',
    message: `${named(path)} names ${shown((error.data as Json[])[Number(error.params.i)])} twice`,
    key: String(Math.max(Number(error.params.i), Number(error.params.j))),
  }),
};

const unexpected = ({ error, path }: Mistake): Sentence => ({
  code: 'SCHEMA_VALUE',
  message: `${named(path)} ${error.message ?? 'is not allowed'}`,
});

const schemaOf = (error: ErrorObject): JsonObject => (error.parentSchema ?? {}) as JsonObject;

const about = (error: ErrorObject): string | undefined => {
  const { description } = schemaOf(error);
  return typeof description === 'string' ? description : undefined;
};

// A secret is never shown, whatever is wrong with it; nor is an address that may carry one.
function isHidden({ shape, path }: Mistake): boolean {
  const own = shapeAt(shape, path);
  return own !== undefined && isSensitive(own);
}

function seen(mistake: Mistake): string {
  const { error, path, placed } = mistake;
  return isHidden(mistake) ? 'that' : shown(error.data, placed.writtenAt(path));
}

function wrongType(mistake: Mistake): Sentence {
  const { error, path, placed } = mistake;
  const code = 'SCHEMA_TYPE';
  const isTold = error.params.type === 'object' || !isHidden(mistake);
  const hint = isTold ? typeHint(mistake) : undefined;
  if (error.data === null) return { code, message: `${named(path)} has no value`, hint };
  const must = `${named(path)} must be ${typeWords(error.params.type)}`;
  const isScalar = typeof error.data !== 'object';
  const but =
    isHidden(mistake) && isScalar ? '' : `, not ${shownAsType(error.data, placed.writtenAt(path))}`;
  return { code, message: `${must}${but}`, hint };
}

// Alternatives are described where they are declared.
function noneOf(mistake: Mistake): Sentence {
  const { error, path } = mistake;
  const what = isList(error.data as Json) ? 'this list' : seen(mistake);
  const message =
    error.data === null ? `${named(path)} has no value` : `${named(path)} cannot be ${what}`;
  return { code: 'SCHEMA_TYPE', message, hint: about(error) };
}

function notAllowed(mistake: Mistake): Sentence {
  const { error, path } = mistake;
  const values = (error.params.allowedValues ?? [error.params.allowedValue]) as Json[];
  const allowed = values.map(String);
  const guess = didYouMean(scalarText(error.data), allowed);
  const list = `one of: ${allowed.join(', ')}`;
  return {
    code: 'SCHEMA_VALUE',
    message:
      error.data === null
        ? `${named(path)} has no value`
        : `${named(path)} cannot be ${seen(mistake)}`,
    hint: guess ? `${guess} It is ${list}` : list,
  };
}

function wrongFormat(mistake: Mistake): Sentence {
  const { error, path } = mistake;
  const format = FORMATS[String(error.params.format)];
  const lack = format?.lacks?.(String(error.data));
  const fault = lack?.fault ?? `is not ${format?.what ?? 'of the form it must have'}`;
  return {
    code: 'SCHEMA_FORMAT',
    message: `${named(path)}${isHidden(mistake) ? '' : `, ${seen(mistake)},`} ${fault}`,
    hint: lack?.hint,
  };
}

function outOfRange(mistake: Mistake): Sentence {
  const { minimum, maximum } = schemaOf(mistake.error);
  const range =
    minimum === undefined
      ? `at most ${maximum}`
      : maximum === undefined
        ? `at least ${minimum}`
        : `from ${minimum} to ${maximum}`;
  const message = `${named(mistake.path)} must be ${range}, not ${seen(mistake)}`;
  return { code: 'SCHEMA_RANGE', message };
}

const empty = (code: DiagnosticCode, path: Path, hint?: string): Sentence => ({
  code,
  message: `${named(path)} must not be empty`,
  hint,
});

function tooFew(path: Path, error: ErrorObject): Sentence {
  const fields = fieldsOf(schemaOf(error));
  return empty(
    'SCHEMA_COUNT',
    path,
    fields.length > 0 ? `it may hold: ${fields.join(', ')}` : undefined,
  );
}

const sizeOf = (data: unknown): number =>
  isList(data as Json) ? (data as Json[]).length : Object.keys(data as JsonObject).length;
