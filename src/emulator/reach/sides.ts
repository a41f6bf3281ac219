// The two sides of a rule, and the peers on them: members of groups, or a single peer. A side that names a network
// resource has no peers.

import { groupsOfPeer, peersOf } from '../groups/membership.ts';
import type { PeerRecord } from '../records/peers.ts';
import type { PolicyRecord, Reference, RuleRecord } from '../records/topology.ts';
import type { Account } from '../store/account.ts';
import { passes } from './posture.ts';

export interface Side {
  readonly groups: readonly string[];
  /** The id of the single peer; absent if the side consists of groups. */
  readonly peer?: string;
}

/** The sources of a rule. */
export function sourceSide({ sources, sourceResource }: RuleRecord): Side {
  return sideOf(sources, sourceResource);
}

/** The destinations of a rule. */
export function destinationSide({ destinations, destinationResource }: RuleRecord): Side {
  return sideOf(destinations, destinationResource);
}

function sideOf(groups: readonly string[], resource: Reference | null): Side {
  if (resource === null) return { groups };
  return resource.type === 'peer' ? { groups: [], peer: resource.id } : { groups: [] };
}

/** A peer with the ids of its groups. */
export interface Member {
  readonly peer: PeerRecord;
  readonly groups: ReadonlySet<string>;
}

/** A peer as a member of the groups that contain it. */
export function memberOf(account: Account, peer: PeerRecord): Member {
  return { peer, groups: new Set(groupsOfPeer(account, peer.id).map(({ id }) => id)) };
}

/** Whether a peer is on a side, as its single peer or through a group. */
export function isOn({ groups, peer }: Side, member: Member): boolean {
  return peer === undefined
    ? groups.some(group => member.groups.has(group))
    : peer === member.peer.id;
}

/** The ids of the posture checks of a policy. */
export function checksOf({ source_posture_checks }: PolicyRecord): readonly string[] {
  return source_posture_checks ?? [];
}

/** Whether a peer passes all posture checks with these ids. A check that no longer exists counts as passed. */
export function passesAll(account: Account, { machine }: PeerRecord, checks: readonly string[]) {
  return checks.every(id => {
    const check = account.postureChecks.get(id);
    return check === undefined || passes(machine, check.checks);
  });
}

/** A side of a rule, with the posture checks that its peers must pass. */
export interface End {
  readonly side: Side;
  readonly checks: readonly string[];
}

/** Peers that are on the same sides for the same reason: either because of a group, or as a single peer. */
export interface Bundle<E> {
  readonly peers: readonly PeerRecord[];
  readonly ends: readonly E[];
}

/**
 * The peers of all ends. Each group is evaluated once for each set of checks, however many rules name it. Members of a group that
 * await approval are left out; a single peer that awaits approval is not.
 */
export function bundled<E extends End>(account: Account, ends: readonly E[]): readonly Bundle<E>[] {
  const bundles = new Map<string, { peers: readonly PeerRecord[]; ends: E[] }>();
  for (const end of ends)
    for (const part of partsOf(end.side)) {
      const key = JSON.stringify([part, end.checks]);
      const bundle = bundles.get(key) ?? { peers: peersIn(account, part, end.checks), ends: [] };
      bundle.ends.push(end);
      bundles.set(key, bundle);
    }
  return [...bundles.values()];
}

type Part = { readonly group: string } | { readonly peer: string };

function partsOf({ groups, peer }: Side): readonly Part[] {
  return peer === undefined ? groups.map(group => ({ group })) : [{ peer }];
}

function peersIn(account: Account, part: Part, checks: readonly string[]): readonly PeerRecord[] {
  const isFit = (peer: PeerRecord) => passesAll(account, peer, checks);
  if ('peer' in part) return [account.peers.get(part.peer) ?? []].flat().filter(isFit);
  const group = account.groups.get(part.group);
  const members = group === undefined ? [] : peersOf(account, group);
  return members.filter(peer => !peer.approval_required && isFit(peer));
}
