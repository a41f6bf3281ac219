// What services of the reverse proxy open, whatever the policies say: everybody on the internet may call those without a lock.
import type { Account } from './account.ts';
import { placesOf } from './led.ts';
import type { Protocol } from './world.ts';

/** Whether a service leads everybody to a port of a machine or of a network resource. */
export function isOpened(
  account: Account,
  id: string,
  [protocol, port]: readonly [Protocol, number],
): boolean {
  return (account.services ?? []).some(
    ({ enabled, targets }) =>
      enabled &&
      protocol === 'tcp' &&
      targets.some(
        ({ enabled: isOn, port: own, target_id, host }) =>
          isOn &&
          own === port &&
          (target_id === id || (host !== undefined && isCalled(account, id, host, target_id))),
      ),
  );
}

// Whoever calls an address in a range calls what has the address: a machine of the overlay network, or another network resource. Of
// what has the whole range too, nothing is said beside the range.
function isCalled(account: Account, id: string, host: string, via: string): boolean {
  const { peers, networks } = account;
  if (peers.some(one => one.id === id && one.ip === host)) return true;
  const resources = networks.flatMap(one => one.resources);
  const [called, own] = [id, via].map(name => resources.find(one => one.id === name));
  if (called === undefined || own === undefined) return false;
  const all = [called.address, ...placesOf(account, called.address)];
  if (!all.some(place => isInside(host, place))) return false;
  return !isInside(host, own.address) || !all.some(place => isInside(own.address, place));
}

/** Whether an address or range of IPv4 is inside of another one, or the same. */
function isInside(one: string, other: string): boolean {
  const [inner, outer] = [one, other].map(rangeOf);
  if (!inner || !outer || inner.length < outer.length) return false;
  return inner.bits.slice(0, outer.length) === outer.bits.slice(0, outer.length);
}

function rangeOf(text: string) {
  const [address = '', length = '32'] = text.split('/');
  const bytes = address.split('.').map(Number);
  if (bytes.length !== 4 || bytes.some(Number.isNaN)) return undefined;
  const bits = bytes.map(byte => byte.toString(2).padStart(8, '0')).join('');
  return { bits, length: Number(length) };
}
