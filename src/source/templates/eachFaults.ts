// Faults of `for_each` and of the references to its entries, as sentences.
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { EACH } from '../../model/text/literalText.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { isObject } from '../../model/value.ts';
import { kindOf, quotedBriefly } from '../sentenceWords.ts';
import type { EachReference, Scopes } from './eachText.ts';
import { FORMS, type ReadSets } from './entrySets.ts';
import { MOST_CHARACTERS, MOST_OF_ALL, MOST_OF_ONE, MOST_VALUES } from './expansionLimits.ts';

const fault = (
  code: 'FOR_EACH_INVALID' | 'FOR_EACH_UNKNOWN' | 'EXPANSION_LIMIT',
  at: Span,
  message: string,
  hint: string,
): Diagnostic => ({ code, severity: 'error', message, at, hint });

/** The fault of a `for_each` in a mapping that is not a member of a list. */
export const notInList = (at: Span): Diagnostic =>
  fault(
    'FOR_EACH_INVALID',
    at,
    '`for_each` repeats a member of a list, but this is not in a list',
    'remove `for_each`; there is only one of this',
  );

/** The fault of a `for_each` inside an entry. */
export const inSet = (at: Span): Diagnostic =>
  fault(
    'FOR_EACH_INVALID',
    at,
    'entries of a set cannot contain `for_each`',
    'write a list of texts or a mapping in the entry, and `for_each: ${office.value.NAME}` in the object',
  );

/** The fault of a value of `as` that cannot be a name in `${…}`. */
export const badName = (at: Span): Diagnostic =>
  fault(
    'FOR_EACH_INVALID',
    at,
    '`as` is not a name that `${…}` can use',
    'use letters, digits and _, do not begin with a digit, and do not use var, env, file, sops or yaml',
  );

/** The fault of a `for_each` inside another one with the same name. */
export const nested = (name: string, at: Span): Diagnostic =>
  fault(
    'FOR_EACH_INVALID',
    at,
    `this is inside another \`for_each\`, and ${quotedBriefly(`\${${name}.key}`)} could belong to either`,
    'give the outer one a name, such as `as: office`, and write `${office.key}` for its entries',
  );

/** The fault of a `for_each` inside two others. */
export const tooDeep = (at: Span): Diagnostic =>
  fault(
    'FOR_EACH_INVALID',
    at,
    'this is inside two other `for_each`, but only one may be around it',
    'write the innermost list out, or use one set with an entry for each combination',
  );

/** The fault of a name that no set has. */
export const unknownSet = (name: string, at: Span, { byName }: ReadSets): Diagnostic => {
  const names = [...byName.keys()];
  const some = names.slice(0, 10).map(quotedBriefly).join(', ');
  const otherwise = names.length === 0 ? FORMS : `declare it under \`sets\`; known: ${some}`;
  const message = `there is no set ${quotedBriefly(name)}`;
  return fault('FOR_EACH_UNKNOWN', at, message, didYouMean(name, names) ?? otherwise);
};

/** The fault of a value of `for_each` that is neither a list, nor a mapping, nor a name. */
export const noEntries = (value: unknown, at: Span): Diagnostic => {
  const said = value === null || value === '' ? 'has no value' : `is ${kindOf(value)}`;
  const message = `\`for_each\` ${said}, but must name a set, or be a list of texts or a mapping`;
  return fault('FOR_EACH_INVALID', at, message, FORMS);
};

/** The fault of a reference outside every `for_each` with its name. */
export function noScope({ text, name }: EachReference, at: Span, scopes: Scopes): Diagnostic {
  const names = [...scopes.keys()];
  const literal = `for the text itself, write ${quotedBriefly(`$${text}`)}`;
  if (names.length > 0) {
    const known = names.map(known => quotedBriefly(`\${${known}.key}`)).join(' and ');
    const message = `${quotedBriefly(text)} names no entry here`;
    const hint = `write ${known}: \`as\` gives an entry its name; ${literal}`;
    return fault('FOR_EACH_UNKNOWN', at, message, hint);
  }
  const message = `${quotedBriefly(text)} is outside a \`for_each\``;
  const what = name === EACH ? '`for_each`' : `\`for_each\` and ${quotedBriefly(`as: ${name}`)}`;
  return fault('FOR_EACH_UNKNOWN', at, message, `add ${what} to the object; ${literal}`);
}

