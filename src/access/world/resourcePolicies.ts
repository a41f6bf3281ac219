// The policies that concern a network resource.
import type { Resource } from '../state/accessState.ts';
import type { CompiledPolicy, CompiledRule } from './compiledPolicies.ts';
import { namesOf } from './roster.ts';

/**
 * Finds the enabled policies for a resource: an enabled rule of such a policy names the resource or
 * one of its groups.
 */
export function resourcePoliciesIn(
  policies: readonly CompiledPolicy[],
): (resource: Resource) => readonly CompiledPolicy[] {
  const leading = destinations(policies);
  const known = new Map<Resource, readonly CompiledPolicy[]>();
  return resource => {
    const found = known.get(resource) ?? policiesOf(resource, leading);
    known.set(resource, found);
    return found;
  };
}

/** The policies with their positions, by the destinations of their rules. */
interface Destinations {
  readonly resources: ReadonlyMap<string, ReadonlyMap<number, CompiledPolicy>>;
  readonly groups: ReadonlyMap<string, ReadonlyMap<number, CompiledPolicy>>;
}

function destinations(policies: readonly CompiledPolicy[]): Destinations {
  const resources = new Map<string, Map<number, CompiledPolicy>>();
  const groups = new Map<string, Map<number, CompiledPolicy>>();
  for (const [position, policy] of policies.entries())
    for (const { isActive, rule } of policy.rules) {
      if (!isActive || rule.destination.type === 'machine') continue;
      const { destination } = rule;
      const isOne = destination.type === 'resource';
      for (const name of isOne ? [destination.resource] : destination.groups) {
        const into = isOne ? resources : groups;
        into.set(name, (into.get(name) ?? new Map()).set(position, policy));
      }
    }
  return { resources, groups };
}

function policiesOf(
  resource: Resource,
  { resources, groups }: Destinations,
): readonly CompiledPolicy[] {
  const found = new Map([
    ...namesOf(resource).flatMap(name => [...(resources.get(name) ?? [])]),
    ...resource.groups.flatMap(group => [...(groups.get(group) ?? [])]),
  ]);
  return [...found].sort(([one], [other]) => one - other).map(([, policy]) => policy);
}

/** Whether the destination of a rule is a resource, directly or through one of its groups. */
export function leadsTo({ rule: { destination } }: CompiledRule, resource: Resource): boolean {
  if (destination.type === 'resource') return namesOf(resource).includes(destination.resource);
  if (destination.type === 'machine') return false;
  return destination.groups.some(group => resource.groups.includes(group));
}
