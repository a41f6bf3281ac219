// A group as it is read, with its members (docs/server-behaviour.md#groups).

import type { Environment } from '../environment.ts';
import type { GroupRecord } from '../records/topology.ts';
import { nullable } from '../request/lists.ts';
import type { Account } from '../store/account.ts';
import { peersOf } from './membership.ts';

/** A group in a response. */
export function groupView(account: Account, group: GroupRecord, environment: Environment) {
  const peers = peersOf(account, group).map(({ id, name }) => ({ id, name }));
  return {
    id: group.id,
    name: group.name,
    peers_count: peers.length,
    resources_count: group.resources.length,
    issued: group.issued,
    peers: nullable(peers, environment),
    resources: nullable(group.resources, environment),
  };
}
