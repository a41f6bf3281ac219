// Values from outside: `${env:NAME}`, `${env:NAME:-default}`, `${file:path}` and `${sops:path#part}`, and where they may
// be used (design §2).
import type { Diagnostic, Span } from '../model/diagnostic.ts';
import { didYouMean } from '../model/nearest.ts';
import { secretFrom } from '../model/secret.ts';
import { shellWord } from '../model/shellWord.ts';
import type { Json } from '../model/value.ts';
import { quoted } from '../model/visible.ts';
import { expand, hasReference, type Reference, referencesIn } from './reference.ts';
import { sopsDoubt, sopsReference } from './sops.ts';

/** Where values from outside come from, and which of them ordinary fields may use. */
export interface Inputs {
  readonly env: (name: string) => string | undefined;
  /** The text of a file inside the folder of desired state; undefined if it is not there or not inside. */
  readonly file: (path: string) => string | undefined;
  /** Names of variables and paths of files that fields other than secrets may use. */
  readonly allowed: ReadonlySet<string>;
  /** Told of every secret that is looked up, so that no message repeats it. */
  readonly onSecret?: (value: string) => void;
}

/** What a text comes to, and what is wrong with it. */
export interface FilledText {
  readonly value: Json;
  readonly diagnostics: readonly Diagnostic[];
}

/** A look-up of variables in which those of `given`, as `name=value`, come before all others. */
export function withGiven(env: Inputs['env'], given: readonly string[]): Inputs['env'] {
  const values = new Map(
    given.flatMap(text => {
      const [, name = '', value = ''] = text.match(/^([^=]+)=(.*)$/s) ?? [];
      return name === '' ? [] : [[name, value] as const];
    }),
  );
  return name => values.get(name) ?? env(name);
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
  const diagnostics = referencesIn(text).flatMap(
    reference => unreadable(reference, at) ?? secretFinding(reference, inputs, at) ?? [],
  );
  return { value: secretFrom(text), diagnostics };
}

/** What a variable or a file holds; undefined where there is none. As in a shell, `:-` stands in for what is empty too. */
export function lookUp(inputs: Inputs, { source, name, fallback }: Reference): string | undefined {
  const found = source === 'env' ? inputs.env(name) : inputs.file(name)?.replace(/\r?\n$/, '');
  // An unset secret of a pipeline often comes as "".
  return found === undefined || found === '' ? (fallback ?? found) : found;
}

/** The same for a part of a secret: nobody means an empty one, unless they say so: `${env:NAME:-}`. */
export function partOfSecret(inputs: Inputs, reference: Reference): string | undefined {
  const found = lookUp(inputs, reference);
  // What stands in for a secret is written in the files, and no secret.
  if (found !== undefined && found !== reference.fallback) inputs.onSecret?.(found);
  return found === '' && reference.fallback === undefined ? undefined : found;
}

/** Whether a reference asks for the tool's own credentials: what a pull request can change must not read them. */
export const isForbidden = ({ source, name }: Reference): boolean =>
  source === 'env' && name.toUpperCase().startsWith('MESHFORM_');

/** Why a variable or a file gives nothing, in words. */
export function missing({ source, name }: Reference, value: string | undefined): string {
  if (source === 'env')
    return `the variable ${quoted(name)} is ${value === '' ? 'empty' : 'not set'}`;
  const file = source === 'sops' ? sopsReference(name).file : name;
  return value === ''
    ? `the file ${quoted(file)} is empty`
    : `there is no file ${quoted(file)} here`;
}

const error = (code: Diagnostic['code'], message: string, at: Span, hint: string): Diagnostic => ({
  code,
  severity: 'error',
  message,
  at,
  hint,
});

