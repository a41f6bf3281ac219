// Keys and addresses as text: builds and parses the name of an object within its parent.
import type { Address, Key, KindName, RemoteId } from './names.ts';
import { isPlainName, jsonString } from './text/visible.ts';

const ID_PREFIX = 'id:';
const UNESCAPED_SLASH = /(?<=(?:^|[^\\])(?:\\\\)*)\//;

/**
 * The key of an object with the name `segments.at(-1)`, under the parents named before it. A slash in a name is escaped only for
 * objects with a parent, so that plain names stay plain.
 */
export function keyOf(segments: readonly string[]): Key {
  const text = segments.length === 1 ? segments[0] : segments.map(escapeSegment).join('/');
  return (text ?? '') as Key;
}

/** The names in a key of an object `depth` levels deep (1 = no parent); null if the text has another number of names. */
export function segmentsOf(key: string, depth: number): readonly string[] | null {
  if (depth === 1) return [key];
  const segments = key.split(UNESCAPED_SLASH).map(unescapeSegment);
  return segments.length === depth && segments.every(name => name !== '') ? segments : null;
}

/** The names in a key with several names, where some may be empty: the key of an item without one of its fields. */
export const namesInKey = (key: string): readonly string[] =>
  key.split(UNESCAPED_SLASH).map(unescapeSegment);

/** The key of a live object without a unique name: `id:` followed by its id. */
export function idKey(id: RemoteId): Key {
  return `${ID_PREFIX}${id}` as Key;
}

/** The id in an `id:<value>` key; null for every other key. */
export function idInKey(key: string): RemoteId | null {
  return key.startsWith(ID_PREFIX) ? (key.slice(ID_PREFIX.length) as RemoteId) : null;
}

/** `kind.key` if the key is a plain word, otherwise `kind["the key"]`. Always printable. */
export function addressOf(kind: KindName, key: Key): Address {
  return (isPlainName(key) ? `${kind}.${key}` : `${kind}[${jsonString(key)}]`) as Address;
}

/** A name escaped as a part of a key with several names. */
export const escapeSegment = (name: string): string => name.replaceAll(/[\\/]/g, '\\$&');
const unescapeSegment = (text: string): string => text.replaceAll(/\\(.)/g, '$1');
