// The ids of network resources and routes to which a plan changes access, so that they are known later if somebody renames them.
import type { PlanAccess } from '../../model/access/planAccess.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import type { MemberSetNamer } from '../ask/memberSetNames.ts';
import type { AccessChange } from '../diff/accessChange.ts';

/** By the name in lines, the ids of the resources or routes; nothing for those that do not exist yet. */
export function destinationIdsOf(
  changes: readonly AccessChange[],
  namers: readonly MemberSetNamer[],
): NonNullable<PlanAccess['destination_ids']> {
  const found = new Map<string, readonly string[]>();
  for (const { targets } of changes) {
    const [first] = targets;
    if (first.type === 'machine') continue;
    const objects = [...first.resources.map(({ resource }) => resource), ...first.routes];
    const ids = objects.flatMap(({ id }) => id ?? []);
    if (ids.length === 0 || ids.length < objects.length) continue;
    for (const namer of namers) found.set(namer.destination(targets).name, ids.toSorted());
  }
  return Object.fromEntries([...found].sort(([one], [other]) => compareTexts(one, other)));
}
