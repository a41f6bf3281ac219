// Groups as other records show them.
import type { Account } from './account.ts';
import type { Environment } from './environment.ts';
import { peersOf } from './membership.ts';
import type { GroupRecord } from './records/topology.ts';

export type GroupSummary = {
  readonly id: string;
  readonly name: string;
  readonly peers_count: number;
  readonly resources_count: number;
  readonly issued?: string;
};

/** A group in short. Dialect `netbird` leaves out how it came to be (facts, fact 16). */
export function summary(
  account: Account,
  group: GroupRecord,
  { behaviour }: Environment,
): GroupSummary {
  return {
    id: group.id,
    name: group.name,
    peers_count: peersOf(account, group).length,
    resources_count: group.resources.length,
    ...(behaviour.summaries === 'whole' ? { issued: group.issued } : {}),
  };
}
