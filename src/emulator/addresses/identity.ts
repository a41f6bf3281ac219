// The identity of a peer in the overlay network: its addresses and its label, which are unique.
import { createHash } from 'node:crypto';
import { present } from '../../model/errors.ts';
import { type Environment, randomBelow } from '../environment.ts';
import { allGroup, groupsOfPeer } from '../groups/membership.ts';
import { formatIp, type Ip, parseIp, WIDTH } from '../normalise/ip.ts';
import { contains, type Prefix, parsePrefix } from '../normalise/prefix.ts';
import type { PeerRecord } from '../records/peers.ts';
import { invalid, precondition } from '../request/refusal.ts';
import { type Account, settingsOf } from '../store/account.ts';

/**
 * The maximum length of the first part of a label. A label has at most 63 characters, and must have room for the end of an
 * address.
 */
const LONGEST_LABEL = 55;

/** Parses an address. Throws a 422 if it is not in the overlay network, or if a peer other than `except` has it. */
export function requestedAddress(account: Account, text: string, except?: string): Ip {
  return requested(account, text, { network: overlay(account), own: peer => peer.ip, except });
}

/** Parses an IPv6 address. Throws a 422 if it is not in the IPv6 overlay network, or if a peer other than `except` has it. */
export function requestedIpv6(account: Account, text: string, except?: string): string {
  const own = (peer: PeerRecord) => ipv6(account, peer);
  return formatIp(requested(account, text, { network: overlayV6(account), own, except }));
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

/** The IPv6 field of a peer as responses contain it; empty if the peer has no IPv6 address. */
export function ipv6Of(account: Account, peer: PeerRecord, { behaviour }: Environment) {
  if (behaviour.ipv6 === 'none' || !hasIpv6(account, peer, ipv6Groups(account))) return {};
  return { ipv6: ipv6(account, peer) };
}

/** The ids of the groups whose peers have an IPv6 address. */
export function ipv6Groups(account: Account): readonly string[] | null {
  const { ipv6_enabled_groups } = settingsOf(account);
  if (ipv6_enabled_groups !== undefined) return ipv6_enabled_groups;
  const all = allGroup(account);
  return all === undefined ? [] : [all.id];
}

function hasIpv6(account: Account, { id }: PeerRecord, groups: readonly string[] | null): boolean {
  return groupsOfPeer(account, id).some(group => groups?.includes(group.id));
}

/**
 * Removes the IPv6 address from peers that are no longer entitled to one. They get a different address if they become entitled
 * again.
 */
export function hideIpv6(account: Account, peers: readonly PeerRecord[], environment: Environment) {
  if (environment.behaviour.ipv6 === 'none') return;
  const groups = ipv6Groups(account);
  const lost = peers.filter(peer => !hasIpv6(account, peer, groups));
  const draw = ipv6Lot(account, environment);
  for (const peer of lost) account.peers.put({ ...peer, ipv6: draw() });
}

/** Removes the IPv6 address from peers that may have left a group. */
export function hideIpv6OfGroup(
  account: Account,
  group: string,
  peers: readonly PeerRecord[],
  environment: Environment,
): void {
  if (ipv6Groups(account)?.includes(group)) hideIpv6(account, peers, environment);
}

/** Gives every peer a new address of the overlay network. */
export function renumber(account: Account, environment: Environment): void {
  for (const peer of account.peers.all()) {
    // The IPv6 address may depend on the IPv4 address.
    const kept = { ...peer, ipv6: ipv6(account, peer) };
    account.peers.put({ ...kept, ip: formatIp(freeAddress(account, environment)) });
  }
}

/** Gives every peer a new address of the IPv6 overlay network. */
export function renumberV6(account: Account, environment: Environment): void {
  const draw = ipv6Lot(account, environment);
  for (const peer of account.peers.all()) account.peers.put({ ...peer, ipv6: draw() });
}

const RANDOM_BITS = 32n;

/** Returns a function that draws random free addresses of the IPv6 overlay network. */
function ipv6Lot(account: Account, { random }: Environment): () => string {
  const { ip, length } = overlayV6(account);
  const hosts = 1n << BigInt(WIDTH[6] - length);
  const taken = new Set(account.peers.all().map(peer => ipv6(account, peer)));
  const part = () => BigInt(randomBelow(random, 2 ** Number(RANDOM_BITS)));
  return () => {
    for (;;) {
      const drawn = (part() << RANDOM_BITS) | part();
      const text = formatIp({ ...ip, value: ip.value + 1n + (drawn % (hosts - 1n)) });
      if (taken.has(text)) continue;
      taken.add(text);
      return text;
    }
  };
}

/** The label of a peer: the first part of its name. If another peer has that label, the end of the peer's address follows. */
export function freeLabel(
  account: Account,
  peer: { name: string; ip: string; id: string },
): string {
  const label = labelOf(peer.name);
  const isTaken = account.peers.having(byLabel, label).some(({ id }) => id !== peer.id);
  return label === '' || isTaken ? numberedLabel(peer) : label;
}

/** The label from the first part of a name and the last two parts of an address; no other peer has this label. */
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

/** The overlay network of an account. */
export function overlay(account: Account): Prefix {
  return present(parsePrefix(settingsOf(account).network), 'the overlay network of an account');
}

/** The IPv6 overlay network of an account: the chosen one, or a /64 in fd00::/8 that is derived from the id of the account. */
export function overlayV6(account: Account): Prefix {
  const chosen = parsePrefix(settingsOf(account).network_v6);
  if (chosen !== undefined) return chosen;
  const digest = createHash('sha256').update(account.id).digest('hex').slice(0, 14);
  return { ip: { version: 6, value: BigInt(`0xfd${digest}`) << 64n }, length: 64 };
}

/** The IPv6 address that a peer was given, or the one that is derived from its IPv4 address. */
function ipv6(account: Account, peer: PeerRecord): string {
  if (peer.ipv6 !== undefined) return peer.ipv6;
  const host = present(parseIp(peer.ip), 'the address of a peer').value;
  const { ip } = overlayV6(account);
  return formatIp({ ...ip, value: ip.value + host });
}
