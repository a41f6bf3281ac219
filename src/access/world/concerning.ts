// Which policies concern a network resource.
import type { Resource } from '../state/accessState.ts';
import type { CompiledPolicy, CompiledRule } from './policies.ts';
import { namesOf } from './roster.ts';

/** Finds the enabled policies with an enabled rule that names a resource or a group that holds it. */
export function concerningIn(
  policies: readonly CompiledPolicy[],
): (resource: Resource) => readonly CompiledPolicy[] {
  const known = new Map<Resource, readonly CompiledPolicy[]>();
  return resource => {
    const found =
      known.get(resource) ??
      policies.filter(({ rules }) => rules.some(rule => rule.isActive && leadsTo(rule, resource)));
    known.set(resource, found);
    return found;
  };
}

/** Whether a rule's destination is a resource, by itself or by a group that holds it. */
export function leadsTo({ rule: { destination } }: CompiledRule, resource: Resource): boolean {
  if (destination.type === 'resource') return namesOf(resource).includes(destination.resource);
  if (destination.type === 'machine') return false;
  return destination.groups.some(group => resource.groups.includes(group));
}
