// Whether the machines that route to a domain resolve it to a place. Zones may resolve the domain
// to that place only for other machines.
import { domainText } from '../../kinds/values/domain.ts';
import type { AccessState, Route, Router, Servers } from '../state/accessState.ts';
import { haveCommonAddresses } from './address.ts';
import { groupsByMachine, placesForGroups, receiversIn } from './groupPlaces.ts';
import { EVERYBODY } from './replies.ts';

/** A domain, a place to which it may resolve, and the objects that serve the domain. */
interface ServedPlace {
  readonly domain: string;
  /** The address of the place, or another name. */
  readonly place: string;
  readonly serving: readonly (Router | Route)[];
}

/**
 * `resolved`: a machine that routes to the domain gets zones that resolve it to the place.
 * `unresolved`: only other machines get such zones. `undecided`: no machine routes to the domain,
 * or no zone decides.
 */
export type Resolution = 'resolved' | 'unresolved' | 'undecided';

/** Whether the machines that route to a domain in a state resolve it to a place. */
export function resolutionIn(
  state: AccessState,
  { domain, place, serving }: ServedPlace,
): Resolution {
  const routing = serving.flatMap(one => (one.isEnabled ? machinesAmong(one.servers, state) : []));
  if (routing.length === 0) return 'undecided';
  const { addressesFor, receivers, groupsOf } = resolvingIn(state);
  const leads = (groups: readonly string[]): boolean => addressesFor(domain, groups).has(place);
  if (!receivers.some(group => leads([group]))) return 'undecided';
  const isResolved = routing.some(machine => leads(groupsOf.get(machine) ?? [EVERYBODY]));
  return isResolved ? 'resolved' : 'unresolved';
}

interface Resolving {
  /**
   * Returns the addresses and names to which a domain resolves for machines that are in all of the
   * given groups.
   */
  readonly addressesFor: (domain: string, groups: readonly string[]) => ReadonlySet<string>;
  readonly receivers: readonly string[];
  readonly groupsOf: ReadonlyMap<string, readonly string[]>;
}

const known = new WeakMap<AccessState, Resolving>();

function resolvingIn(state: AccessState): Resolving {
  const found = known.get(state) ?? {
    addressesFor: addressesIn(state),
    receivers: [EVERYBODY, ...receiversIn(state)],
    groupsOf: groupsByMachine(state),
  };
  known.set(state, found);
  return found;
}

// Cached, because a wildcard may resolve to thousands of places.
function addressesIn(state: AccessState): Resolving['addressesFor'] {
  const placesFor = placesForGroups(state);
  const found = new Map<string, ReadonlySet<string>>();
  return (domain, groups) => {
    const key = [domain, ...groups].join('\n');
    const addresses =
      found.get(key) ??
      new Set(
        namesUnder(domain, state).flatMap(name => [...placesFor(name, groups).values()].flat()),
      );
    found.set(key, addresses);
    return addresses;
  };
}

function machinesAmong({ machine, groups }: Servers, state: AccessState): readonly string[] {
  const members = state.groups.flatMap(({ key, machines }) =>
    groups.includes(key) ? machines : [],
  );
  return machine === undefined ? members : [machine, ...members];
}

// A wildcard stands for each name below it that has a record.
function namesUnder(domain: string, { zones }: AccessState): readonly string[] {
  if (!domain.startsWith('*.')) return [domain];
  const names = zones.flatMap(({ records }) => records.map(({ name }) => domainText(name)));
  return [domain, ...names.filter(name => haveCommonAddresses(domain, name))];
}
