// Opens secrets just before they are used, or reports why a secret cannot be opened.
import type { Fault } from '../../model/outcome.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import {
  isBlank,
  isForbidden,
  lookUp,
  missing,
  partOfSecret,
  type SecretInputs,
} from './externalInputs.ts';
import { expand, type Reference, referencesIn, referenceText } from './reference.ts';
import { decryptedText, decryptedValue, sopsReference } from './sops.ts';

/** Why a file could not be decrypted, in words that complete "… could not be decrypted: ". */
export interface Undecrypted {
  readonly why: string;
  readonly hint: string;
}

/** A file inside the folder of desired state, decrypted: as JSON if a part of it is needed, otherwise as text. */
export type Decrypt = (file: string, as: 'json' | 'text') => Promise<string | Undecrypted>;

/** The value of a secret, or why there is none. No fault contains a value. */
export async function openSecret(
  template: string,
  inputs: SecretInputs,
  decrypt: Decrypt,
): Promise<string | Fault> {
  const parts: string[] = [];
  const references = referencesIn(template);
  for (const reference of references) {
    const part = await openPart(reference, inputs, decrypt);
    if (typeof part !== 'string') return { ...part, message: part.message ?? absent(reference) };
    parts.push(part);
  }
  const value = expand(template, () => parts.shift() ?? '');
  const [first] = references;
  return first && isBlank(value) ? empty(first) : value;
}

// All parts are blank here, so the message can show the default. A part of a secret may have an empty default, but the whole
// secret must not be empty.
const empty = (reference: Reference): Fault => ({
  code: 'SECRET_UNDEFINED',
  message: `a secret is empty: ${referenceText(reference)}`,
  hint: 'its default is empty, and an empty secret protects nothing: set the source, or remove `:-`, and apply again',
});

type PartFault = Omit<Fault, 'message'> & { readonly message?: string };

// The text around a reference may be a part of the secret.
const absent = ({ source, name }: Reference): string =>
  `a secret is not set: ${referenceText({ source, name })}`;

async function openPart(
  reference: Reference,
  inputs: SecretInputs,
  decrypt: Decrypt,
): Promise<string | PartFault> {
  if (reference.source === 'var') {
    return { code: 'SECRET_UNDEFINED', hint: 'write ${env:NAME}: variables cannot hold secrets' };
  }
  if (reference.source === 'sops') return openSops(reference, inputs, decrypt);
  if (isForbidden(reference)) {
    return {
      code: 'SECRET_UNDEFINED',
      hint: `${quoted(reference.name)} is reserved for meshform`,
    };
  }
  const isWithheld = reference.source === 'env' && inputs.withheld?.(reference.name) !== undefined;
  if (isWithheld) return notThere(missing(reference, undefined, inputs), 'add it there');
  const found = partOfSecret(inputs, reference);
  return found ?? notThere(missing(reference, lookUp(inputs, reference), inputs));
}

async function openSops(
  { name, fallback }: Reference,
  inputs: SecretInputs,
  decrypt: Decrypt,
): Promise<string | PartFault> {
  const { file, path } = sopsReference(name);
  const isWhole = path.length === 0;
  const decrypted = await decrypt(file, isWhole ? 'text' : 'json');
  if (typeof decrypted !== 'string') {
    const message = `${quoted(file)} could not be decrypted: ${decrypted.why}`;
    return { code: 'SECRET_UNREADABLE', message, hint: decrypted.hint };
  }
  const value = isWhole ? decrypted.replace(/\r?\n$/, '') : decryptedValue(decrypted);
  if (value === undefined)
    return {
      code: 'SECRET_UNREADABLE',
      message: `${quoted(file)} could not be decrypted: the output of \`sops\` is not JSON`,
      hint: `check the output of ${quoted(`sops --decrypt --output-type json ${shellWord(file)}`)}: a script named \`sops\` must print nothing else on stdout`,
    };
  const found = decryptedText(value, path);
  if (found === null) {
    const message = `${quoted(path.join('.'))} of ${quoted(file)} is not a string`;
    return {
      code: 'SECRET_UNREADABLE',
      message,
      hint: `put it in quotes: sops edit ${shellWord(file)}`,
    };
  }
  if (found !== undefined && !isBlank(found)) {
    inputs.onSecret?.(found);
    return found;
  }
  return (
    fallback ??
    notThere(`${quoted(file)} ${isWhole ? 'is empty' : `has no value ${quoted(path.join('.'))}`}`)
  );
}

const notThere = (why: string, next = 'set it'): PartFault => ({
  code: 'SECRET_UNDEFINED',
  hint: `${why}; ${next} and apply again`,
});
