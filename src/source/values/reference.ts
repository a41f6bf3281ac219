// References to external values in texts: `${var:NAME}` in ordinary fields; `${env:NAME}`, `${file:path}` and
// `${sops:path#part}` in secret fields; each with `:-` and a default.

export interface Reference {
  readonly source: 'var' | 'env' | 'file' | 'sops';
  /** The text after the colon: the name of a variable or the path of a file. */
  readonly name: string;
  readonly fallback?: string;
  /** Whether no brace ends the reference, so that its name is not known. */
  readonly isOpen?: true;
}

/** Whether `name` is a valid name of a variable. */
export const isVariableName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);

const SOURCES = 'var|env|file|sops';
// The name and the default are told apart afterwards: an expression for both would try every `:-` in turn.
const REFERENCE = new RegExp(String.raw`\$?\$\{(${SOURCES}):([^}]*)\}`, 'g');
const OPEN = new RegExp(String.raw`\$?\$\{(${SOURCES}):`, 'g');

/** What begins a reference to an entry of `for_each`: `${each.key}`. These are filled in before all others, in keys too. */
export const EACH = 'each';

/** What follows a name where it is the whole name. */
export const NAME_END = String.raw`(?![\w-])`;

const EACH_OPENING = new RegExp(String.raw`\$\{(?=${EACH}${NAME_END})`, 'g');
const ESCAPED_EACH = new RegExp(String.raw`\$(?=\$\{${EACH}${NAME_END})`, 'g');

/** Whether a text contains a reference. */
export function hasReference(text: string): boolean {
  return referencesIn(text).length > 0;
}

/** Whether a text contains a reference to a secret. */
export function hasSecretReference(text: string): boolean {
  return referencesIn(text).some(({ source }) => source !== 'var');
}

/** What a text refers to for secrets, such as `env:NAME`, in its order and without defaults, which may be secret. */
export function secretReferences(text: string): string[] {
  return referencesIn(text).flatMap(({ source, name }) =>
    source === 'var' ? [] : [`${source}:${name}`],
  );
}

/** Whether a text is a single reference to a secret, so that it can be shown. */
export function isWholeReference(text: string): boolean {
  const [reference, ...others] = referencesIn(text);
  return (
    reference !== undefined &&
    others.length === 0 &&
    reference.source !== 'var' &&
    reference.fallback === undefined &&
    expand(text, () => '') === ''
  );
}

/** All references of a text, in their order. */
export function referencesIn(text: string): Reference[] {
  const found: Reference[] = [];
  expand(text, reference => {
    found.push(reference);
    return '';
  });
  return found;
}

/** A text with its references filled in. `$${env:X}` stands for the text `${env:X}` itself. */
export function expand(text: string, fill: (reference: Reference) => string): string {
  const [closed, rest] = closedPart(text);
  const filled = closed.replaceAll(
    REFERENCE,
    (match: string, source: Reference['source'], inside: string) => {
      if (match.startsWith('$$')) return match.slice(1);
      const [name = '', ...fallback] = inside.split(':-');
      const isGiven = fallback.length > 0;
      return fill({ source, name: name.trim(), ...(isGiven && { fallback: fallback.join(':-') }) });
    },
  );
  const open = rest.replaceAll(OPEN, (match: string, source: Reference['source']) =>
    match.startsWith('$$') ? match.slice(1) : fill({ source, name: '', isOpen: true }),
  );
  return `${filled}${open}`;
}

/** A text with other references; escaped ones stay escaped. */
export function withReferences(text: string, change: (reference: Reference) => string): string {
  const [closed, rest] = closedPart(text);
  const changed = closed.replaceAll(REFERENCE, match =>
    match.startsWith('$$') ? match : expand(match, change),
  );
  return `${changed}${rest}`;
}

// After the last brace no reference ends: searched for there, each beginning would be followed to the end of the text.
function closedPart(text: string): readonly [string, string] {
  const end = text.lastIndexOf('}') + 1;
  return [text.slice(0, end), text.slice(end)];
}

/** Escapes a text so that nothing in it is read as a reference. */
export function literally(text: string): string {
  const [closed, rest] = closedPart(text);
  const escaped = `${closed.replaceAll(REFERENCE, '$$$&')}${rest.replaceAll(OPEN, '$$$&')}`;
  return literalKey(escaped);
}

/** Escapes a key of a mapping, in which only entries of `for_each` are filled in. */
export function literalKey(key: string): string {
  return key.replaceAll(EACH_OPENING, '$$$&');
}

/** What `literalKey` has escaped. */
export function unescapedKey(key: string): string {
  return key.replaceAll(ESCAPED_EACH, '');
}

/** A reference as written in a file. */
export function referenceText({ source, name, fallback }: Reference): string {
  return `\${${source}:${name}${fallback === undefined ? '' : `:-${fallback}`}}`;
}

/** What begins a reference. */
export const openingText = ({ source }: Reference): string => `\${${source}:`;
