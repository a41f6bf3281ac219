// Texts as files write them so that nothing in them is read as a reference: `$${var:NAME}` stands for the text `${var:NAME}`.

const SOURCES = 'var|env|file|sops';
// The name and the default are told apart afterwards: an expression for both would try every `:-` in turn.
export const REFERENCE = new RegExp(String.raw`\$?\$\{(${SOURCES}):([^}]*)\}`, 'g');
export const OPEN_REFERENCE = new RegExp(String.raw`\$?\$\{(${SOURCES}):`, 'g');

/** What begins a reference to an entry of `for_each`: `${each.key}`. These are filled in before all others, in keys too. */
export const EACH = 'each';

/** What follows a name where it is the whole name. */
export const NAME_END = String.raw`(?![\w-])`;

/** A name with a part of an entry after it: `as` gives entries any name, so that all of them look like references. */
export const ENTRY_NAME = String.raw`[A-Za-z_]\w*(?=\.(?:key|value)(?!\w))`;

const OPENING = String.raw`\$\{(?=(?:${EACH}|${ENTRY_NAME})${NAME_END})`;
const ENTRY_OPENING = new RegExp(OPENING, 'g');
const ESCAPED_ENTRY = new RegExp(String.raw`\$(?=${OPENING})`, 'g');

/** Escapes a text so that nothing in it is read as a reference. */
export function literally(text: string): string {
  const [closed, rest] = closedPart(text);
  const escaped = `${closed.replaceAll(REFERENCE, '$$$&')}${rest.replaceAll(OPEN_REFERENCE, '$$$&')}`;
  return literalKey(escaped);
}

/** Escapes a key of a mapping, in which only entries of `for_each` are filled in. */
export function literalKey(key: string): string {
  return key.replaceAll(ENTRY_OPENING, '$$$&');
}

/** What `literalKey` has escaped. */
export function unescapedKey(key: string): string {
  return key.replaceAll(ESCAPED_ENTRY, '');
}

/** The text up to its last brace, and the rest. After the last brace no reference ends: searched for there, each beginning would be followed to the end of the text. */
export function closedPart(text: string): readonly [string, string] {
  const end = text.lastIndexOf('}') + 1;
  return [text.slice(0, end), text.slice(end)];
}
