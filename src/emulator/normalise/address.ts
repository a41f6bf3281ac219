// The canonical address of a network resource, and the type that is derived from it (docs/server-behaviour.md#network-resources).
import { isDomain } from './domain.ts';
import { formatIp, parseIp, WIDTH } from './ip.ts';
import { formatPrefix, parsePrefix } from './prefix.ts';

export interface Address {
  readonly type: 'host' | 'subnet' | 'domain';
  readonly address: string;
}

/** Parses an address; undefined if the text is not an address. Host bits are kept, and a domain is unchanged. */
export function parseAddress(text: string): Address | undefined {
  const prefix = parsePrefix(text);
  if (prefix !== undefined) {
    // The server compares with 32 or 128 in both IP versions, so an IPv6 /32 counts as a host.
    const type = prefix.length === 32 || prefix.length === 128 ? 'host' : 'subnet';
    return { type, address: formatPrefix(prefix) };
  }
  const ip = parseIp(withoutZone(text));
  if (ip !== undefined) return { type: 'host', address: `${formatIp(ip)}/${WIDTH[ip.version]}` };
  return isDomain(text) ? { type: 'domain', address: text } : undefined;
}

/** An IPv6 address without its zone, which is meaningful only on the machine where it was written. */
function withoutZone(text: string): string {
  const [address = '', zone = ''] = text.split(/%(.*)/s);
  return address.includes(':') && zone !== '' ? address : text;
}
