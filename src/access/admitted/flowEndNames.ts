// The names of the sources and destinations of flows, for people.
import { accessName } from '../../model/access/accessName.ts';
import { and, count } from '../sets/bits.ts';
import type { AccessState } from '../state/accessState.ts';
import type { World } from '../world/world.ts';
import type { FlowEnd } from './flowEnds.ts';

/** The names of groups, machines and network resources of a state. A deleted object is named by its id. */
export interface FlowEndNames {
  readonly machine: (id: string) => string;
  readonly group: (key: string) => string;
  readonly place: (place: FlowEnd) => string;
}

/** The names of a state. */
export function flowEndNames(state: AccessState): FlowEndNames {
  const machines = new Map(state.machines.map(({ id, key }) => [id ?? key, key]));
  const resources = new Map(
    state.networks.flatMap(network => network.resources.map(({ id, key }) => [id ?? key, key])),
  );
  const machine = (id: string) => accessName('peer', machines.get(id) ?? `id:${id}`);
  return {
    machine,
    group: key => accessName('group', key),
    place: place => {
      if (place.type === 'machine') return machine(place.id);
      if (place.type === 'address') return place.address;
      return accessName('network_resource', resources.get(place.id) ?? `id:${place.id}`);
    },
  };
}

/** The number of the current machines of a group. */
export const machinesInGroup = (world: World, group: string): number =>
  count(and(world.inGroups([group]), world.today));
