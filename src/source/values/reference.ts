// How a text asks for a value from outside: `${var:NAME}` in ordinary fields; `${env:NAME}`, `${file:path}` and
// `${sops:path#part}` in secret ones; each with `:-` and a default.

export interface Reference {
  readonly source: 'var' | 'env' | 'file' | 'sops';
  /** The text after the colon: a variable's name or a file's path. */
  readonly name: string;
  readonly fallback?: string;
}

/** Whether a variable can be called `name`. */
export const isVariableName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);

const SOURCES = 'var|env|file|sops';
const REFERENCE = new RegExp(String.raw`\$?\$\{(${SOURCES}):([^}]*?)(?::-([^}]*))?\}`, 'g');
const OPENING = new RegExp(String.raw`\$\{(?=(?:${SOURCES}):[^}]*\})`, 'g');

/** Whether a text asks for a value from outside. */
export function hasReference(text: string): boolean {
  return referencesIn(text).length > 0;
}

/** Whether a text asks for a secret from outside. */
export function hasSecretReference(text: string): boolean {
  return referencesIn(text).some(({ source }) => source !== 'var');
}

/** Whether a text is one reference to a secret and nothing else, so that it can be shown. */
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

/** Everything that a text asks for, in the order in which it does. */
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
  return text.replaceAll(
    REFERENCE,
    (match: string, source: Reference['source'], name: string, fallback?: string) =>
      match.startsWith('$$')
        ? match.slice(1)
        : fill({ source, name: name.trim(), ...(fallback !== undefined && { fallback }) }),
  );
}

/** A text that stands for itself when it is read: nothing in it is filled in from outside. */
export function literally(text: string): string {
  return text.replaceAll(OPENING, '$$$&');
}

/** A reference as a file has it. */
export function referenceText({ source, name, fallback }: Reference): string {
  return `\${${source}:${name}${fallback === undefined ? '' : `:-${fallback}`}}`;
}
