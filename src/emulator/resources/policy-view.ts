// Policies in responses: groups are summaries, and fields that are not set are left out
// (docs/server-behaviour.md#policies-and-rules).

import type { Environment } from '../environment.ts';
import { type GroupSummary, newSummaries, type Summaries } from '../groups/summaries.ts';
import type { GroupRecord, PolicyRecord, Reference, RuleRecord } from '../records/topology.ts';
import { nullable, readList } from '../request/lists.ts';
import type { Account } from '../store/account.ts';
import { isUnseen } from './shapes.ts';

const SOURCE = { groups: 'sources', resource: 'sourceResource' } as const;
const DESTINATION = { groups: 'destinations', resource: 'destinationResource' } as const;

/** A policy in a response. */
export function policyView(account: Account, policy: PolicyRecord, environment: Environment) {
  return view({ account, environment, summary: newSummaries(account, environment) }, policy);
}

/** Policies in a response; each group is summarised once. */
export function policyViews(
  account: Account,
  policies: readonly PolicyRecord[],
  environment: Environment,
) {
  const reading = { account, environment, summary: newSummaries(account, environment) };
  return policies.map(policy => view(reading, policy));
}

/** The data for all parts of the response to one request. */
interface Reading {
  readonly account: Account;
  readonly environment: Environment;
  readonly summary: Summaries;
}

function view(reading: Reading, policy: PolicyRecord) {
  const seen = new Map<string, GroupSummary>();
  return {
    ...policy,
    source_posture_checks: readList(policy.source_posture_checks, reading.environment),
    rules: policy.rules.map(rule => ruleView(reading, rule, seen)),
  };
}

function ruleView(reading: Reading, rule: RuleRecord, seen: Map<string, GroupSummary>) {
  const { id, name, description, enabled, action, bidirectional, protocol } = rule;
  const { ports, port_ranges, authorized_groups } = rule;
  const sources = sourceSummaries(reading, rule.sources, seen);
  const destinations = summaries(reading, rule.destinations).map(
    group => seen.get(group.id) ?? group,
  );
  return {
    id,
    name,
    description,
    enabled,
    action,
    bidirectional,
    protocol,
    ...(ports.length > 0 ? { ports } : {}),
    ...(port_ranges.length > 0 ? { port_ranges } : {}),
    ...(Object.keys(authorized_groups).length > 0 ? { authorized_groups } : {}),
    ...sideView(SOURCE, sources, rule.sourceResource, reading.environment),
    ...sideView(DESTINATION, destinations, rule.destinationResource, reading.environment),
  };
}

/** A side of a rule. In dialect `spec`, a side that is a resource shows no groups, so that the response is valid as a request. */
function sideView(
  side: typeof SOURCE | typeof DESTINATION,
  groups: readonly GroupSummary[],
  resource: Reference | null,
  environment: Environment,
) {
  const shown = { [side.groups]: nullable(groups, environment) };
  if (resource === null || isUnseen(resource, environment)) return shown;
  return environment.behaviour.emptyLists === '[]'
    ? { [side.resource]: resource }
    : { ...shown, [side.resource]: resource };
}

/**
 * The source groups of a rule. In dialect `netbird`, a source shows no resources, and a source that an earlier rule has shown is
 * left out. Each source is added to `seen`, whose summaries are also used for destinations.
 */
function sourceSummaries(
  reading: Reading,
  ids: readonly string[],
  seen: Map<string, GroupSummary>,
): readonly GroupSummary[] {
  if (reading.environment.behaviour.summaries === 'whole') return summaries(reading, ids);
  const fresh = ids.filter(id => !seen.has(id));
  const sources = summaries(reading, fresh).map(group => ({ ...group, resources_count: 0 }));
  for (const group of sources) seen.set(group.id, group);
  return sources;
}

/** The existing groups, without repetition. */
function summaries({ account, summary }: Reading, ids: readonly string[]): readonly GroupSummary[] {
  const groups: readonly GroupRecord[] = [...new Set(ids)].flatMap(
    id => account.groups.get(id) ?? [],
  );
  return groups.map(summary);
}
