// The places to which names resolve, for machines in given groups. Zones are given to groups, so
// the same name may resolve to different places for different machines.
import { domainText } from '../../kinds/values/domain.ts';
import type { AccessState } from '../state/accessState.ts';
import {
  EVERYBODY,
  groupIds,
  mayReach,
  repliesTo,
  type Source,
  searchedNames,
  sourceOfZone,
  sourcesOfMachines,
} from './replies.ts';
import { walk } from './walk.ts';

/**
 * Returns the places to which a name resolves for machines that are in all of the given groups.
 * Groups are given by ids that are the same in all states. The keys of the result identify the
 * places: a machine is the same place, whatever its address. The values are the addresses and names
 * of the places.
 */
export type PlacesFor = (
  name: string,
  groups: readonly string[],
) => ReadonlyMap<string, readonly string[]>;

/**
 * Finds the places to which names resolve in a state, if the zones and the names of machines of the
 * state decide this.
 */
export function placesForGroups(state: AccessState): PlacesFor {
  const sourcesFor = sourcesForGroups(state);
  return (written, groups) => {
    const sources = sourcesFor(groups);
    const name = domainText(written);
    return walk(
      name,
      short => searchedNames(short, sources),
      asked => repliesTo(asked, sources),
    );
  };
}

/** Returns the zones and names of machines that machines in all of the given groups get. */
export function sourcesForGroups({
  zones,
  machines,
  groups,
}: Pick<AccessState, 'zones' | 'machines' | 'groups'>): (
  groups: readonly string[],
) => readonly Source[] {
  const answering = zones.filter(({ isEnabled, records }) => isEnabled && records.length > 0);
  const all = [
    ...answering.map(zone => sourceOfZone(zone, groups)),
    ...sourcesOfMachines(machines),
  ];
  const byGroup = new Map<string, readonly Source[]>();
  return groups => {
    const key = groups.join('\n');
    const isGiven = (source: Source) => groups.some(group => mayReach(source, group));
    // These machines certainly get all of these zones, so a record in one zone may hide the answer
    // of another zone.
    const sources = byGroup.get(key) ?? all.filter(isGiven).map(givenToAll);
    byGroup.set(key, sources);
    return sources;
  };
}

const givenToAll = (source: Source): Source =>
  source.receivers.areSure
    ? { ...source, receivers: { groups: new Set([EVERYBODY]), areSure: true } }
    : source;

/** The groups that get zones in a state, by ids that are the same in all states. */
export function receiversIn({ zones, groups }: AccessState): ReadonlySet<string> {
  return new Set(zones.flatMap(zone => [...sourceOfZone(zone, groups).receivers.groups]));
}

/** The names of a state's groups, by ids that are the same in all states. */
export function groupNames({ groups }: AccessState): ReadonlyMap<string, string> {
  const ids = groupIds(groups);
  return new Map(groups.map(({ key }) => [ids.get(key) ?? key, key]));
}

/**
 * The groups of each machine that is in at least one group, by ids that are the same in all states.
 * `EVERYBODY` is always included.
 */
export function groupsByMachine({ groups }: AccessState): ReadonlyMap<string, readonly string[]> {
  const ids = groupIds(groups);
  const found = new Map<string, string[]>();
  for (const { key, machines } of groups)
    for (const machine of machines) {
      const own = found.get(machine) ?? [EVERYBODY];
      const id = ids.get(key) ?? key;
      if (!own.includes(id)) own.push(id);
      found.set(machine, own.toSorted());
    }
  return found;
}
