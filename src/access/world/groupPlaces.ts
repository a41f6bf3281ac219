// What names lead to for machines by their groups: zones are given to groups, so one name may lead some machines elsewhere than
// others.
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
 * The addresses and names of the places that a name leads to for machines that are in all of some groups, by what identifies a group in all
 * states. The keys identify the places: a machine is the same place whatever its address.
 */
export type PlacesFor = (
  name: string,
  groups: readonly string[],
) => ReadonlyMap<string, readonly string[]>;

/** Where names lead in a state, as far as its zones and the names of its machines decide. */
export function placesForGroups({ zones, machines, groups }: AccessState): PlacesFor {
  const answering = zones.filter(({ isEnabled, records }) => isEnabled && records.length > 0);
  const all = [
    ...answering.map(zone => sourceOfZone(zone, groups)),
    ...sourcesOfMachines(machines),
  ];
  const byGroup = new Map<string, readonly Source[]>();
  return (written, groups) => {
    const key = groups.join('\n');
    const isGiven = (source: Source) => groups.some(group => mayReach(source, group));
    // These machines surely get all of these zones, so a record in one zone hides the answer of another.
    const sources = byGroup.get(key) ?? all.filter(isGiven).map(givenToAll);
    byGroup.set(key, sources);
    const name = domainText(written);
    return walk(
      name,
      short => searchedNames(short, sources),
      asked => repliesTo(asked, sources),
    );
  };
}

const givenToAll = (source: Source): Source =>
  source.receivers.areSure
    ? { ...source, receivers: { groups: new Set([EVERYBODY]), areSure: true } }
    : source;

/** The groups that get zones in a state, by ids that are the same in all states, with the names of all groups. */
export function receiversIn({ zones, groups }: AccessState): ReadonlySet<string> {
  return new Set(zones.flatMap(zone => [...sourceOfZone(zone, groups).receivers.groups]));
}

/** The names of a state's groups, by ids that are the same in all states. */
export function groupNames({ groups }: AccessState): ReadonlyMap<string, string> {
  const ids = groupIds(groups);
  return new Map(groups.map(({ key }) => [ids.get(key) ?? key, key]));
}

/** The groups of each machine that is in one, by ids that are the same in all states, with that of all machines. */
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
