// Domain names as the server accepts them (docs/server-behaviour.md#network-resources, docs/server-behaviour.md#routes).
import { domainToASCII, domainToUnicode } from 'node:url';

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?$/i;
const MAX_LENGTH = 253;

/** Whether a text is a domain, with or without `*.` before it. Labels of only digits are allowed; a final dot is not. */
export function isDomain(text: string): boolean {
  const labels = text.replace(/^\*\./, '').split('.').map(toAscii);
  if (labels.join('.').length > MAX_LENGTH) return false;
  return labels.every(label => LABEL.test(label)) && !labels.at(-1)?.startsWith('_');
}

/** A domain in ASCII. Neither a wildcard nor a final dot is allowed, and the length of the domain is not limited. */
const PLAIN = /^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$/i;

/** Whether a text is a domain in the form of names of machines and of DNS zones (docs/server-behaviour.md#dns). */
export function isPlainDomain(text: string): boolean {
  return PLAIN.test(text);
}

/** A domain in lower case with its labels in Unicode. */
export function unicodeDomain(text: string): string {
  const lower = text.toLowerCase();
  return lower
    .split('.')
    .map(label => (label.startsWith('xn--') ? domainToUnicode(label) || label : label))
    .join('.');
}

/** One label in ASCII. An ASCII label stays unchanged, because the conversion would read a numeric label as an address. */
function toAscii(label: string): string {
  return /^[\p{ASCII}]*$/u.test(label) ? label : domainToASCII(label);
}
