// Overlay addresses that a plan gives to another machine: an object that names such an address means the other machine
// afterwards, although the object does not change.
import { accessName } from '../../model/access/accessName.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ShownAction } from '../../model/plan.ts';
import { quoted } from '../../model/text/visible.ts';
import { targetsAround } from '../ask/destinations.ts';
import type { Comparison } from '../plan/comparison.ts';
import type { AccessState, Machine } from '../state/accessState.ts';
import { overlayAddresses } from '../state/machines.ts';
import { haveCommonAddresses } from '../world/address.ts';
import type { World } from '../world/world.ts';

/** Whether actions give machines addresses, so that the records that lead to these addresses must be known. */
export const changeAddresses = (actions: readonly ShownAction[]): boolean =>
  actions.some(
    one =>
      one.kind === 'peer' && one.verb !== 'delete' && ('ip' in one.fields || 'ipv6' in one.fields),
  );

/** An overlay address that another machine has after a plan. */
export interface TakenAddress {
  readonly address: string;
  readonly is: Machine;
  /** Undefined if no machine had the address. */
  readonly was: Machine | undefined;
}

/** The overlay addresses that a plan gives to machines, and that they did not have. */
export function addressesTaken(before: AccessState, after: AccessState): readonly TakenAddress[] {
  return after.machines.flatMap(machine =>
    overlayAddresses(machine).flatMap((address): TakenAddress[] => {
      // The server chooses within a range.
      if (address.includes('/')) return [];
      const was = before.machines.find(one => overlayAddresses(one).includes(address));
      if (was ? isSame(was, machine) : !before.machines.some(one => isSame(one, machine)))
        return [];
      return [{ address, is: machine, was }];
    }),
  );
}

const takenText = ({ address, is, was }: TakenAddress): string => {
  const former = was ? ` instead of ${accessName('peer', was.key)}` : ', and no machine has it now';
  return `${address} is the address of ${accessName('peer', is.key)}${former}`;
};

/** A note for each overlay address that a machine gets and that an object of the account names. */
export function takenAddresses({ before, after }: Comparison): readonly Diagnostic[] {
  return addressesTaken(before.world.state, after.world.state).flatMap((taken): Diagnostic[] => {
    const named = namesFor(after.world, taken.address);
    if (named.length === 0) return [];
    const message = `${takenText(taken)}, and ${named.join(', ')} ${named.length === 1 ? 'leads' : 'lead'} there`;
    return [{ code: 'NAME_MOVES', severity: 'note', message }];
  });
}

const isSame = (one: Machine, other: Machine): boolean =>
  one.id === undefined || other.id === undefined ? one.key === other.key : one.id === other.id;

// The names of the objects that name the address: records, network resources, routes and services.
function namesFor(world: World, address: string): readonly string[] {
  const { zones, internetPorts } = world.state;
  const records = zones.flatMap(({ isEnabled, records: all }) =>
    isEnabled ? all.filter(({ content }) => haveCommonAddresses(content, address)) : [],
  );
  const around = targetsAround(world, [address]);
  const hosts = internetPorts.filter(({ host }) => host && haveCommonAddresses(host, address));
  return [
    ...new Set([
      ...records.map(({ name }) => quoted(name)),
      ...around.flatMap(({ resources }) =>
        resources.map(({ resource }) => accessName('network_resource', resource.key)),
      ),
      ...around.flatMap(({ routes }) => routes.map(({ key }) => accessName('route', key))),
      ...hosts.flatMap(({ service }) => (service === undefined ? [] : quoted(service))),
    ]),
  ].sort();
}
