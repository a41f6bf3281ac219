// Names about which something is known: the account decides to which addresses they lead the machines that forward calls to them.
// Any other name may lead to any address, because servers outside the account decide that.
import { domainText } from '../../kinds/values/domain.ts';
import type { AccessState, InternetPort, Network, Servers } from '../state/accessState.ts';
import { callsByName } from '../state/zones.ts';
import { haveCommonAddresses, isAddressOrRange } from './address.ts';
import { groupsByMachine, sourcesForGroups } from './groupPlaces.ts';
import { EVERYBODY, groupIds, repliesTo, type Source, searchedNames } from './replies.ts';
import { namesOf } from './roster.ts';

const found = new WeakMap<AccessState, (port: InternetPort) => boolean>();

/**
 * Returns whether a port of a service leads to a name about which nothing is known. The name is
 * known only if every routing machine of the network through which the service calls it gets
 * records or names of machines that lead the name to addresses, and to nothing else. A zone that
 * one of them does not get, an alias to another unknown name, and an address that is a part of the
 * name tell nothing. A target that the proxy calls directly is outside the account.
 */
export function unknownHostsIn(state: AccessState): (port: InternetPort) => boolean {
  const isUnknown = found.get(state) ?? unknownIn(state);
  found.set(state, isUnknown);
  return isUnknown;
}

function unknownIn(state: AccessState): (port: InternetPort) => boolean {
  // It is uncertain who gets a zone whose groups are unknown.
  const zones = state.zones.filter(({ groups }) => groups !== undefined);
  const sourcesFor = sourcesForGroups({ ...state, zones });
  const groupsOfRouting = routingGroups(state);
  return port => {
    const { host = '', resource, isCalledDirectly } = port;
    if (resource === undefined || isCalledDirectly || !callsByName(port)) return false;
    const networks = state.networks.filter(network =>
      network.resources.some(one => namesOf(one).includes(resource)),
    );
    // Otherwise, the name is the destination itself, and a line of access has it.
    const isOfResource = networks
      .flatMap(({ resources }) => resources)
      .some(one => namesOf(one).includes(resource) && haveCommonAddresses(host, one.address));
    if (isOfResource) return false;
    const asking = networks.flatMap(groupsOfRouting);
    const isKnown = (groups: readonly string[]) => leadsToAddresses(host, sourcesFor(groups));
    return asking.length === 0 || !asking.every(isKnown);
  };
}

// The groups of each routing machine of a network. If nobody is in a group of routing machines, they
// are the groups of its first member.
function routingGroups(state: AccessState): (network: Network) => readonly (readonly string[])[] {
  const groupsOf = groupsByMachine(state);
  const ids = groupIds(state.groups);
  const membersOf = (group: string): readonly (readonly string[])[] => {
    const machines = state.groups.flatMap(one =>
      namesOf(one).includes(group) ? one.machines : [],
    );
    if (machines.length === 0) return [[EVERYBODY, ids.get(group) ?? group]];
    return machines.map(machine => groupsOf.get(machine) ?? [EVERYBODY]);
  };
  const askingAt = ({ machine, groups }: Servers) => [
    ...(machine === undefined ? [] : [groupsOf.get(machine) ?? [EVERYBODY]]),
    ...groups.flatMap(membersOf),
  ];
  return ({ routers }) =>
    routers.flatMap(({ isEnabled, servers }) => (isEnabled ? askingAt(servers) : []));
}

// Whether these sources lead a name to addresses, over any aliases. A client searches its domains
// only for names with a single label.
function leadsToAddresses(written: string, sources: readonly Source[]): boolean {
  const searched = sources.filter(({ isSearched }) => isSearched);
  const asked = new Set<string>();
  const isKnown = (name: string): boolean => {
    if (asked.has(name)) return false;
    asked.add(name);
    const whole = name.includes('.') ? [name] : [name, ...searchedNames(name, searched)];
    const answered = whole.map(one => repliesTo(one, sources)).filter(some => some.length > 0);
    const areKnown = answered.every(
      replies =>
        replies.some(({ hidingSources }) => hidingSources.length === 0) &&
        replies.every(
          ({ answer: { content } }) => isAddressOrRange(content) || isKnown(domainText(content)),
        ),
    );
    asked.delete(name);
    return answered.length > 0 && areKnown;
  };
  return isKnown(domainText(written));
}
