// Groups as other records show them.

import type { Environment } from '../environment.ts';
import type { GroupRecord } from '../records/topology.ts';
import type { Account } from '../store/account.ts';
import { peersOf } from './membership.ts';

export type GroupSummary = {
  readonly id: string;
  readonly name: string;
  readonly peers_count: number;
  readonly resources_count: number;
  readonly issued?: string;
};

/** Returns the summary of a group in the response to one request: each summary is computed once. */
export type Summaries = (group: GroupRecord) => GroupSummary;

/** Returns a function for the summaries of groups. Dialect `netbird` leaves out `issued` (docs/server-behaviour.md#groups). */
export function newSummaries(account: Account, environment: Environment): Summaries {
  const known = new Map<string, GroupSummary>();
  return group => {
    const summary = known.get(group.id) ?? summed(account, group, environment);
    known.set(group.id, summary);
    return summary;
  };
}

/** The number of peers in a group. */
export function memberCount(
  account: Account,
  group: GroupRecord,
  { behaviour }: Environment,
): number {
  return behaviour.memberCounts === 'ids'
    ? new Set(group.peers).size
    : peersOf(account, group).length;
}

function summed(account: Account, group: GroupRecord, environment: Environment): GroupSummary {
  return {
    id: group.id,
    name: group.name,
    peers_count: memberCount(account, group, environment),
    resources_count: group.resources.length,
    ...(environment.behaviour.summaries === 'whole' ? { issued: group.issued } : {}),
  };
}
