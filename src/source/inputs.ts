// Values from outside: `${env:NAME}`, `${env:NAME:-default}` and `${file:path}`, and where they may be used (design §2).
import type { Diagnostic, Span } from '../model/diagnostic.ts';
import { didYouMean } from '../model/nearest.ts';
import { secretFrom } from '../model/secret.ts';
import type { Json } from '../model/value.ts';

/** Where values from outside come from, and which of them ordinary fields may use. */
export interface Inputs {
  readonly env: (name: string) => string | undefined;
  /** The text of a file inside the folder of desired state; undefined if it is not there or not inside. */
  readonly file: (path: string) => string | undefined;
  /** Names of variables and paths of files that fields other than secrets may use. */
  readonly allowed: ReadonlySet<string>;
}

/** What a text comes to, and what is wrong with it. */
export interface FilledText {
  readonly value: Json;
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether a text asks for a value from outside. */
export function hasReference(text: string): boolean {
  return [...text.matchAll(REFERENCE)].some(match => !match[0].startsWith('$$'));
}

/** Whether a text that may be a secret is one: it asks for a value from outside, or stands for one that is not shown. */
export function isSecretText(text: string): boolean {
  return hasReference(text) || MASK.test(text);
}

/** An ordinary field's text with its references filled in. */
export function plainValue(text: string, inputs: Inputs, at: Span): FilledText {
  const diagnostics: Diagnostic[] = [];
  const value = expand(text, reference => {
    const refusal = unreadable(reference, at) ?? notAllowed(reference, inputs, at);
    const found = refusal ? undefined : lookUp(inputs, reference);
    if (refusal) diagnostics.push(refusal);
    else if (found === undefined) diagnostics.push(undefinedInput(reference, at));
    return found ?? '';
  });
  return { value, diagnostics };
}

/**
 * A secret field's text as a secret. Its value is not kept: only looked for, so that a plan can be made without it.
 */
export function secretValue(text: string, inputs: Inputs, at: Span): FilledText {
  if (MASK.test(text)) return { value: secretFrom(''), diagnostics: [masked(at)] };
  if (!hasReference(text)) return { value: secretFrom(''), diagnostics: [literal(text, at)] };
  const diagnostics: Diagnostic[] = [];
  expand(text, reference => {
    const refusal = unreadable(reference, at);
    if (refusal) diagnostics.push(refusal);
    else if (partOfSecret(inputs, reference) === undefined)
      diagnostics.push(undefinedSecret(reference, inputs, at));
    return '';
  });
  return { value: secretFrom(text), diagnostics };
}

/** The value of a secret, for the moment it is sent; null if a part of it is not there, or empty. */
export function openSecret(template: string, inputs: Inputs): string | null {
  let isWhole = true;
  const value = expand(template, reference => {
    const found = isForbidden(reference) ? undefined : partOfSecret(inputs, reference);
    isWhole &&= found !== undefined;
    return found ?? '';
  });
  return isWhole ? value : null;
}

interface Reference {
  readonly source: 'env' | 'file';
  readonly name: string;
  readonly fallback?: string;
}

const REFERENCE = /\$?\$\{(env|file):([^}]*?)(?::-([^}]*))?\}/g;

// `$${env:X}` stands for the text `${env:X}` itself.
function expand(text: string, fill: (reference: Reference) => string): string {
  return text.replaceAll(
    REFERENCE,
    (match: string, source: Reference['source'], name: string, fallback?: string) =>
      match.startsWith('$$')
        ? match.slice(1)
        : fill({ source, name: name.trim(), ...(fallback !== undefined && { fallback }) }),
  );
}

// As in a shell, `:-` also stands in for what is empty: an unset secret of a pipeline often comes as "".
function lookUp(inputs: Inputs, { source, name, fallback }: Reference): string | undefined {
  const found = source === 'env' ? inputs.env(name) : inputs.file(name)?.replace(/\r?\n$/, '');
  return found === undefined || found === '' ? (fallback ?? found) : found;
}

// Nobody means an empty secret, unless they say so: `${env:NAME:-}`.
function partOfSecret(inputs: Inputs, reference: Reference): string | undefined {
  const found = lookUp(inputs, reference);
  return found === '' && reference.fallback === undefined ? undefined : found;
}

// The tool's own credentials must not be readable by what a pull request can change.
const isForbidden = ({ source, name }: Reference): boolean =>
  source === 'env' && name.toUpperCase().startsWith('MESHFORM_');

const error = (code: Diagnostic['code'], message: string, at: Span, hint: string): Diagnostic => ({
  code,
  severity: 'error',
  message,
  at,
  hint,
});

function unreadable(reference: Reference, at: Span): Diagnostic | null {
  const { source, name } = reference;
  if (name === '') {
    const what = source === 'env' ? 'variable' : 'file';
    return error('INPUT_UNDEFINED', `\${${source}:} names no ${what}`, at, 'write its name');
  }
  if (!isForbidden(reference)) return null;
  const message = `\`${name}\` belongs to meshform itself and can never be read from a file`;
  return error('INPUT_FORBIDDEN', message, at, 'use a variable of another name');
}

function notAllowed({ source, name }: Reference, inputs: Inputs, at: Span): Diagnostic | null {
  if (inputs.allowed.has(name)) return null;
  const what = source === 'env' ? 'variable' : 'file';
  const message = `the ${what} \`${name}\` is not one of the inputs that ordinary fields may use`;
  const list = `list it under \`inputs\` in meshform.yaml, or give --input ${name}`;
  return error('INPUT_NOT_ALLOWED', message, at, didYouMean(name, inputs.allowed) ?? list);
}

function missing({ source, name }: Reference, value: string | undefined): string {
  if (source === 'env') return `the variable \`${name}\` is ${value === '' ? 'empty' : 'not set'}`;
  return value === '' ? `the file \`${name}\` is empty` : `there is no file \`${name}\` here`;
}

function undefinedInput(reference: Reference, at: Span): Diagnostic {
  const hint =
    reference.source === 'env'
      ? `set it, or write \${env:${reference.name}:-default}`
      : 'paths start at the folder of the files, and cannot leave it';
  return error('INPUT_UNDEFINED', missing(reference, undefined), at, hint);
}

function undefinedSecret(reference: Reference, inputs: Inputs, at: Span): Diagnostic {
  const message = `${missing(reference, lookUp(inputs, reference))}; an apply will need it`;
  return { code: 'SECRET_UNDEFINED', severity: 'note', message, at };
}

// How servers and tools show a secret that they do not tell.
const MASK = /\*{3,}|•{3,}/;

function masked(at: Span): Diagnostic {
  const message = 'this is the mask that a secret is shown as, not the secret';
  return error('SECRET_LITERAL', message, at, 'write ${env:NAME} or ${file:path}');
}

function literal(text: string, at: Span): Diagnostic {
  const variable = text.match(/\$\{([A-Z][A-Z0-9_]*)\}/)?.[1];
  const hint = variable
    ? `did you mean \${env:${variable}}?`
    : 'write ${env:NAME} or ${file:path}: the repository should never hold the value';
  return error('SECRET_LITERAL', 'a secret is written in the clear', at, hint);
}
