// The identity of a peer in the overlay network: its addresses and its label, which are unique.
import { createHash } from 'node:crypto';
import { present } from '../../model/errors.ts';
import { type Account, settingsOf } from '../account/account.ts';
import { type Environment, randomBelow } from '../environment.ts';
import { formatIp, type Ip, parseIp, WIDTH } from '../normalise/ip.ts';
import { contains, type Prefix, parsePrefix } from '../normalise/prefix.ts';
import type { PeerRecord } from '../records/peers.ts';
import { invalid, precondition } from '../request/refusal.ts';

/** The longest first part of a label, which leaves room for the end of an address: a label has 63 characters at most. */
const LONGEST_LABEL = 55;

/** Parses an address; 422 if it is not in the overlay network, or a peer other than `except` has it. */
export function requestedAddress(account: Account, text: string, except?: string): Ip {
  return requested(account, text, { network: overlay(account), own: peer => peer.ip, except });
}

/** Parses an IPv6 address; 422 if it is not in the IPv6 overlay network, or a peer other than `except` has it. */
export function requestedIpv6(account: Account, text: string, except?: string): string {
  const own = (peer: PeerRecord) => ipv6(account, peer);
  return formatIp(requested(account, text, { network: overlay6(account), own, except }));
}

interface Search {
  readonly network: Prefix;
  readonly own: (peer: PeerRecord) => string;
  readonly except: string | undefined;
}

function requested(account: Account, text: string, { network, own, except }: Search): Ip {
  const ip = parseIp(text);
  if (ip === undefined) throw invalid(`invalid IP address: ${text}`);
  if (!contains(network, ip)) throw invalid(`IP address ${text} is out of range`);
  const owner = account.peers.all().find(peer => own(peer) === formatIp(ip));
  if (owner !== undefined && owner.id !== except) throw invalid(`IP address ${text} is taken`);
  return ip;
}

const byIp = ({ ip }: PeerRecord) => [ip];
const byLabel = ({ label }: PeerRecord) => [label];

/** A free address of the overlay network, searched from a random position. */
export function freeAddress(account: Account, { random }: Environment): Ip {
  const { ip, length } = overlay(account);
  // Excludes the network address and the broadcast address.
  const hosts = 2 ** (WIDTH[ip.version] - length) - 2;
  const start = randomBelow(random, hosts);
  for (let step = 0; step < hosts; step += 1) {
    const value = ip.value + BigInt(1 + ((start + step) % hosts));
    if (account.peers.having(byIp, formatIp({ ...ip, value })).length === 0)
      return { ...ip, value };
  }
  throw precondition('the overlay network has no free address');
}

/** The IPv6 address of a peer, as its records show it; undefined if the dialect has none. */
export function ipv6Of(account: Account, peer: PeerRecord, { behaviour }: Environment) {
  return behaviour.ipv6 === 'none' ? {} : { ipv6: ipv6(account, peer) };
}

/** The label of a peer: the first part of its name, followed by the end of its address if another peer has that label. */
export function freeLabel(
  account: Account,
  peer: { name: string; ip: string; id: string },
): string {
  const label = labelOf(peer.name);
  const isTaken = account.peers.having(byLabel, label).some(({ id }) => id !== peer.id);
  return label === '' || isTaken ? numberedLabel(peer) : label;
}

/** The first part of a name with the last two parts of an address; no other peer has this label. */
export function numberedLabel({ name, ip }: { name: string; ip: string }): string {
  return [labelOf(name), ...ip.split('.').slice(-2)].filter(part => part !== '').join('-');
}

function labelOf(name: string): string {
  const [first = ''] = name.toLowerCase().split('.');
  return first
    .replaceAll(/[^a-z0-9-]/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, LONGEST_LABEL);
}

function overlay(account: Account): Prefix {
  return present(parsePrefix(settingsOf(account).network), 'the overlay network of an account');
}

/** A /64 out of fd00::/8, derived from the id of the account. */
function overlay6({ id }: Account): Prefix {
  const digest = createHash('sha256').update(id).digest('hex').slice(0, 14);
  return { ip: { version: 6, value: BigInt(`0xfd${digest}`) << 64n }, length: 64 };
}

/** The address that a peer was given, or the address derived from its other address. */
function ipv6(account: Account, peer: PeerRecord): string {
  if (peer.ipv6 !== undefined) return peer.ipv6;
  const host = present(parseIp(peer.ip), 'the address of a peer').value;
  const { ip } = overlay6(account);
  return formatIp({ ...ip, value: ip.value + host });
}
