// Services that call a guarded address that no object of the account provides, such as a `host`
// outside its subnet. The address is not a destination of the account, so nobody has access to it.
// What a plan newly sends there is a right.
import type { AccessGuards } from '../../model/access/accessGates.ts';
import type { RightEntry } from '../../model/access/planAccess.ts';
import { addressOf } from '../../model/key.ts';
import { type Key, kindName } from '../../model/names.ts';
import { nameText } from '../../model/text/visible.ts';
import { type Selector, selectorOf } from '../ask/selector.ts';
import type { Comparison } from '../plan/comparison.ts';
import type { AccessState, InternetPort } from '../state/accessState.ts';
import { SERVICE } from '../state/services.ts';
import { haveCommonAddresses } from '../world/address.ts';
import { machinesAt } from '../world/machinesAt.ts';
import { leadsIn } from '../world/nameTargets.ts';
import { namesOf } from '../world/roster.ts';
import { isCalledSince, isOpenedFor } from './calledPorts.ts';

/**
 * The rights of callers to reach, through a service, a guarded address that no object provides.
 * Only services that did not call the address for the same callers at the same ports before give a
 * right.
 */
export function unprovidedRights(
  { stateBefore, stateAfter }: Pick<Comparison, 'stateBefore' | 'stateAfter'>,
  guarded: AccessGuards['guarded'],
): readonly RightEntry[] {
  const targetsOf = unprovidedTargets(stateAfter, guarded);
  const callsOf = stateAfter.internetPorts.map(port => ({ port, targets: targetsOf(port) }));
  if (!callsOf.some(({ targets }) => targets.length > 0)) return [];
  const placesThen = placesCalled(stateBefore);
  const isSince = isCalledSince(stateBefore, stateAfter);
  const found = callsOf.flatMap(({ port, targets }) =>
    targets.flatMap(({ to, selector: { name, traffic } }): RightEntry[] => {
      const isKnown = stateBefore.internetPorts.some(
        one =>
          placesThen(one).some(place => haveCommonAddresses(place, name)) &&
          isSince(port, one, traffic),
      );
      if (isKnown) return [];
      return [
        {
          object: addressOf(kindName(SERVICE), (port.service ?? '') as Key),
          right: 'exposure',
          message: `calls ${nameText(to)}, which is guarded, and which no object of the account provides`,
        },
      ];
    }),
  );
  return [...new Map(found.map(one => [`${one.object} ${one.message}`, one])).values()];
}

/** A guarded address, and its selector. */
interface UnprovidedTarget {
  readonly to: string;
  readonly selector: Selector;
}

/** Returns the guarded addresses that a service calls in a state, and that no object provides. */
export function unprovidedTargets(
  state: AccessState,
  guarded: AccessGuards['guarded'],
): (port: InternetPort) => readonly UnprovidedTarget[] {
  const targets = new Map(
    guarded.flatMap(({ to }) => {
      const selector = selectorOf(to);
      return 'fault' in selector || selector.type !== 'address' ? [] : [[to, selector] as const];
    }),
  );
  const placesOf = placesCalled(state);
  const isProvided = providedIn(state);
  return port => {
    if (port.host === undefined || targets.size === 0) return [];
    const places = placesOf(port).filter(place => !isProvided(port, place));
    return [...targets].flatMap(([to, selector]) =>
      places.some(place => haveCommonAddresses(place, selector.name)) &&
      isOpenedFor(port, selector.traffic)
        ? { to, selector }
        : [],
    );
  };
}

function placesCalled(state: AccessState): (port: InternetPort) => readonly string[] {
  const leads = leadsIn(state);
  return ({ host }) => (host === undefined ? [] : [host, ...leads(host).places]);
}

// Returns whether a line of access shows that a port leads to a place: a machine has it, the network
// resource through which the service calls it, or another one that is served. A resource that is
// disabled, or whose network has no enabled router, and a route open nothing to the callers.
function providedIn(state: AccessState): (port: InternetPort, place: string) => boolean {
  const leads = leadsIn(state);
  const machines = machinesAt(state.machines);
  const resources = state.networks.flatMap(network => {
    const isServed = network.routers.some(({ isEnabled }) => isEnabled);
    return network.resources.map(one => ({ one, isServed: isServed && one.isEnabled }));
  });
  return ({ resource = '' }, place) =>
    machines([place]).length > 0 ||
    resources.some(
      ({ one, isServed }) =>
        (isServed || namesOf(one).includes(resource)) &&
        [one.address, ...leads(one.address).places].some(own => haveCommonAddresses(own, place)),
    );
}
