// Reads JSON as the server does: text after the first value is ignored (docs/server-behaviour.md#json-bodies).
import { malformed } from './refusal.ts';

/** How whole numbers may be written: as JSON has them, or in digits alone, which leaves out `1.0` and `1e2`. */
export type Integers = 'in any form' | 'in digits alone';

/** The first JSON value of a text. Throws the 400 of an undecodable body if there is none. */
export function readJson(text: string, integers: Integers = 'in any form'): unknown {
  const read = integers === 'in any form' ? JSON.parse : parseDigits;
  try {
    return read(text);
  } catch {
    return parsed(text.slice(0, endOfFirst(text)), read);
  }
}

/** A JSON value without the fields that are null: to the server they are the same as missing ones. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutNulls(member)]));
}

/** JSON in which a number with a fraction or an exponent is no number that anything takes. */
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

/** Where the object or list that a text begins with ends. */
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
