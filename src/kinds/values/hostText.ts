// The host of a target in the form in which a program that calls it reads it: an address has many spellings (`10.20.5`,
// `0x0a.0x14.0.5`, `10.20.0.5.`).
import { parseIp, withoutZone } from './ip.ts';

/**
 * The address or the name that a written host means. It is read like a web address, without user, port, path and the dot of the
 * root zone. A text that is no host stays as it is.
 */
export function hostText(written: string): string {
  const text = written.trim();
  const plain = withoutZone(text.replace(/^\[(.*)\]$/, '$1'));
  if (parseIp(plain) !== null) return plain;
  const address = /^[a-z][a-z0-9+.-]*:[\\/]{2}/i.test(text)
    ? text.replace(/^[^:]*/, 'http')
    : `http://${text}`;
  const host = URL.parse(address)?.hostname || text;
  return host.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '');
}
