// A policy as it is read: groups expanded to summaries, what is not set left out (facts §5.6, fact 16).
import type { Account } from '../account.ts';
import type { Environment } from '../environment.ts';
import { nullable } from '../lists.ts';
import type { GroupRecord, PolicyRecord, Reference, RuleRecord } from '../records/topology.ts';
import { type GroupSummary, summary } from '../summaries.ts';

const SOURCE = { groups: 'sources', resource: 'sourceResource' } as const;
const DESTINATION = { groups: 'destinations', resource: 'destinationResource' } as const;

export function policyView(account: Account, policy: PolicyRecord, environment: Environment) {
  const seen = new Map<string, GroupSummary>();
  return {
    ...policy,
    source_posture_checks: nullable(policy.source_posture_checks, environment),
    rules: policy.rules.map(rule => ruleView(account, rule, environment, seen)),
  };
}

function ruleView(
  account: Account,
  rule: RuleRecord,
  environment: Environment,
  seen: Map<string, GroupSummary>,
) {
  const { id, name, description, enabled, action, bidirectional, protocol } = rule;
  const { ports, port_ranges, authorized_groups } = rule;
  const sources = sourceSummaries(account, rule.sources, environment, seen);
  const destinations = summaries(account, rule.destinations, environment).map(
    group => seen.get(group.id) ?? group,
  );
  return {
    ...{ id, name, description, enabled, action, bidirectional, protocol },
    ...(ports.length > 0 ? { ports } : {}),
    ...(port_ranges.length > 0 ? { port_ranges } : {}),
    ...(Object.keys(authorized_groups).length > 0 ? { authorized_groups } : {}),
    ...sideView(SOURCE, sources, rule.sourceResource, environment),
    ...sideView(DESTINATION, destinations, rule.destinationResource, environment),
  };
}

/** A side of a rule. Under `spec` one that is a resource shows no groups, so that what is read may be written. */
function sideView(
  side: typeof SOURCE | typeof DESTINATION,
  groups: readonly GroupSummary[],
  resource: Reference | null,
  environment: Environment,
) {
  if (resource === null) return { [side.groups]: nullable(groups, environment) };
  return environment.behaviour.emptyLists === '[]'
    ? { [side.resource]: resource }
    : { [side.groups]: nullable(groups, environment), [side.resource]: resource };
}

/**
 * Under `netbird` a source has no resources, and one that an earlier rule has is left out. Each is noted in `seen`: as a
 * destination it reads the same.
 */
function sourceSummaries(
  account: Account,
  ids: readonly string[],
  environment: Environment,
  seen: Map<string, GroupSummary>,
): readonly GroupSummary[] {
  if (environment.behaviour.summaries === 'whole') return summaries(account, ids, environment);
  const fresh = ids.filter(id => !seen.has(id));
  const sources = summaries(account, fresh, environment).map(group => ({
    ...group,
    resources_count: 0,
  }));
  for (const group of sources) seen.set(group.id, group);
  return sources;
}

/** Each group once; those that are gone are left out. */
function summaries(
  account: Account,
  ids: readonly string[],
  environment: Environment,
): readonly GroupSummary[] {
  const groups: readonly GroupRecord[] = [...new Set(ids)].flatMap(
    id => account.groups.get(id) ?? [],
  );
  return groups.map(group => summary(account, group, environment));
}
