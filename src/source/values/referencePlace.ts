// The places where the address of a webhook may refer to secrets. Its host is shown, so no part of a secret may become a part of
// the host.
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { inputError } from './externalInputs.ts';
import { expand, hasSecretReference, referencesIn } from './reference.ts';

/** Whether a text is one reference to a secret and nothing else, with or without a default. */
function isOneReference(text: string): boolean {
  return (
    hasSecretReference(text) && referencesIn(text).length === 1 && expand(text, () => '') === ''
  );
}

/** Whether a secret may be a part of the host of an address, or the whole address. Then the host is never shown. */
export function isHostSecret(text: string): boolean {
  return hasSecretReference(text) && !AUTHORITY.test(writtenBeforeReference(text));
}

/** The error for an address with a reference in its scheme, user, host or port; null if there is none. */
export function misplacedReference(text: string, at: Span): Diagnostic | null {
  if (!isHostSecret(text) || isOneReference(text)) return null;
  return inputError(
    'INPUT_FORBIDDEN',
    'this address refers to a secret in its scheme, user, host or port, and plans print the host',
    at,
    'write the reference after the host, as in https://hooks.example.com/${env:NAME}, or put the whole address into the secret',
  );
}

// A scheme, then everything up to the character that ends the host. A backslash also ends a host, but is never intended.
const AUTHORITY = /^https?:\/\/[^\s/\\?#]+[/?#]/i;

// The written text up to the first reference to a secret.
function writtenBeforeReference(text: string): string {
  const marked = expand(text, ({ source }) => (source === 'var' ? 'variable' : END));
  return marked.split(END, 1)[0] ?? '';
}

const END = '\0';
