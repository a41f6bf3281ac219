// The machines that joined groups since a plan was shown: they take part in what it showed of the future members of these groups.
import type { PlanAccess } from '../../model/access/planAccess.ts';
import { machinesByGroup, type Worlds } from '../plan/groupMachines.ts';

/** The groups that a machine, by its name, joined since a plan was shown. */
export type JoinedSince = (machine: string) => readonly string[];

/**
 * Finds the groups that a machine joined. `shown`: the machines of groups when the plan was shown. Where it lacks a group, the lines
 * with the future members of the group name each machine that was in it.
 */
export function joinedSince(shown: PlanAccess['group_machines'], worlds: Worlds): JoinedSince {
  let found: Map<string, string[]> | undefined;
  const groupsByMachine = () => {
    const joined = new Map<string, string[]>();
    for (const [group, machines] of machinesByGroup(worlds)) {
      const earlier = new Set(shown?.[group]);
      for (const { key, id } of machines)
        if (!earlier.has(id)) joined.set(key, [...(joined.get(key) ?? []), group]);
    }
    return joined;
  };
  return machine => {
    found ??= groupsByMachine();
    return found.get(machine) ?? [];
  };
}
