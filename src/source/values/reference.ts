// References to external values in texts: `${var:NAME}` in ordinary fields; `${env:NAME}`, `${file:path}` and
// `${sops:path#part}` in secret fields; each with `:-` and a default.

import { closedPart, OPEN_REFERENCE, REFERENCE } from '../../model/text/literalText.ts';

export interface Reference {
  readonly source: 'var' | 'env' | 'file' | 'sops';
  /** The text after the colon: the name of a variable or the path of a file. */
  readonly name: string;
  readonly fallback?: string;
  /** Whether the reference has no closing brace, so that its name is unknown. */
  readonly isOpen?: true;
}

/** Whether `name` is a valid name of a variable. */
export const isVariableName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);

/** Whether a text contains a reference. */
export function hasReference(text: string): boolean {
  return referencesIn(text).length > 0;
}

/** Whether a text contains a reference to a secret. */
export function hasSecretReference(text: string): boolean {
  return referencesIn(text).some(({ source }) => source !== 'var');
}

/**
 * The references to secrets in a text, such as `env:NAME`, in their order in the text. Defaults are left out, because they may be
 * secret.
 */
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

/** A text with its references filled in. `$${env:X}` is an escape for the text `${env:X}`. */
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
  const open = rest.replaceAll(OPEN_REFERENCE, (match: string, source: Reference['source']) =>
    match.startsWith('$$') ? match.slice(1) : fill({ source, name: '', isOpen: true }),
  );
  return `${filled}${open}`;
}

/** The text with its references changed; escaped references stay escaped. */
export function withReferences(text: string, change: (reference: Reference) => string): string {
  const [closed, rest] = closedPart(text);
  const changed = closed.replaceAll(REFERENCE, match =>
    match.startsWith('$$') ? match : expand(match, change),
  );
  return `${changed}${rest}`;
}

/** A reference as written in a file. */
export function referenceText({ source, name, fallback }: Reference): string {
  return `\${${source}:${name}${fallback === undefined ? '' : `:-${fallback}`}}`;
}

/** The characters with which a reference begins. */
export const openingText = ({ source }: Reference): string => `\${${source}:`;
