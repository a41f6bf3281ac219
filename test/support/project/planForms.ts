// The forms of a plan document: which keys it has where, and which of a closed list of words stand in them. What the fields
// of objects hold is no form; that a value is a secret is.
import { readFileSync, writeFileSync } from 'node:fs';
import { isList, isObject, type Json, type JsonObject } from '../../../src/model/value.ts';

const LIST = new URL('../../report/plan-forms.txt', import.meta.url);

/** The forms that plan documents have, as `report/plan-forms.txt` lists them. */
export const LISTED_FORMS: ReadonlySet<string> = new Set(
  readFileSync(LIST, 'utf8').trimEnd().split('\n'),
);

/** Writes the list. */
export function listForms(forms: ReadonlySet<string>): void {
  writeFileSync(LIST, `${[...forms].sort().join('\n')}\n`);
}

/** Keys whose values are fields of objects. */
const VALUES = new Set([
  'before',
  'after',
  'before_sensitive',
  'after_sensitive',
  'meshform.actions[].fields',
]);
/** Keys of objects whose own keys are names. */
const NAMED = new Set(['origins', 'secret_sources', 'members', 'member_ids', 'server_fields']);
/** Keys whose text is a word of a closed list. */
const WORDS = new Set(['actions[]', 'change', 'dialect', 'reason', 'severity', 'status', 'verb']);
const KINDS_OF_CHANGE = new Set([
  'meshform.changes[].type',
  'meshform.changes[].fields[].type',
  'meshform.actions[].precondition.type',
]);

/** The forms of a document, as `path` or `path word`: `meshform.actions[].verb delete`. */
export function formsOf(document: JsonObject): ReadonlySet<string> {
  return new Set(Object.entries(document).flatMap(([key, value]) => formsAt(key, value)));
}

function formsAt(path: string, value: Json): string[] {
  const last = path.slice(path.lastIndexOf('.') + 1);
  if (VALUES.has(last) || VALUES.has(path)) return [path, ...markersIn(value, path)];
  const own = [path, ...wordAt(path, last, value)];
  if (isList(value)) return [...own, ...value.flatMap(item => formsAt(`${path}[]`, item))];
  if (!isObject(value)) return own;
  const inside = (key: string) => (NAMED.has(last) ? `${path}.*` : `${path}.${key}`);
  return [...own, ...Object.entries(value).flatMap(([key, item]) => formsAt(inside(key), item))];
}

function wordAt(path: string, last: string, value: Json): string[] {
  if (path === 'format_version') return [`${path} ${value}`];
  if (value === null || typeof value === 'boolean') return [`${path} ${value}`];
  const isWord = WORDS.has(last) || KINDS_OF_CHANGE.has(path);
  return isWord && typeof value === 'string' ? [`${path} ${value}`] : [];
}

// `$secret` and what else stands in the place of a value.
function markersIn(value: Json, path: string): string[] {
  if (isList(value)) return value.flatMap(item => markersIn(item, path));
  if (value === null) return [`${path} null`];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key.startsWith('$') ? [`${path} ${key}`] : markersIn(item, path),
  );
}
