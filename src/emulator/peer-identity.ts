// What makes a peer itself in the overlay network: an address and a label, neither of which another peer has.

import { present } from '../model/errors.ts';
import { type Account, settingsOf } from './account.ts';
import { type Environment, randomBelow } from './environment.ts';
import { formatIp, type Ip, parseIp, WIDTH } from './normalise/ip.ts';
import { contains, type Prefix, parsePrefix } from './normalise/prefix.ts';
import { invalid, precondition } from './refusal.ts';

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** The address a text is, if it lies in the overlay network and no peer but `except` has it; 422 otherwise. */
export function requestedAddress(account: Account, text: string, except?: string): Ip {
  const ip = parseIp(text);
  if (ip === undefined) throw invalid(`invalid IP address: ${text}`);
  if (!contains(overlay(account), ip)) throw invalid(`IP address ${text} is out of range`);
  const owner = account.peers.all().find(peer => peer.ip === formatIp(ip));
  if (owner !== undefined && owner.id !== except) throw invalid(`IP address ${text} is taken`);
  return ip;
}

/** An address of the overlay network that no peer has, found from a place left to chance. */
export function freeAddress(account: Account, { random }: Environment): Ip {
  const { ip, length } = overlay(account);
  const taken = new Set(account.peers.all().map(peer => peer.ip));
  // Without the addresses of the network itself and of its broadcast.
  const hosts = 2 ** (WIDTH[ip.version] - length) - 2;
  const start = randomBelow(random, hosts);
  for (let step = 0; step < hosts; step += 1) {
    const value = ip.value + BigInt(1 + ((start + step) % hosts));
    if (!taken.has(formatIp({ ...ip, value }))) return { ...ip, value };
  }
  throw precondition('the overlay network has no free address');
}

/** The label of a peer: the first part of its name, with the end of its address where that is taken or no label. */
export function freeLabel(
  account: Account,
  peer: { name: string; ip: string; id: string },
): string {
  const [first = ''] = peer.name.toLowerCase().split('.');
  const isTaken = account.peers.all().some(other => other.label === first && other.id !== peer.id);
  if (LABEL.test(first) && !isTaken) return first;
  const clean = first.replaceAll(/[^a-z0-9-]/g, '-').replace(/^-+/, '');
  return [clean, ...peer.ip.split('.').slice(-2)].filter(part => part !== '').join('-');
}

function overlay(account: Account): Prefix {
  return present(parsePrefix(settingsOf(account).network), 'the overlay network of an account');
}
