// How values and places are called in sentences about them.
import { isList, isObject, type Json, type Path } from '../model/value.ts';
import { hasHidden, jsonString, quoted } from '../model/visible.ts';

/** The value at `path` in a sentence: the name of its field, or which member of it, counted from 1. */
export function named(path: Path): string {
  const field = path.findLast(step => !/^\d+$/.test(step));
  const last = path.at(-1) ?? '';
  const member = /^\d+$/.test(last) ? `member ${Number(last) + 1}` : undefined;
  if (field === undefined) return member ?? 'this';
  return member === undefined ? quoted(field) : `${member} of ${quoted(field)}`;
}

/** A value in a sentence; `written` is how the file has it, where that differs: `6.10`. */
export function shown(value: unknown, written?: string): string {
  if (value === null || value === undefined) return 'nothing';
  if (isList(value as Json)) return 'a list';
  if (isObject(value as Json)) return 'a mapping';
  const text = typeof value === 'string' ? value : (written ?? String(value));
  return quoted(text.length > 60 ? `${text.slice(0, 57)}…` : text);
}

/** A scalar as text; nothing for lists and mappings. */
export function scalarText(value: unknown): string {
  return typeof value === 'object' ? '' : String(value);
}

/** A value of the wrong type in a sentence: a text that looks like something else has its quotes. */
export function shownAsType(value: unknown, written?: string): string {
  return shown(typeof value === 'string' ? inYaml(value) : value, written);
}

/** A text as YAML wants it: in quotes where it would be taken for something else. */
export function inYaml(text: string): string {
  const isPlain =
    /^[\p{L}\p{N}_/.<][^:#,[\]{}"'\n]*$/u.test(text) && text === text.trimEnd() && !hasHidden(text);
  const looksElse = /^(true|false|null|[\d.]+(e[-+]?\d+)?|0[ox][\da-f]+)$/i.test(text);
  const isAddress = /\.\d+\./.test(text);
  return isPlain && (isAddress || !looksElse) ? text : jsonString(text);
}

/** A type of JSON Schema in a sentence: "must be …". */
export function typeWords(type: unknown): string {
  const words: Record<string, string> = {
    array: 'a list',
    object: 'a mapping',
    integer: 'a whole number',
    boolean: 'true or false',
    string: 'text',
    number: 'a number',
  };
  return words[String(type)] ?? String(type);
}

/** Names in a sentence: `a`, `b` and `c`. */
export function enumerated(names: readonly string[], word: 'and' | 'or'): string {
  const called = names.map(quoted);
  const last = called.pop() ?? '';
  return called.length === 0 ? last : `${called.join(', ')} ${word} ${last}`;
}
