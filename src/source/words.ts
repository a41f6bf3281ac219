// How values and places are called in sentences about them.

import { isList, isObject, type Json, type Path } from '../model/value.ts';
import { inYaml } from '../model/yamlText.ts';

export { inYaml };

/** The value at `path` in a sentence: the name of its field, or which member of it, counted from 1. */
export function named(path: Path): string {
  const field = path.findLast(step => !/^\d+$/.test(step));
  const last = path.at(-1) ?? '';
  const member = /^\d+$/.test(last) ? `member ${Number(last) + 1}` : undefined;
  if (field === undefined) return member ?? 'this';
  return member === undefined ? `\`${field}\`` : `${member} of \`${field}\``;
}

/** A value in a sentence; `written` is how the file has it, where that differs: `6.10`. */
export function shown(value: unknown, written?: string): string {
  if (value === null || value === undefined) return 'nothing';
  if (isList(value as Json)) return 'a list';
  if (isObject(value as Json)) return 'a mapping';
  const text = typeof value === 'string' ? value : (written ?? String(value));
  return `\`${text.length > 60 ? `${text.slice(0, 57)}…` : text}\``;
}

/** A scalar as text; nothing for lists and mappings. */
export function scalarText(value: unknown): string {
  return typeof value === 'object' ? '' : String(value);
}

/** A value of the wrong type in a sentence: a text that looks like something else has its quotes. */
export function shownAsType(value: unknown, written?: string): string {
  return shown(typeof value === 'string' ? inYaml(value) : value, written);
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
  const quoted = names.map(name => `\`${name}\``);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} ${word} ${last}`;
}
