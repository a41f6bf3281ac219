// The names of values and places in sentences.
import { TYPE_WORDS } from '../kinds/schema/constraintWords.ts';
import { quoted, visible } from '../model/text/visible.ts';
import { isList, isObject, type Json, type Path } from '../model/value.ts';

/** The value at `path` in a sentence: the name of its field, or the position in a list, counted from 1. */
export function named(path: Path): string {
  const key = path.findLast(step => !/^\d+$/.test(step));
  const field = key === undefined ? undefined : quotedBriefly(key);
  const last = path.at(-1) ?? '';
  const member = /^\d+$/.test(last) ? `member ${Number(last) + 1}` : undefined;
  if (field === undefined) return member ?? 'this';
  return member === undefined ? field : `${member} of ${field}`;
}

/** The maximum length of a text that a sentence repeats. */
const LONGEST = 60;

/** A key, a name or a reference of a file in a sentence: in backticks, shortened if it is long. */
export function quotedBriefly(text: string): string {
  return quoted(brief(text));
}

/** Whether a sentence can repeat a text exactly: it is short and has no hidden characters. */
export const isBrief = (text: string): boolean => brief(text) === text;

/** The same without the backticks. */
export function brief(text: string): string {
  const line = [...visible(text)];
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 3).join('')}…` : line.join('');
}

/**
 * The type of a value in a sentence: "not a list". Never the value itself: a file behind a link, or a field that was
 * filled by mistake, may contain a secret.
 */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (isList(value as Json)) return 'a list';
  if (isObject(value as Json)) return 'a mapping';
  return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}

/** A scalar as text; empty for lists and mappings. */
export function scalarText(value: unknown): string {
  return typeof value === 'object' ? '' : String(value);
}

/** A type of JSON Schema, or one of several, in a sentence: "must be …". */
export function typeWords(type: unknown): string {
  return String(type)
    .split(',')
    .map(name => TYPE_WORDS[name] ?? name)
    .join(' or ');
}

/** A list of names in a sentence: `a`, `b` and `c`. */
export function enumerated(names: readonly string[], word: 'and' | 'or'): string {
  const all = names.map(quotedBriefly);
  const last = all.pop() ?? '';
  return all.length === 0 ? last : `${all.join(', ')} ${word} ${last}`;
}
