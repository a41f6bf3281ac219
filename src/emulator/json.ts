// Reads JSON as the server does: what follows the first value is ignored (facts §2.3).
import { malformed } from './refusal.ts';

/** The first JSON value of a text. Throws the 400 of an undecodable body where there is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parsed(text.slice(0, endOfFirst(text)));
  }
}

/** A JSON value without the fields that are null: to the server they are the same as missing ones. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutNulls(member)]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
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
