// Checks the texts of secret fields without opening a secret: their sources, and whether a value exists.
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { secretFrom } from '../../model/secrets/secret.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quotedBriefly } from '../sentenceWords.ts';
import {
  type FilledText,
  inputError,
  isBlank,
  lookUp,
  missing,
  partOfSecret,
  type SecretInputs,
  unreadable,
} from './externalInputs.ts';
import { fromRun } from './layerPaths.ts';
import {
  expand,
  hasReference,
  hasSecretReference,
  isVariableName,
  type Reference,
  referencesIn,
  referenceText,
} from './reference.ts';
import { sopsDoubt, sopsReference } from './sops.ts';
import { unusableFile } from './unusableFiles.ts';

/** Whether a text is a secret: it contains a reference to a secret, or it is a mask that servers show in place of one. */
export function isSecretText(text: string): boolean {
  return hasSecretReference(text) || MASK.test(text);
}

/** Turns the text of a secret field into a secret. The value is only checked and not stored, because a plan does not need it. */
export function secretValue(
  text: string,
  inputs: SecretInputs,
  at: Span,
  needed: Needed = 'an apply',
): FilledText {
  if (MASK.test(text)) return { value: secretFrom(''), diagnostics: [masked(at)] };
  if (!hasReference(text)) return { value: secretFrom(''), diagnostics: [literal(text, at)] };
  const diagnostics = referencesIn(text).flatMap(
    reference =>
      unreadable(reference, at) ??
      unusableFile(reference, inputs, at) ??
      secretFinding(reference, inputs, { at, needed }) ??
      [],
  );
  const empty = diagnostics.length === 0 ? emptyFinding(text, inputs, { at, needed }) : null;
  return {
    value: secretFrom(fromRun(text, inputs.layer)),
    diagnostics: empty ? [empty] : diagnostics,
  };
}

/** The operations that need the secret. */
type Needed = 'an apply' | 'a plan';

interface Asking {
  readonly at: Span;
  readonly needed: Needed;
}

function secretFinding(
  reference: Reference,
  inputs: SecretInputs,
  asking: Asking,
): Diagnostic | null {
  if (reference.source === 'var') return printed(reference, asking.at);
  if (reference.source === 'sops') return sopsFinding(reference, inputs, asking);
  const refused = withheldSecret(reference, inputs, asking.at);
  if (refused !== null) return refused;
  if (partOfSecret(inputs, reference) !== undefined) return null;
  return undefinedSecret(missing(reference, lookUp(inputs, reference), inputs), asking);
}

// The error for a variable that no apply of these files can read. A default does not prevent the error: a default is not secret,
// and it would always be used in place of the secret.
function withheldSecret(reference: Reference, inputs: SecretInputs, at: Span): Diagnostic | null {
  const { source, name } = reference;
  const fix = source === 'env' && inputs.refusesWithheld ? inputs.withheld?.(name)?.fix : undefined;
  if (fix === undefined) return null;
  return inputError('INPUT_FORBIDDEN', missing(reference, undefined, inputs), at, fix);
}

function printed({ name }: Reference, at: Span): Diagnostic {
  const message = `${quotedBriefly(`\${var:${name}}`)} cannot fill a secret field: plans print variables`;
  const variable = isVariableName(name) ? name : 'NAME';
  const hint = `write \${env:${variable}}, \${file:path} or \${sops:path#part}`;
  return inputError('INPUT_FORBIDDEN', message, at, hint);
}

function sopsFinding(
  reference: Reference,
  inputs: SecretInputs,
  asking: Asking,
): Diagnostic | null {
  const { at } = asking;
  const wanted = sopsReference(reference.name);
  const text = inputs.file(wanted.file);
  if (text === undefined) return undefinedSecret(missing(reference, text, inputs), asking);
  const file = quotedBriefly(wanted.file);
  const part = quotedBriefly(wanted.path.join('.'));
  switch (sopsDoubt(text, wanted)) {
    case 'not-encrypted': {
      const message = `${wanted.path.length === 0 ? '' : `${part} of `}${file} is not encrypted with SOPS`;
      const hint = `encrypt it: sops encrypt --in-place ${shellWord(wanted.file)}`;
      return inputError('SECRET_LITERAL', message, at, hint);
    }
    case 'damaged': {
      const message = `${part} of ${file} begins with \`ENC[\`, but is not a value that SOPS encrypted`;
      const hint = `take an undamaged version of the file from Git, or write the value again: sops edit ${shellWord(wanted.file)}`;
      return inputError('SECRET_UNREADABLE', message, at, hint);
    }
    case 'no-text': {
      const message = `${part} of ${file} is not a string, and a number may lose digits`;
      return inputError(
        'SECRET_UNREADABLE',
        message,
        at,
        `put it in quotes: sops edit ${shellWord(wanted.file)}`,
      );
    }
    case 'no-value': {
      if (reference.fallback !== undefined) return null;
      return undefinedSecret(`${file} has no value ${part}`, asking);
    }
    case null:
      return null;
  }
}

// The note about an empty default: a part of a secret may be empty by default, but the whole secret must not be empty.
function emptyFinding(text: string, inputs: SecretInputs, { at, needed }: Asking) {
  const [first] = referencesIn(text);
  const value = expand(text, reference => knownText(reference, inputs) ?? UNKNOWN);
  if (first === undefined || !isBlank(value)) return null;
  const message = `the default of ${quotedBriefly(referenceText(first))} is empty; ${needed} needs a value`;
  return { code: 'SECRET_UNDEFINED', severity: 'note', message, at } as const;
}

/** The placeholder for a value that only an apply reads. */
const UNKNOWN = '?';

function knownText(reference: Reference, inputs: SecretInputs): string | undefined {
  const { source, name, fallback } = reference;
  if (source !== 'sops') return lookUp(inputs, reference);
  const wanted = sopsReference(name);
  const text = isBlank(fallback) ? inputs.file(wanted.file) : undefined;
  return text !== undefined && sopsDoubt(text, wanted) === 'no-value' ? fallback : undefined;
}

const undefinedSecret = (why: string, { at, needed }: Asking): Diagnostic => ({
  code: 'SECRET_UNDEFINED',
  severity: 'note',
  message: `${why}; ${needed} needs it`,
  at,
});

// How servers and tools mask a secret.
const MASK = /\*{3,}|•{3,}/;

/** The error for a mask in place of the address of a web server; null for any other text. */
export const maskedAddress = (text: string, at: Span): Diagnostic | null =>
  MASK.test(text) ? masked(at) : null;

function masked(at: Span): Diagnostic {
  const message = 'this is the mask that replaces a secret in output, not the secret';
  const hint = 'write ${env:NAME}, ${file:path} or ${sops:path#part}';
  return inputError('SECRET_LITERAL', message, at, hint);
}

function literal(text: string, at: Span): Diagnostic {
  // A text that looks like a shell variable may still be a part of the secret, so it is not repeated.
  const hint = /\$\{[A-Z][A-Z0-9_]*\}/.test(text)
    ? 'write an environment variable as ${env:NAME}'
    : 'write ${env:NAME} or ${file:path}: do not store the value in the repository';
  return inputError('SECRET_LITERAL', 'a secret is written as plain text', at, hint);
}
