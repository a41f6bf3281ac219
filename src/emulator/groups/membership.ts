// The members of groups. Memberships of peers and resources are stored only in the group, so that `group.resources` and
// `resource.groups` cannot contradict each other (docs/server-behaviour.md#group-membership).

import type { PeerRecord } from '../records/peers.ts';
import type { GroupRecord, NetworkResourceRecord } from '../records/topology.ts';
import type { Account } from '../store/account.ts';

export const ALL_GROUP = 'All';

/** The group of all peers, identified by its name; if several groups have the name, the group with the most peers. */
export function allGroup(account: Account): GroupRecord | undefined {
  return namedGroup(account, ALL_GROUP);
}

const byName = ({ name }: GroupRecord) => [name];
const byPeer = ({ peers }: GroupRecord) => peers;
const byResource = ({ resources }: GroupRecord) => resources.map(({ id }) => id);

/** The groups with this name. */
export function groupsNamed(account: Account, name: string): readonly GroupRecord[] {
  return account.groups.having(byName, name);
}

/** The group of that name with the most peers. */
export function namedGroup(account: Account, name: string): GroupRecord | undefined {
  const [largest] = groupsNamed(account, name).toSorted(
    (one, other) => other.peers.length - one.peers.length,
  );
  return largest;
}

/** The existing peers of a group, without repetition. */
export function peersOf(account: Account, group: GroupRecord): readonly PeerRecord[] {
  return [...new Set(group.peers)].flatMap(id => account.peers.get(id) ?? []);
}

/** The groups that a peer is in. */
export function groupsOfPeer(account: Account, peer: string): readonly GroupRecord[] {
  return account.groups.having(byPeer, peer);
}

/** The groups that a resource is in, in the order of the groups. */
export function groupsOfResource(account: Account, resource: string): readonly GroupRecord[] {
  return account.groups.having(byResource, resource);
}

/** The groups of every resource, found in a single pass over all groups. */
export function groupsByResource(account: Account): ReadonlyMap<string, readonly GroupRecord[]> {
  const found = new Map<string, GroupRecord[]>();
  for (const group of account.groups.all())
    for (const id of new Set(group.resources.map(resource => resource.id)))
      found.set(id, [...(found.get(id) ?? []), group]);
  return found;
}

function hasResource(group: GroupRecord, resource: string): boolean {
  return group.resources.some(({ id }) => id === resource);
}

/** Adds a peer to groups. */
export function addPeer(account: Account, peer: string, groups: readonly string[]): void {
  for (const id of groups) {
    const group = account.groups.get(id);
    if (group !== undefined && !group.peers.includes(peer))
      account.groups.put({ ...group, peers: [...group.peers, peer] });
  }
}

/** Removes a peer from some groups. */
export function leaveGroups(account: Account, peer: string, groups: readonly string[]): void {
  for (const group of groupsOfPeer(account, peer))
    if (groups.includes(group.id))
      account.groups.put({ ...group, peers: group.peers.filter(id => id !== peer) });
}

/** Removes a peer from every group. */
export function removePeer(account: Account, peer: string): void {
  for (const group of groupsOfPeer(account, peer))
    account.groups.put({ ...group, peers: group.peers.filter(id => id !== peer) });
}

/**
 * Sets the groups of a resource to `groups`. A group that already contains the resource keeps the type with which the resource
 * joined, even if this type has changed since (docs/server-behaviour.md#group-membership).
 */
export function setResourceGroups(
  account: Account,
  { id, type }: Pick<NetworkResourceRecord, 'id' | 'type'>,
  groups: readonly string[],
): void {
  for (const group of groupsOfResource(account, id)) {
    if (groups.includes(group.id)) continue;
    const resources = group.resources.filter(resource => resource.id !== id);
    account.groups.put({ ...group, resources });
  }
  for (const wanted of groups) {
    const group = account.groups.get(wanted);
    if (group !== undefined && !hasResource(group, id))
      account.groups.put({ ...group, resources: [...group.resources, { id, type }] });
  }
}
