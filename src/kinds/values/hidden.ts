// Secrets with a visible part: of a webhook's address, only the host is shown.
import type { Live } from '../../model/object.ts';
import { isSecret, type Secret } from '../../model/secrets/secret.ts';
import type { ShownText } from '../../model/secrets/shown.ts';
import { isList, isObject, type Json, type Path } from '../../model/value.ts';
import type { Kind, KindTable, Shape } from '../kind.ts';
import { shapeAt } from './shapeAt.ts';

/** Whether a value of this shape is a secret whose host is shown. */
export function isHidden(shape: Shape | undefined): boolean {
  return shape?.type === 'scalar' && shape.shownAs === 'host';
}

/** The visible part of a web address: its host, without credentials and path. */
export function hostOf(address: string): ShownText {
  return (URL.parse(address)?.host || 'address') as ShownText;
}

/**
 * Texts that reveal a web address: the whole address, and the part after the host. Empty if the address consists only of a host.
 */
export function secretPartsOf(address: string): readonly string[] {
  const url = URL.parse(address);
  if (url === null) return address.length < TELLING ? [] : [address];
  const { pathname, search, hash, username, password } = url;
  const behind = `${pathname}${search}${hash}`;
  const credentials = `${username}${password}`;
  if (behind === '/' && credentials === '') return [];
  return [address, url.href, behind, password].filter(text => text.length >= TELLING);
}

/** Texts that reveal the host of a web address: as people write it, and as programs write it. */
export function hostPartsOf(address: string): readonly string[] {
  const url = URL.parse(address);
  if (url === null) return [];
  const [, written = ''] = /^\s*https?:[\\/]*([^\\/?#]*)/i.exec(address) ?? [];
  return [...new Set([written, url.host, url.hostname])].filter(text => text !== '');
}

/** The minimum length of a text that reveals an address. A shorter text may occur anywhere. */
const TELLING = 8;

/**
 * The value with every hidden text replaced by the result of `change`. Texts that are already replaced, and all other values,
 * stay as they are.
 */
export function mapHidden(
  shape: Shape | undefined,
  value: Json,
  change: (text: string, path: Path) => Json,
  path: Path = [],
): Json {
  if (typeof value === 'string') return isHidden(shape) ? change(value, path) : value;
  if (isSecret(value)) return value;
  if (isList(value)) {
    const items = shape?.type === 'list' ? shape.items : undefined;
    return value.map((item, i) => mapHidden(items, item, change, [...path, String(i)]));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      mapHidden(shapeAt(shape, [name]), item, change, [...path, name]),
    ]),
  );
}

/** The hidden texts in a value, and their places. */
export function hiddenPaths(
  shape: Shape | undefined,
  value: Json,
): readonly { readonly path: Path; readonly text: string }[] {
  const found: { readonly path: Path; readonly text: string }[] = [];
  mapHidden(shape, value, (text, path) => {
    found.push({ path, text });
    return text;
  });
  return found;
}

/** All texts that would reveal a hidden part of a value. */
export const hiddenIn = (shape: Shape | undefined, value: Json): readonly string[] =>
  hiddenPaths(shape, value).flatMap(({ text }) => secretPartsOf(text));

/** A value in which each hidden text is reduced to its host; the input of a digest. */
export const hostsOnly = (shape: Shape | undefined, value: Json): Json =>
  mapHidden(shape, value, hostOf);

/** A value without its hidden texts; the input of a digest if their hosts are secret too. */
export const withoutHosts = (shape: Shape | undefined, value: Json): Json =>
  mapHidden(shape, value, () => null);

/** The secrets in a value, at places where the shape shows only the host. */
export function secretsAtHidden(
  shape: Shape | undefined,
  value: Json | undefined,
  path: Path = [],
): readonly { readonly path: Path; readonly secret: Secret }[] {
  if (isSecret(value)) return isHidden(shape) ? [{ path, secret: value }] : [];
  const inside = isList(value) ? value.entries() : isObject(value) ? Object.entries(value) : [];
  return [...inside].flatMap(([name, item]) =>
    secretsAtHidden(shapeAt(shape, [String(name)]), item, [...path, String(name)]),
  );
}

/** Whether a kind has a field of which only the host is shown. */
export function hasHidden(kind: Kind): boolean {
  return known.get(kind) ?? remember(kind, holdsHidden(kind.shape));
}

const known = new WeakMap<Kind, boolean>();

function remember(kind: Kind, found: boolean): boolean {
  known.set(kind, found);
  return found;
}

function holdsHidden(shape: Shape): boolean {
  switch (shape.type) {
    case 'list':
      return holdsHidden(shape.items);
    case 'dict':
      return holdsHidden(shape.values);
    case 'object':
      return [...shape.fields.values()].some(field => holdsHidden(field.shape));
    default:
      return isHidden(shape);
  }
}

/** Registers every text that would reveal a hidden value of these objects. */
export function registerHidden(
  kinds: KindTable,
  objects: readonly Pick<Live, 'kind' | 'fields'>[],
  tell: ((value: string) => void) | undefined,
): void {
  for (const { kind: name, fields } of tell ? objects : []) {
    const kind = kinds.get(name);
    if (kind && hasHidden(kind)) for (const text of hiddenIn(kind.shape, fields)) tell?.(text);
  }
}
