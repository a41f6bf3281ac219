// The ids of network resources and routes to which a plan changes access, so that they can be found later if somebody renames
// them.
import type { PlanAccess } from '../../model/access/planAccess.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import type { MemberSetNamer } from '../ask/memberSetNames.ts';
import type { AccessChange } from '../diff/accessChange.ts';

/**
 * The ids of the resources or routes, by their names in the lines of the plan. Objects that do not
 * exist yet are left out.
 */
export function destinationIdsOf(
  changes: readonly AccessChange[],
  namers: readonly MemberSetNamer[],
): NonNullable<PlanAccess['destination_ids']> {
  const found = new Map<string, Set<string>>();
  for (const { targets } of changes) {
    const [first] = targets;
    if (first.type === 'machine') continue;
    const objects = [...first.resources.map(({ resource }) => resource), ...first.routes];
    const ids = objects.flatMap(({ id }) => id ?? []);
    if (ids.length === 0 || ids.length < objects.length) continue;
    // Routes with the same network id have the same name.
    for (const namer of namers) {
      const { name } = namer.destination(targets);
      found.set(name, new Set([...(found.get(name) ?? []), ...ids]));
    }
  }
  const sorted = [...found].sort(([one], [other]) => compareTexts(one, other));
  return Object.fromEntries(sorted.map(([name, ids]) => [name, [...ids].sort()]));
}
