// The address ranges in an update of the account (docs/server-behaviour.md#account-settings).

import { type Ip, parseIp, WIDTH } from '../normalise/ip.ts';
import { contains, formatPrefix, masked, type Prefix, parsePrefix } from '../normalise/prefix.ts';
import { internalError, invalid } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';

/** The minimum number of hosts, and the minimum number of hosts per machine. */
const LEAST_HOSTS = 10;
const ROOM = 1.5;

const LONGEST_V4 = 28;
const LONGEST_V6 = 120;
const SHORTEST_V6 = 48;

const UNUSABLE: readonly (readonly [name: string, ranges: readonly string[]])[] = [
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['multicast', ['224.0.0.0/4', 'ff00::/8']],
  ['link-local', ['169.254.0.0/16', 'fe80::/10']],
];

/** The IPv4 range in a text, without host bits; empty if the text is empty. Throws a 422 for a range that cannot be used. */
export function newRange(account: Account, text: string): string {
  const prefix = prefixOf(text);
  if (prefix === undefined) return '';
  if (prefix.ip.version !== 4) throw invalid('network range must be an IPv4 range');
  refuseUnusable(prefix);
  if (prefix.length > LONGEST_V4) throw invalid(`network range too small: ${text}`);
  const hosts = 2 ** (WIDTH[4] - prefix.length) - 2;
  if (hosts < Math.max(LEAST_HOSTS, ROOM * account.peers.all().length))
    throw invalid('network range too small for the peers of the account');
  return formatPrefix(masked(prefix));
}

/** The IPv6 range in a text, without host bits; empty if the text is empty. Throws a 422 for a range that cannot be used. */
export function newRangeV6(text: string): string {
  const prefix = prefixOf(text);
  if (prefix === undefined) return '';
  if (prefix.ip.version !== 6) throw invalid('network range v6 must be an IPv6 range');
  if (isMapped(prefix.ip)) throw internalError();
  refuseUnusable(prefix);
  if (prefix.length > LONGEST_V6) throw invalid(`network range v6 too small: ${text}`);
  if (prefix.length < SHORTEST_V6) throw invalid(`network range v6 too large: ${text}`);
  return formatPrefix(masked(prefix));
}

function prefixOf(text: string): Prefix | undefined {
  if (text === '') return undefined;
  const prefix = parsePrefix(text);
  if (prefix === undefined) throw invalid(`invalid CIDR format: ${text}`);
  return prefix;
}

function refuseUnusable({ ip }: Prefix): void {
  for (const [name, ranges] of UNUSABLE) {
    const isIn = ranges.flatMap(range => parsePrefix(range) ?? []).some(one => contains(one, ip));
    if (isIn) throw invalid(`${name} address range not allowed for network range`);
  }
}

const MAPPED = parseIp('::ffff:0.0.0.0');

/** Whether an IPv6 address contains an IPv4 address. */
function isMapped({ value }: Ip): boolean {
  return MAPPED !== undefined && value >> 32n === MAPPED.value >> 32n;
}
