// How a text asks for a value from outside: `${env:NAME}`, `${file:path}`, `${sops:path#part}`, each with `:-` and what
// stands in for it.

export interface Reference {
  readonly source: 'env' | 'file' | 'sops';
  /** What stands behind the colon: a variable's name or a file's path. */
  readonly name: string;
  readonly fallback?: string;
}

const REFERENCE = /\$?\$\{(env|file|sops):([^}]*?)(?::-([^}]*))?\}/g;

/** Whether a text asks for a value from outside. */
export function hasReference(text: string): boolean {
  return referencesIn(text).length > 0;
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
