// How lines about access show names that people and servers chose. Only this file writes names in this form, so that no name can
// imitate another part of a line.
import { idInKey } from '../key.ts';
import { jsonOf } from '../text/jsonText.ts';
import { hasHidden, isPlainName, jsonString } from '../text/visible.ts';

/**
 * The name in a line: `peer/mia`. A name that is not a plain word is quoted: `peer["mia → db"]`. Selectors are read in both
 * forms.
 */
export function accessName(type: string, key: string): string {
  return isPlain(key) ? `${type}/${key}` : `${type}[${jsonString(key)}]`;
}

/** The type and the key in a name from `accessName`; null for any other text. */
export function partsOfAccessName(
  name: string,
): { readonly type: string; readonly key: string } | null {
  const [, type, plain, inQuotes] =
    /^([a-z_]+)(?:\/(.+)|\[("(?:[^"\\]|\\.)*")\])$/s.exec(name) ?? [];
  // A text that names several parties contains blanks, so it is not a name.
  if (type === undefined || (plain !== undefined && !isPlain(plain))) return null;
  return { type, key: plain ?? textIn(inQuotes ?? '') };
}

// The text inside quotes. If `visible` escaped the text, it contains escapes that JSON does not have.
function textIn(inQuotes: string): string {
  const value = jsonOf(inQuotes);
  return typeof value === 'string' ? value : inQuotes.slice(1, -1);
}

// Whether a key is plain: a colon would look like the ports of a selector.
const isPlain = (key: string): boolean =>
  isPlainName(key.replaceAll('\\/', '/')) && (!key.includes(':') || idInKey(key) !== null);

/** An address, a range or a domain as text; a text that does not look like one of these is quoted. */
export function addressText(address: string): string {
  const isAddress = /^[\p{L}\p{N}_.:/*@-]+$/u.test(address) && !hasHidden(address);
  return isAddress ? address : jsonString(address);
}

const SELECTOR = /^([a-z_]+)\/(.*?)(:(?:(?:tcp|udp)\/[\d,*-]+|icmp|\*))?$/s;

/** A written selector, with its names in the form of `accessName`. */
export function selectorText(written: string): string {
  const [, type, name = '', ports = ''] = SELECTOR.exec(written) ?? [];
  if (type !== undefined) return accessName(type, name) + ports;
  return IN_QUOTES.test(written) && !hasHidden(written) ? written : addressText(written);
}

const IN_QUOTES = /^[a-z_]+\["(?:[^"\\]|\\.)*"\](?::(?:(?:tcp|udp)\/[\d,*-]+|icmp|\*))?$/s;

const MEMBER = /^peer(?:\/|\[(?=".*"\]$))/s;

/** The name of a machine without its type: `mia`, `"mia → db"`. Other members keep their type. */
export function machineText(name: string): string {
  return MEMBER.test(name) ? name.replace(MEMBER, '').replace(/"\]$/, '"') : name;
}
