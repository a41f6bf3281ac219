// The posture check of a machine's network addresses. From outside, only the address from which the
// machine connects is visible.
import { bits, parseIp, parsePrefix } from '../../kinds/values/ip.ts';
import { type Fields, isList, type Json } from '../../model/value.ts';
import type { Facts } from '../state/accessState.ts';
import { fail, type JudgedCheck, pass, unknown } from './verdict.ts';

/**
 * Judges `peer_network_range_check`. If the visible address does not match, a local address may
 * match, and local addresses are not visible. A machine without any address passes neither `allow`
 * nor `deny`.
 */
export function judgeAddressRange({ ranges, action }: Fields, { address }: Facts): JudgedCheck {
  const found = isList(ranges) && address ? ranges.find(range => contains(range, address)) : null;
  const isDeny = action === 'deny';
  if (found) {
    const because = `${address} is in ${String(found)}`;
    return isDeny ? fail(because) : pass(because);
  }
  return unknown('the local addresses are not visible', isDeny && Boolean(address));
}

function contains(range: Json, address: string): boolean {
  const prefix = typeof range === 'string' ? parsePrefix(range) : null;
  const ip = parseIp(address);
  if (!prefix || !ip || prefix.version !== ip.version) return false;
  const host = BigInt(bits(ip.version) - prefix.length);
  return prefix.address >> host === ip.address >> host;
}
