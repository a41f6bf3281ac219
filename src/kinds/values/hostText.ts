// The host of a target, as a program that calls it would read it. An address has many spellings (`10.20.5`, `0x0a.0x14.0.5`,
// `10.20.0.5.`).
import { parseIp, withoutZone } from './ip.ts';

/**
 * The address or name that a written host denotes. It is parsed like a web address, without user,
 * port, path and the dot at the end. A text that is not a host is returned unchanged.
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
