// How lines of access name what people and servers have named: one function, so that no name can imitate a part of a line.
import { idInKey } from '../key.ts';
import { jsonOf } from '../text/jsonText.ts';
import { hasHidden, isPlainName, jsonString } from '../text/visible.ts';

/** `peer/mia`; a name that is not a plain word is quoted, `peer["mia → db"]`. Selectors are read in both forms. */
export function accessName(type: string, key: string): string {
  return isPlain(key) ? `${type}/${key}` : `${type}[${jsonString(key)}]`;
}

/** The type and the key in a name that `accessName` made; null for any other text. */
export function partsOfAccessName(
  name: string,
): { readonly type: string; readonly key: string } | null {
  const [, type, plain, inQuotes] =
    /^([a-z_]+)(?:\/(.+)|\[("(?:[^"\\]|\\.)*")\])$/s.exec(name) ?? [];
  // Several parties in one text have blanks between them.
  if (type === undefined || (plain !== undefined && !isPlain(plain))) return null;
  return { type, key: plain ?? textIn(inQuotes ?? '') };
}

// Texts that were made visible have escapes that JSON has not.
function textIn(inQuotes: string): string {
  const value = jsonOf(inQuotes);
  return typeof value === 'string' ? value : inQuotes.slice(1, -1);
}

// A colon would look like the ports of a selector.
const isPlain = (key: string): boolean =>
  isPlainName(key.replaceAll('\\/', '/')) && (!key.includes(':') || idInKey(key) !== null);

/** An address, a range or a domain; what does not look like one is quoted. */
export function addressText(address: string): string {
  const isAddress = /^[\p{L}\p{N}_.:/*@-]+$/u.test(address) && !hasHidden(address);
  return isAddress ? address : jsonString(address);
}

const SELECTOR = /^([a-z_]+)\/(.*?)(:(?:(?:tcp|udp)\/[\d,*-]+|icmp|\*))?$/s;

/** A selector as somebody wrote it, in the same way. */
export function selectorText(written: string): string {
  const [, type, name = '', ports = ''] = SELECTOR.exec(written) ?? [];
  if (type !== undefined) return accessName(type, name) + ports;
  return IN_QUOTES.test(written) && !hasHidden(written) ? written : addressText(written);
}

const IN_QUOTES = /^[a-z_]+\["(?:[^"\\]|\\.)*"\](?::(?:(?:tcp|udp)\/[\d,*-]+|icmp|\*))?$/s;

const MEMBER = /^peer(?:\/|\[(?=".*"\]$))/s;

/** The name of a machine without its type: `mia`, `"mia → db"`. Other members keep theirs. */
export function machineText(name: string): string {
  return MEMBER.test(name) ? name.replace(MEMBER, '').replace(/"\]$/, '"') : name;
}
