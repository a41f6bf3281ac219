// Findings about a group of network resources of which only one was used. All members of the group
// must be declared, so that nothing can join it unnoticed.
import { groupsOf } from '../../access/narrow/narrowing.ts';
import type { Candidate } from './candidate.ts';
import type { Evidence, RuleEvidence } from './evidence.ts';
import { candidate } from './ruleFindings.ts';

/** The finding that one network resource suffices as the destination. `groups` are the remaining destination groups. */
export function fewResources(
  one: RuleEvidence,
  evidence: Evidence,
  groups = groupsOf(one.rule.linted.rule.destination) ?? [],
): readonly Candidate[] {
  const { rule, use } = one;
  const group = groups[0];
  if (group === undefined || groups.length > 1) return [];
  const { current } = evidence;
  const isMachines = current.groups.some(
    ({ key, id, machines, isAll }) =>
      (key === group || `id:${id}` === group) && (isAll || machines.length > 0),
  );
  const isJoined = current.enrolments.some(one => one.groups.includes(group));
  const all = current.networks.flatMap(({ resources }) =>
    resources.filter(one => one.groups.includes(group)),
  );
  const declared = new Set(rule.linted.resources.map(({ key }) => key));
  if (isMachines || isJoined || all.length < 2 || !all.every(({ key }) => declared.has(key)))
    return [];
  // A route may use the same group for access control.
  if (current.routes.some(({ accessControl }) => accessControl.includes(group))) return [];
  const ends = new Set(
    use.uses.map(({ flow: { destination: end } }) =>
      end.type === 'resource' ? end.id : undefined,
    ),
  );
  const resource = all.find(({ id }) => id !== undefined && ends.has(id));
  if (!resource || ends.size > 1) return [];
  return [
    candidate(one, evidence, {
      type: 'few-resources',
      what: `destination group/${group}`,
      observed: `only ${resource.key} used, of ${all.length} network resources`,
      edit: `keep ${resource.key}`,
      lost: [],
      narrowing: { takes: 'other-resources', resource: resource.key, rule },
    }),
  ];
}