/** The fault of a reference without a closing brace. The text after it may be part of a secret, so it is not repeated. */
export function open({ text, name }: EachReference, at: Span, scopes: Scopes): Diagnostic {
  const meant = name === EACH || scopes.has(name) ? name : ([...scopes.keys()].at(-1) ?? name);
  return fault(
    'FOR_EACH_INVALID',
    at,
    `a reference begins with ${quotedBriefly(text)}, but has no closing \`}\``,
    `write it as ${quotedBriefly(`\${${meant}.key}`)}; for the text itself, write ${quotedBriefly(`$${text}`)}`,
  );
}

/** The fault of a reference that names neither the key nor the value of an entry. */
export const malformed = ({ text, name }: EachReference, at: Span): Diagnostic =>
  fault(
    'FOR_EACH_UNKNOWN',
    at,
    `${quotedBriefly(text)} names neither the key nor the value of an entry`,
    `write ${quotedBriefly(`\${${name}.key}`)}, ${quotedBriefly(`\${${name}.value}`)} or ${quotedBriefly(`\${${name}.value.FIELD}`)}`,
  );

/** The fault of a reference to a value that the entry does not have. */
export function noValue(reference: EachReference, at: Span, scopes: Scopes): Diagnostic {
  const { text, name, path } = reference;
  const entry = scopes.get(name);
  const value = entry?.home.inside([entry.step]).value;
  const field = path.split('.')[1];
  // A key without a value counts as not written.
  const known = isObject(value) ? Object.keys(value).filter(key => value[key] !== null) : [];
  const message = `the entry has no ${quotedBriefly(path)}`;
  const hint =
    (field === undefined ? undefined : didYouMean(field, known)) ??
    `add it to the entry, or give a default: ${quotedBriefly(text.replace(/\}$/, ':-DEFAULT}'))}`;
  return fault('FOR_EACH_UNKNOWN', at, message, hint);
}

/** The fault of a reference to a list or a mapping in the middle of a text. */
export const notScalar = ({ text }: EachReference, value: unknown, at: Span): Diagnostic =>
  fault(
    'FOR_EACH_INVALID',
    at,
    `${quotedBriefly(text)} is ${kindOf(value)}, which cannot be a part of a text`,
    `write ${quotedBriefly(text)} alone, without other text, to get the whole value, or name one of its parts`,
  );

/** The fault of a reference inside a reference to a secret. */
export const inSecret = (text: string, at: Span): Diagnostic =>
  fault(
    'FOR_EACH_INVALID',
    at,
    `${quotedBriefly(text)} is inside a reference to a secret, whose name must be written in full`,
    'write the whole reference in each entry, such as `token: ${env:TOKEN}`, and use `${each.value.token}`',
  );

/** A reference to a secret that references to an entry put together. */
export const inPieces = (text: string, at: Span): Diagnostic =>
  fault(
    'FOR_EACH_INVALID',
    at,
    `with its references filled in, this text contains the reference ${quotedBriefly(text)}, which must be written in full in one place`,
    'write the whole reference in each entry, such as `token: ${env:TOKEN}`, and use `${each.value.token}`',
  );

/** The fault of two keys of a mapping that become equal. */
export const sameKeys = (key: string, at: Span): Diagnostic => ({
  code: 'SOURCE_DUPLICATE_KEY',
  severity: 'error',
  message: `with its references filled in, ${quotedBriefly(key)} occurs twice in one mapping`,
  at,
  hint: 'use keys that differ',
});

/** The fault of a `for_each` that makes too many members. */
export const tooManyOfOne = (count: number, at: Span): Diagnostic =>
  fault(
    'EXPANSION_LIMIT',
    at,
    `this \`for_each\` makes ${count} objects; at most ${MOST_OF_ONE} are allowed`,
    'divide the entries between several declarations',
  );

/** The fault of a run in which all `for_each` together make too many members. */
export const tooManyOfAll = (at: Span): Diagnostic =>
  fault(
    'EXPANSION_LIMIT',
    at,
    `with this \`for_each\`, the files make more than ${MOST_OF_ALL} objects`,
    'divide the files between several folders',
  );

/** The fault of a run that fills in more text than fits into memory. */
export const tooMuchText = (at: Span): Diagnostic =>
  fault(
    'EXPANSION_LIMIT',
    at,
    `with the entries filled in, the texts of the files have more than ${MOST_CHARACTERS} characters`,
    'use shorter texts, or fewer references and entries',
  );

/** The fault of a run that makes more values than fit into memory. */
export const tooLarge = (at: Span): Diagnostic =>
  fault(
    'EXPANSION_LIMIT',
    at,
    `with this \`for_each\`, the files have more than ${MOST_VALUES} values`,
    'use smaller objects, or fewer entries',
  );
