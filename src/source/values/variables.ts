// `${var:NAME}`: the external values of ordinary fields. Plans and reports print them, so only variables that were
// named for this purpose are read: no file can make a plan print a credential.
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { isBrief, quotedBriefly } from '../sentenceWords.ts';
import { type FilledText, type Inputs, inputError, unreadable } from './externalInputs.ts';
import { expand, isVariableName, openingText, type Reference, referenceText } from './reference.ts';

/** The prefix of environment variables that ordinary fields may use. */
export const VARIABLE = 'MESHFORM_VAR_';

/** The values of `${var:NAME}`: from the environment, then from the command line; the last value wins. */
export function variablesFrom(
  env: Readonly<Record<string, string | undefined>>,
  given: readonly (readonly [name: string, value: string])[],
): ReadonlyMap<string, string> {
  const inEnvironment = Object.entries(env).flatMap(([key, value]) => {
    const name = key.startsWith(VARIABLE) ? key.slice(VARIABLE.length) : '';
    // A pipeline passes an unset variable as an empty value.
    return isVariableName(name) && value ? [[name, value] as const] : [];
  });
  return new Map([...inEnvironment, ...given]);
}

/** The text of an ordinary field with its references filled in. */
export function plainValue(text: string, inputs: Inputs, at: Span): FilledText {
  const diagnostics: Diagnostic[] = [];
  const value = expand(text, written => {
    // Earlier versions treated a reference without a closing brace as text.
    if (written.isOpen && inputs.isEarlier) return openingText(written);
    const reference = inputs.isEarlier ? replacementOf(written) : written;
    const fault = unusable(reference, inputs, at);
    if (fault) {
      diagnostics.push(fault);
      return '';
    }
    inputs.onVariable?.(reference.name);
    const found = inputs.vars.get(reference.name);
    if (found === undefined && reference.fallback === undefined)
      diagnostics.push(undefinedVariable(reference, written, inputs, at));
    // As in a shell, a default also replaces an empty value.
    return found || (reference.fallback ?? '');
  });
  return { value, diagnostics };
}

/** Findings for variables of a run that no file uses. */
export function unusedVariables(
  given: readonly string[],
  used: ReadonlySet<string> = new Set(),
  strict = false,
): Diagnostic[] {
  return given
    .filter(name => !used.has(name))
    .map(name => ({
      code: 'INPUT_UNUSED',
      severity: strict ? 'error' : 'warning',
      message: `no file uses the variable ${quotedBriefly(name)}`,
      hint: didYouMean(name, used) ?? `write \${var:${name}} where it is needed, or do not set it`,
    }));
}

/** The alternative to an environment variable or a file in an ordinary field. */
export function insteadOf(reference: Reference): string {
  const { fallback, ...variable } = replacementOf(reference);
  const { name } = variable;
  const text = referenceText({
    ...variable,
    ...(fallback !== undefined && { fallback: isBrief(fallback) ? fallback : '…' }),
  });
  if (reference.source !== 'file')
    return `set ${VARIABLE}${name}, or give --var ${name}=VALUE, and write ${text}`;
  const content = `"$(cat ${isBrief(reference.name) ? shellWord(reference.name) : 'FILE'})"`;
  return `set ${VARIABLE}${name} to the content of the file, or give --var ${name}=${content}, and write ${text}`;
}

/** The variable that replaces an environment variable or a file in ordinary fields. */
function replacementOf(reference: Reference): Reference {
  const { source, name } = reference;
  if ((source !== 'env' && source !== 'file') || name === '') return reference;
  const words = name.replaceAll(/[^A-Za-z0-9]+/g, '_');
  const text = source === 'env' ? words : words.replaceAll(/^_+|_+$/g, '').toUpperCase();
  return { ...reference, source: 'var', name: isVariableName(text) ? text : `_${text}` };
}

function unusable(reference: Reference, inputs: Inputs, at: Span): Diagnostic | null {
  const { source, name } = reference;
  const own = name.startsWith(VARIABLE) ? name.slice(VARIABLE.length) : '';
  if (source === 'env' && isVariableName(own)) {
    const message = `this field reads ${quotedBriefly(name)} from a variable, not from the environment`;
    return inputError('INPUT_NOT_ALLOWED', message, at, `write \${var:${own}}`);
  }
  const fault = unreadable(reference, at);
  if (fault) return fault;
  if (source === 'sops') {
    const message = `${quotedBriefly(name)} is a secret, and this field is not: a plan would show it`;
    return inputError('INPUT_FORBIDDEN', message, at, 'use ${var:NAME} here');
  }
  if (source !== 'var') {
    const message = `${quotedBriefly(`\${${source}:${name}}`)} is allowed only in secret fields, and plans print this field`;
    return withheldHere(reference, inputs)
      ? inputError('INPUT_FORBIDDEN', message, at, WITHHELD_HINT)
      : inputError('INPUT_NOT_ALLOWED', message, at, insteadOf(reference));
  }
  if (isVariableName(name)) return null;
  const message = `a variable cannot be called ${quotedBriefly(name)}`;
  const hint = 'use letters, digits and _, and do not begin with a digit';
  return inputError('INPUT_UNDEFINED', message, at, hint);
}

// Whether these files of a fleet may not read a variable. Then nobody should be advised to put its value into a field that plans
// print.
const withheldHere = ({ source, name }: Reference, { withheld }: Inputs): boolean =>
  source === 'env' && withheld?.(name)?.fix !== undefined;

const WITHHELD_HINT =
  'remove it: these files may not read the variable, and what a plan prints should not contain its value';

function undefinedVariable(
  { name }: Reference,
  written: Reference,
  { vars }: Inputs,
  at: Span,
): Diagnostic {
  const message = `the variable ${quotedBriefly(name)} is not set`;
  const set = `set ${VARIABLE}${name}, or give --var ${name}=VALUE`;
  if (written.source !== 'var') {
    const hint = `${quotedBriefly(`\${${written.source}:${written.name}}`)} is read as \${var:${name}} in a base: ${set}`;
    return inputError('INPUT_UNDEFINED', message, at, hint);
  }
  const other = `${set}, or write \${var:${name}:-default}`;
  return inputError('INPUT_UNDEFINED', message, at, didYouMean(name, vars.keys()) ?? other);
}
