// Files encrypted with SOPS. Their keys are in the clear and their values are not, so much can be said without opening one.
import { pathOf } from '../../model/text/pointer.ts';
import { isList, isObject, type Json, type Path } from '../../model/value.ts';
import { parseDocuments } from '../yaml/document.ts';

/** A file, and where in it a value stands. */
export interface SopsReference {
  readonly file: string;
  /** Empty where the whole file is meant. */
  readonly path: Path;
}

/** `file#path.to.value`, `file#/path/to/value` where a key has a dot in it, or a file as a whole. */
export function sopsReference(name: string): SopsReference {
  const [file = '', ...rest] = name.split('#');
  const part = rest.join('#').trim();
  const path = part.startsWith('/') ? pathOf(part) : part.split('.').filter(step => step !== '');
  return { file: file.trim(), path };
}

/** Whether a document is encrypted with SOPS: it says how, and by which keys, in a part of its own. */
export function isSopsDocument(value: Json): boolean {
  return isObject(value) && isObject(value.sops) && typeof value.sops.mac === 'string';
}

/** What can be wrong with a reference as far as the encrypted text tells. */
type SopsDoubt = 'not-encrypted' | 'no-value' | 'no-text';

/** What is wrong with a reference; null where nothing is seen to be. */
export function sopsDoubt(text: string, { file, path }: SopsReference): SopsDoubt | null {
  // Other forms than these are not read here: what there is in them is seen when they are opened.
  if (!/\.(ya?ml|json)$/i.test(file)) return null;
  const [first] = parseDocuments({ file, text }).documents;
  if (!first || !isSopsDocument(first.value)) return 'not-encrypted';
  if (path.length === 0) return null;
  const value = valueAt(first.value, path);
  if (value === undefined || value === null || value === '' || typeof value === 'object')
    return 'no-value';
  if (typeof value !== 'string' || !value.startsWith('ENC[')) return 'not-encrypted';
  return /,type:(str|bytes)\]$/.test(value) ? null : 'no-text';
}

/**
 * The text at `path` of a decrypted file; undefined where there is nothing, null where there is something that is no
 * text: a number may have lost digits on its way.
 */
export function decryptedText(json: string, path: Path): string | null | undefined {
  const value = valueAt(JSON.parse(json) as Json, path);
  return value === undefined || typeof value === 'string' ? value : null;
}

function valueAt(value: Json, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((at, step) => {
    if (isList(at)) return at[Number(step)];
    return isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }, value);
}
