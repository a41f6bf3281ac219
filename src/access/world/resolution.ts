// Whether the machines that route to a domain resolve it to a place: zones may lead it there only for others.
import { domainText } from '../../kinds/values/domain.ts';
import type { AccessState, Route, Router, Servers } from '../state/accessState.ts';
import { haveCommonAddresses } from './address.ts';
import { groupsByMachine, placesForGroups, receiversIn } from './groupPlaces.ts';
import { EVERYBODY } from './replies.ts';

/** A domain, a place to which it may lead, and what serves the domain. */
interface ServedPlace {
  readonly domain: string;
  /** The address of the place, or another name. */
  readonly place: string;
  readonly serving: readonly (Router | Route)[];
}

/**
 * `resolved`: a machine that routes to the domain gets zones that lead it to the place. `unresolved`: zones do so, for others only.
 * `undecided`: no machine routes to the domain, or no zone decides.
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
  /** The addresses and names to which a domain leads for machines that are in all of some groups. */
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

// A wildcard may lead to thousands of places: they are found once.
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
