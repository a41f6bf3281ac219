// The sources of external values: variables for ordinary fields, the environment and files for secret fields.
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import type { Withheld } from '../../model/secrets/withheld.ts';
import type { Json } from '../../model/value.ts';
import { quotedBriefly } from '../sentenceWords.ts';
import { openingText, type Reference } from './reference.ts';
import { sopsReference } from './sops.ts';
import type { UnusableFiles } from './unusableFiles.ts';

/** The sources of secret fields. */
export interface SecretInputs extends UnusableFiles {
  readonly env: (name: string) => string | undefined;
  /** Why the files of an account of a fleet get no value for a variable; undefined for a variable that they may read. */
  readonly withheld?: ((name: string) => Withheld | undefined) | undefined;
  /** Whether a variable that no apply of these files can read is an error. */
  readonly refusesWithheld?: boolean;
  /** The text of a file inside the folder of desired state; undefined if it does not exist or is outside. */
  readonly file: (path: string) => string | undefined;
  /** The path from the folder of the run to the folder of the layer that contains the files; absent for the last layer. */
  readonly layer?: string;
  /** The paths of the folders of all layers, for secrets that are opened by their position in a file. */
  readonly layers?: readonly string[];
  /** Receives every secret that is read, so that no message repeats it. */
  readonly onSecret?: (value: string) => void;
}

/** The sources of all fields. */
export interface Inputs extends SecretInputs {
  /**
   * Returns the files of another layer, given the path from the folder of the run to the folder of the layer. If absent, all
   * files are in one folder.
   */
  readonly inLayer?: (way: string) => Pick<SecretInputs, 'file' | 'unusable'>;
  /** The values of `${var:NAME}` by name: the only external values of ordinary fields. */
  readonly vars: ReadonlyMap<string, string>;
  /** Receives the name of every variable that a file uses. */
  readonly onVariable?: (name: string) => void;
  /**
   * Whether the files are an earlier revision. If one of its ordinary fields contains `${env:NAME}` or `${file:path}`, the
   * variable that replaces this reference is read, so that files for earlier versions of meshform can still be a base.
   */
  readonly isEarlier?: boolean;
}

/** A text with its references filled in, and its faults. */
export interface FilledText {
  readonly value: Json;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The value of an environment variable or a file; undefined if there is none. As in a shell, a default also replaces an
 * empty value.
 */
export function lookUp(
  inputs: SecretInputs,
  { source, name, fallback }: Reference,
): string | undefined {
  const read = source === 'env' ? inputs.env(name) : inputs.file(name)?.replace(/\r?\n$/, '');
  // Only a string counts: an environment is an object, which also has inherited properties such as `__proto__`.
  const found = typeof read === 'string' ? read : undefined;
  // A pipeline often passes an unset secret as "".
  return found === undefined || found === '' ? (fallback ?? found) : found;
}

/**
 * The same for a part of a secret. A value that is empty or blank counts as missing, because anybody would guess it; only an
 * empty default (`${env:NAME:-}`) is accepted. The caller checks whether the whole secret is blank.
 */
export function partOfSecret(inputs: SecretInputs, reference: Reference): string | undefined {
  const found = lookUp(inputs, reference);
  // A default is written in the files, and is not secret.
  if (found !== undefined && !isBlank(found) && found !== reference.fallback)
    inputs.onSecret?.(found);
  return isBlank(found) && found !== reference.fallback ? undefined : found;
}

/** Whether a reference names meshform's own credentials: files in a pull request must not read them. */
export const isForbidden = ({ source, name }: Reference): boolean =>
  source === 'env' && name.toUpperCase().startsWith('MESHFORM_');

/** Why a variable or a file has no value, in words. */
export function missing(
  { source, name }: Reference,
  value: string | undefined,
  { withheld }: Pick<SecretInputs, 'withheld'>,
): string {
  if (source === 'env') {
    const why = withheld?.(name)?.why ?? `is ${value === undefined ? 'not set' : emptiness(value)}`;
    return `the variable ${quotedBriefly(name)} ${why}`;
  }
  const file = quotedBriefly(source === 'sops' ? sopsReference(name).file : name);
  return value === undefined
    ? `the file ${file} does not exist here`
    : `the file ${file} ${value === '' ? 'is empty' : 'contains only blanks'}`;
}

const emptiness = (value: string): string => (value === '' ? 'empty' : 'only blanks');

/** Whether a value consists only of blanks. */
export const isBlank = (value: string | undefined): boolean => value?.trim() === '';

/** The error for a reference that can never have a value; null otherwise. */
export function unreadable(reference: Reference, at: Span): Diagnostic | null {
  const { source, name, isOpen } = reference;
  if (isOpen) {
    const begun = openingText(reference);
    const message = `a reference begins with ${quotedBriefly(begun)}, but has no closing \`}\``;
    const hint = `write it as ${quotedBriefly(`${begun}NAME}`)}; for the text itself, write ${quotedBriefly(`$${begun}`)}`;
    return inputError('INPUT_UNDEFINED', message, at, hint);
  }
  if (name === '' || (source === 'sops' && sopsReference(name).file === '')) {
    const what = source === 'env' || source === 'var' ? 'variable' : 'file';
    const message = `\${${source}:} lacks the name of a ${what}`;
    return inputError('INPUT_UNDEFINED', message, at, 'write its name');
  }
  if (!isForbidden(reference)) return null;
  const message = `${quotedBriefly(name)} is reserved for meshform, so files cannot use it`;
  return inputError('INPUT_FORBIDDEN', message, at, 'use a variable of another name');
}

/** The error for a reference. */
export const inputError = (
  code: Diagnostic['code'],
  message: string,
  at: Span,
  hint: string,
): Diagnostic => ({ code, severity: 'error', message, at, hint });
