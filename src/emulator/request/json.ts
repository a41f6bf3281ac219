// Reads JSON as the server does: text after the first value is ignored (docs/server-behaviour.md#json-bodies).
import { invalid, malformed } from './refusal.ts';

/** The accepted notations of whole numbers: any JSON number, or digits only, which excludes `1.0` and `1e2`. */
export type Integers = 'in any form' | 'in digits alone';

/** The first JSON value of a text. Throws the 400 for an undecodable body if there is none. */
export function readJson(text: string, integers: Integers = 'in any form'): unknown {
  const read = integers === 'in any form' ? JSON.parse : parseDigits;
  try {
    return read(text);
  } catch {
    return parsed(text.slice(0, endOfFirst(text)), read);
  }
}

/** A JSON value that is read strictly: no text may follow it, and no object may contain a field twice. */
export function readWholeJson(text: string): unknown {
  const value = parsed(text, JSON.parse);
  const repeated = repeatedField(text);
  if (repeated !== undefined) throw invalid(`field given twice: ${repeated}`);
  return value;
}

/** A JSON value without its null fields, which the server treats as missing. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutNulls(member)]));
}

/** Parses JSON in which numbers with a fraction or an exponent are replaced, so that no field accepts them. */
function parseDigits(text: string): unknown {
  return JSON.parse(text, (_name, value, context?: { readonly source?: string }) =>
    typeof value === 'number' && !/^-?\d+$/.test(context?.source ?? '') ? Number.NaN : value,
  );
}

function parsed(text: string, read: (text: string) => unknown): unknown {
  try {
    return read(text);
  } catch {
    throw malformed();
  }
}

/** The first field that an object of valid JSON contains twice; undefined if there is none. */
function repeatedField(text: string): string | undefined {
  // The names of each object around the position; a list has no names.
  const around: Set<string>[] = [];
  for (const [token, quoted, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[[{]|[\]}]/g)) {
    if (token === '{' || token === '[') around.push(new Set());
    if (token === '}' || token === ']') around.pop();
    if (quoted === undefined || colon === undefined) continue;
    const name: string = JSON.parse(quoted);
    if (around.at(-1)?.has(name)) return name;
    around.at(-1)?.add(name);
  }
  return undefined;
}

/** The position after the object or list at the beginning of a text. */
function endOfFirst(text: string): number {
  const tokens = /"(?:[^"\\]|\\.)*"|[[{]|[\]}]/g;
  let depth = 0;
  for (const token of text.matchAll(tokens)) {
    if (token[0] === '{' || token[0] === '[') depth += 1;
    if (token[0] === '}' || token[0] === ']') depth -= 1;
    if (depth === 0) return token.index + token[0].length;
  }
  return text.length;
}
