// Domain names as the server accepts and returns them (docs/server-behaviour.md#network-resources,
// docs/server-behaviour.md#routes).
import { domainToASCII, domainToUnicode } from 'node:url';

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Whether the server accepts a text as a domain: labels of letters, digits, `-` and `_`, optionally after `*.`. */
export function isDomain(text: string): boolean {
  const labels = text.replace(/^\*\./, '').toLowerCase().split('.');
  return text.length <= 253 && labels.every(label => LABEL.test(asciiLabel(label)));
}

/** The domain in lower case, with punycode as Unicode: the form in which routes show their domains. */
export function domainText(text: string): string {
  return text.toLowerCase().split('.').map(unicodeLabel).join('.');
}

// Converts label by label, because the functions of Node for whole names read all-numeric names as IPv4 addresses.
const asciiLabel = (label: string): string =>
  /^[\x20-\x7e]*$/.test(label) ? label : domainToASCII(label);
const unicodeLabel = (label: string): string =>
  label.startsWith('xn--') ? domainToUnicode(label) || label : label;
