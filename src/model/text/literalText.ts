// How files must write a text so that no part of it is read as a reference: `$${var:NAME}` stands for the text `${var:NAME}`.

const SOURCES = 'var|env|file|sops';
// Matches a reference. Its name and default are separated afterwards: a single expression for both would try each `:-` in turn.
export const REFERENCE = new RegExp(String.raw`\$?\$\{(${SOURCES}):([^}]*)\}`, 'g');
export const OPEN_REFERENCE = new RegExp(String.raw`\$?\$\{(${SOURCES}):`, 'g');

/**
 * The name at the beginning of a reference to an entry of `for_each`: `${each.key}`. These references are filled in before all
 * others, also in keys.
 */
export const EACH = 'each';

/** Matches the end of a whole name. */
export const NAME_END = String.raw`(?![\w-])`;

/** A name followed by `.key` or `.value`. Because `as` can give entries any name, every such name looks like a reference. */
export const ENTRY_NAME = String.raw`[A-Za-z_]\w*(?=\.(?:key|value)(?!\w))`;

const OPENING = String.raw`\$\{(?=(?:${EACH}|${ENTRY_NAME})${NAME_END})`;
const ENTRY_OPENING = new RegExp(OPENING, 'g');
const ESCAPED_ENTRY = new RegExp(String.raw`\$(?=${OPENING})`, 'g');

/** Escapes a text so that no part of it is read as a reference. */
export function literally(text: string): string {
  const [closed, rest] = closedPart(text);
  const escaped = `${closed.replaceAll(REFERENCE, '$$$&')}${rest.replaceAll(OPEN_REFERENCE, '$$$&')}`;
  return literalKey(escaped);
}

/** Escapes a key of a mapping, in which only entries of `for_each` are filled in. */
export function literalKey(key: string): string {
  return key.replaceAll(ENTRY_OPENING, '$$$&');
}

/** The key without the escapes of `literalKey`. */
export function unescapedKey(key: string): string {
  return key.replaceAll(ESCAPED_ENTRY, '');
}

/**
 * The text up to its last closing brace, and the rest. The rest contains no whole reference, and searching it would be slow: each
 * beginning would be followed to the end of the text.
 */
export function closedPart(text: string): readonly [string, string] {
  const end = text.lastIndexOf('}') + 1;
  return [text.slice(0, end), text.slice(end)];
}