function unreadable(reference: Reference, at: Span): Diagnostic | null {
  const { source, name } = reference;
  if (name === '' || (source === 'sops' && sopsReference(name).file === '')) {
    const what = source === 'env' ? 'variable' : 'file';
    return error('INPUT_UNDEFINED', `\${${source}:} names no ${what}`, at, 'write its name');
  }
  if (!isForbidden(reference)) return null;
  const message = `${quoted(name)} belongs to meshform itself and can never be read from a file`;
  return error('INPUT_FORBIDDEN', message, at, 'use a variable of another name');
}

function notAllowed({ source, name }: Reference, inputs: Inputs, at: Span): Diagnostic | null {
  if (source === 'sops') {
    const message = `${quoted(name)} is a secret, and this field is not: a plan would show it`;
    return error('INPUT_FORBIDDEN', message, at, 'use ${env:NAME} or ${file:path} here');
  }
  if (inputs.allowed.has(name)) return null;
  const what = source === 'env' ? 'variable' : 'file';
  const message = `the ${what} ${quoted(name)} is not one of the inputs that ordinary fields may use`;
  const list = `list it under \`inputs\` in meshform.yaml, or give --input ${shellWord(name)}`;
  return error('INPUT_NOT_ALLOWED', message, at, didYouMean(name, inputs.allowed) ?? list);
}

function undefinedInput(reference: Reference, at: Span): Diagnostic {
  const hint =
    reference.source === 'env'
      ? `set it, or write \${env:${reference.name}:-default}`
      : 'paths start at the folder of the files, and cannot leave it';
  return error('INPUT_UNDEFINED', missing(reference, undefined), at, hint);
}

// What can be said of a secret while nothing is opened.
function secretFinding(reference: Reference, inputs: Inputs, at: Span): Diagnostic | null {
  if (reference.source === 'sops') return sopsFinding(reference, inputs, at);
  if (partOfSecret(inputs, reference) !== undefined) return null;
  return undefinedSecret(missing(reference, lookUp(inputs, reference)), at);
}

function sopsFinding(reference: Reference, inputs: Inputs, at: Span): Diagnostic | null {
  const wanted = sopsReference(reference.name);
  const { file, path } = wanted;
  const text = inputs.file(file);
  if (text === undefined) return undefinedSecret(missing(reference, text), at);
  const part = path.join('.');
  switch (sopsDoubt(text, wanted)) {
    case 'not-encrypted': {
      const message = `${part === '' ? '' : `${quoted(part)} of `}${quoted(file)} is not encrypted with SOPS`;
      return error(
        'SECRET_LITERAL',
        message,
        at,
        `encrypt it: sops encrypt --in-place ${shellWord(file)}`,
      );
    }
    case 'no-text': {
      const message = `${quoted(part)} of ${quoted(file)} is no text, and a number may lose digits on its way`;
      return error(
        'SECRET_UNREADABLE',
        message,
        at,
        `put it in quotes: sops edit ${shellWord(file)}`,
      );
    }
    case 'no-value': {
      if (reference.fallback !== undefined) return null;
      return undefinedSecret(`there is no value ${quoted(part)} in ${quoted(file)}`, at);
    }
    case null:
      return null;
  }
}

const undefinedSecret = (why: string, at: Span): Diagnostic => ({
  code: 'SECRET_UNDEFINED',
  severity: 'note',
  message: `${why}; an apply will need it`,
  at,
});

// How servers and tools show a secret that they do not tell.
const MASK = /\*{3,}|•{3,}/;

function masked(at: Span): Diagnostic {
  const message = 'this is the mask that a secret is shown as, not the secret';
  return error(
    'SECRET_LITERAL',
    message,
    at,
    'write ${env:NAME}, ${file:path} or ${sops:path#part}',
  );
}

function literal(text: string, at: Span): Diagnostic {
  const variable = text.match(/\$\{([A-Z][A-Z0-9_]*)\}/)?.[1];
  const hint = variable
    ? `did you mean \${env:${variable}}?`
    : 'write ${env:NAME} or ${file:path}: the repository should never hold the value';
  return error('SECRET_LITERAL', 'a secret is written in the clear', at, hint);
}
