// Services that call a name about which nothing is known. The name may lead to any address, also outside the subnet of the network
// resource through which the service calls it. So it may lead to a guarded address, and no line of access shows that.
import type { AccessGuards } from '../../model/access/accessGates.ts';
import type { RightEntry } from '../../model/access/planAccess.ts';
import { addressOf } from '../../model/key.ts';
import { type Key, kindName } from '../../model/names.ts';
import { nameText } from '../../model/text/visible.ts';
import { addressesOf } from '../ask/destinations.ts';
import { type Selector, selectorOf } from '../ask/selector.ts';
import type { Comparison } from '../plan/comparison.ts';
import type { AccessState, InternetPort } from '../state/accessState.ts';
import { SERVICE } from '../state/services.ts';
import { haveCommonAddresses, isAddressOrRange } from '../world/address.ts';
import { unknownHostsIn } from '../world/knownHosts.ts';
import { namesOf } from '../world/roster.ts';
import { isOpenedFor, isSameCall } from './calledPorts.ts';
import { namesOfOne } from './sameObject.ts';

/**
 * The rights to call such names, at each guarded target with addresses outside the subnet: at targets in the subnet, the call is
 * access or a right anyway. A name that a service called for the same callers before gives none.
 */
export function unknownHostRights(
  states: Comparison,
  guarded: AccessGuards['guarded'],
): readonly RightEntry[] {
  const { stateBefore, stateAfter } = states;
  const called = stateAfter.internetPorts.filter(unknownHostsIn(stateAfter));
  const newly = called.filter(
    port => !stateBefore.internetPorts.some(one => one.host === port.host && isSameCall(one, port)),
  );
  if (newly.length === 0) return [];
  const targets = guarded.flatMap(({ to }) => {
    const selector = selectorOf(to);
    if ('fault' in selector) return [];
    const addresses = addressesIn(states, selector).filter(isAddressOrRange);
    return addresses.length > 0 ? { to, selector, addresses } : [];
  });
  const found = newly.flatMap(port => {
    const subnet = subnetOf(port, stateAfter);
    return targets.flatMap(({ to, selector, addresses }): RightEntry[] => {
      const isOutside = addresses.some(
        address => !subnet.some(range => haveCommonAddresses(range, address)),
      );
      if (!isOutside || !isOpenedFor(port, selector.traffic)) return [];
      const host = nameText(port.host ?? '');
      return [
        {
          object: addressOf(kindName(SERVICE), (port.service ?? '') as Key),
          right: 'exposure',
          message: `calls ${host}, about which nothing is known, and which may lead to ${nameText(to)}, which is guarded`,
        },
      ];
    });
  });
  return [...new Map(found.map(one => [`${one.object} ${one.message}`, one])).values()];
}

const addressesIn = (states: Comparison, selector: Selector): readonly string[] =>
  selector.type === 'address'
    ? [selector.name]
    : namesOfOne(states, selector).flatMap(one => addressesOf(states.after.world, one) ?? []);

const subnetOf = ({ resource = '' }: InternetPort, { networks }: AccessState): readonly string[] =>
  networks
    .flatMap(network => network.resources)
    .flatMap(one => (namesOf(one).includes(resource) ? one.address : []));
