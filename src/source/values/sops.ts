// Files encrypted with SOPS. Their keys are readable and their values are not, so some faults can be found without
// decryption.
import { pathOf } from '../../model/text/pointer.ts';
import { isList, isObject, type Json, type Path } from '../../model/value.ts';
import { parseDocuments } from '../yaml/document.ts';

/** A file, and the path of a value in it. */
export interface SopsReference {
  readonly file: string;
  /** Empty for the whole file. */
  readonly path: Path;
}

/** `file#path.to.value`, `file#/path/to/value` if a key contains a dot, or a file as a whole. */
export function sopsReference(name: string): SopsReference {
  const [file = '', ...rest] = name.split('#');
  const part = rest.join('#').trim();
  const path = part.startsWith('/') ? pathOf(part) : part.split('.').filter(step => step !== '');
  return { file: file.trim(), path };
}

/** Whether a document is encrypted with SOPS: it has a section with the metadata of the encryption. */
export function isSopsDocument(value: Json): boolean {
  return isObject(value) && isObject(value.sops) && typeof value.sops.mac === 'string';
}

/** The faults of a reference that are visible in the encrypted text. */
type SopsDoubt = 'not-encrypted' | 'no-value' | 'no-text' | 'damaged';

/** An encrypted value, as `sops` reads it. */
const SEALED = /^ENC\[AES256_GCM,data:.+,iv:.+,tag:.+,type:(.+)\]$/s;

/** The fault of a reference; null if none is visible. */
export function sopsDoubt(text: string, { file, path }: SopsReference): SopsDoubt | null {
  // Other formats are not read here: their content is known only after decryption.
  if (!/\.(ya?ml|json)$/i.test(file)) return null;
  const [first] = parseDocuments({ file, text }).documents;
  if (!first || !isSopsDocument(first.value)) return 'not-encrypted';
  if (path.length === 0) return null;
  const value = valueAt(first.value, path);
  if (value === undefined || value === null || value === '' || typeof value === 'object')
    return 'no-value';
  if (typeof value !== 'string' || !value.startsWith('ENC[')) return 'not-encrypted';
  const [, type] = SEALED.exec(value) ?? [];
  if (type === undefined) return 'damaged';
  return type === 'str' || type === 'bytes' ? null : 'no-text';
}

/** A decrypted file as a value; undefined if the text is not JSON. No message repeats the text: it may contain secrets. */
export function decryptedValue(json: string): Json | undefined {
  try {
    return JSON.parse(json) as Json;
  } catch {
    return undefined;
  }
}

/**
 * The text at `path` of a decrypted file; undefined if there is no value, null if the value is not a text: a number may
 * have lost digits.
 */
export function decryptedText(decrypted: Json, path: Path): string | null | undefined {
  const value = valueAt(decrypted, path);
  return value === undefined || typeof value === 'string' ? value : null;
}

function valueAt(value: Json, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((at, step) => {
    if (isList(at)) return at[Number(step)];
    return isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }, value);
}
