// Places to which zones lead a domain, but not for the machines that route to the domain. Nobody reaches such a place through
// these machines until one of them joins a group that gets the zone.
import { domainText } from '../../kinds/values/domain.ts';
import { servingAt, type Target } from '../flows/targets.ts';
import type { AccessState, Servers } from '../state/accessState.ts';
import { isName } from '../state/zones.ts';
import { haveCommonAddresses } from '../world/address.ts';
import { groupsByMachine, placesForGroups, receiversIn } from '../world/groupPlaces.ts';
import { EVERYBODY } from '../world/replies.ts';
import type { World } from '../world/world.ts';

/**
 * Whether zones lead the domain of a target to its place only for other machines, and for none of the machines that route to it.
 * False if no machine routes to it, or if no zone decides.
 */
export function isUnresolved({ state }: Pick<World, 'state'>, target: Target): boolean {
  if (target.type === 'machine' || target.leadingTarget === undefined) return false;
  const { served, address } = target;
  if (!isName(served)) return false;
  const { addressesFor, receivers, groupsOf } = resolvingIn(state);
  const routing = servingAt(target).flatMap(one =>
    one.isEnabled ? machinesAmong(one.servers, state) : [],
  );
  if (routing.length === 0) return false;
  const leads = (groups: readonly string[]): boolean => addressesFor(served, groups).has(address);
  if (!receivers.some(group => leads([group]))) return false;
  return !routing.some(machine => leads(groupsOf.get(machine) ?? [EVERYBODY]));
}

interface Resolving {
  /** Returns the addresses and names to which a domain leads, for machines that are in all of some groups. */
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

// Cached, because a wildcard may lead to thousands of places.
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

// The names for which a domain stands. A wildcard stands for each name below it that has a record.
function namesUnder(domain: string, { zones }: AccessState): readonly string[] {
  if (!domain.startsWith('*.')) return [domain];
  const names = zones.flatMap(({ records }) => records.map(({ name }) => domainText(name)));
  return [domain, ...names.filter(name => haveCommonAddresses(domain, name))];
}
