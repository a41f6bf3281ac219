// Services that call a name about which nothing is known. The name may lead to any address, also outside the subnet of the network
// resource through which the service calls it. So it may lead to a guarded address, and no line of access shows that.
import type { AccessGuards } from '../../model/access/accessGates.ts';
import type { RightEntry } from '../../model/access/planAccess.ts';
import { addressOf } from '../../model/key.ts';
import { type Key, kindName } from '../../model/names.ts';
import { nameText } from '../../model/text/visible.ts';
import { overlayOf, ownTargetsOf, placesOf } from '../ask/destinations.ts';
import { type Selector, selectorOf } from '../ask/selector.ts';
import type { Comparison } from '../plan/comparison.ts';
import { once } from '../routed/computedOnce.ts';
import type { Traffic } from '../sets/traffic.ts';
import type { AccessState, InternetPort } from '../state/accessState.ts';
import { SERVICE } from '../state/services.ts';
import { haveCommonAddresses, isAddressOrRange } from '../world/address.ts';
import { unknownHostsIn } from '../world/knownHosts.ts';
import { namesOf } from '../world/roster.ts';
import { isCalledSince, isOpenedFor } from './calledPorts.ts';
import { namesOfOne } from './sameObject.ts';

/**
 * The rights to call such names, at each guarded target with addresses outside the subnet: at targets in the subnet, the call is
 * access or a right anyway, unless only the name became unknown. A name about which nothing was known, and that a service called
 * for the same callers at the same ports before, gives none.
 */
export function unknownHostRights(
  states: Comparison,
  guarded: AccessGuards['guarded'],
): readonly RightEntry[] {
  const { stateBefore, stateAfter } = states;
  const called = stateAfter.internetPorts.filter(unknownHostsIn(stateAfter));
  if (called.length === 0 || guarded.length === 0) return [];
  const wasUnknown = unknownHostsIn(stateBefore);
  const isSince = isCalledSince(stateBefore, stateAfter);
  const targetsOf = unknownTargets(states, guarded);
  const found = called.flatMap(port => {
    const former = stateBefore.internetPorts.filter(({ host }) => host === port.host);
    const host = nameText(port.host ?? '');
    return targetsOf(port).flatMap(({ to, traffic, isOutside }): RightEntry[] => {
      const same = former.filter(one => isSince(port, one, traffic));
      if (same.some(wasUnknown) || (same.length === 0 && !isOutside)) return [];
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

/** A guarded target to which an unknown name may lead. */
interface UnknownTarget {
  readonly to: string;
  readonly traffic: Traffic;
  /** Whether no line of access leads the name there. */
  readonly isOutside: boolean;
}

/** Returns the guarded targets to which an unknown name of a service may lead after a plan. */
export function unknownTargets(
  states: Comparison,
  guarded: AccessGuards['guarded'],
): (port: InternetPort) => readonly UnknownTarget[] {
  const { stateAfter } = states;
  const isUnknown = unknownHostsIn(stateAfter);
  const targets = once(() =>
    guarded.flatMap(({ to }) => {
      const selector = selectorOf(to);
      if ('fault' in selector) return [];
      const addresses = guardedAddresses(states, selector).filter(isAddressOrRange);
      return addresses.length > 0 ? { to, traffic: selector.traffic, addresses } : [];
    }),
  );
  return port => {
    if (!isUnknown(port)) return [];
    const subnet = subnetOf(port, stateAfter);
    const isIn = (address: string) => subnet.some(range => haveCommonAddresses(range, address));
    return targets().flatMap(({ to, traffic, addresses }) =>
      isOpenedFor(port, traffic) ? { to, traffic, isOutside: !addresses.every(isIn) } : [],
    );
  };
}

// The addresses that a guard means; for machines, their overlay addresses.
function guardedAddresses(states: Comparison, selector: Selector): readonly string[] {
  if (selector.type === 'address') return [selector.name];
  const { world } = states.after;
  const targets = namesOfOne(states, selector).flatMap(one => ownTargetsOf(world, one) ?? []);
  const routed = targets.flatMap(one => (one.type === 'machine' ? [] : placesOf(one)));
  return [...overlayOf(world, targets), ...routed];
}

const subnetOf = ({ resource = '' }: InternetPort, { networks }: AccessState): readonly string[] =>
  networks
    .flatMap(network => network.resources)
    .flatMap(one => (namesOf(one).includes(resource) ? one.address : []));
