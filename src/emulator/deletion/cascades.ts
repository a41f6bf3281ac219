// Deletes objects together with the objects that depend on them (docs/server-behaviour.md#cascades). Other references to a
// deleted object remain and point to nothing.

import { logResourceGroups, peerMeta, resourceMeta, routerMeta } from '../audit/object-meta.ts';
import type { Environment } from '../environment.ts';
import { groupsOfResource, removePeer, setResourceGroups } from '../groups/membership.ts';
import type { PeerRecord } from '../records/peers.ts';
import type { UserRecord } from '../records/people.ts';
import type {
  NetworkRecord,
  NetworkResourceRecord,
  NetworkRouterRecord,
} from '../records/topology.ts';
import type { Account } from '../store/account.ts';
import { namesDirectly } from './references.ts';

/** Deletes a network together with its resources and routers. */
export function deleteNetwork(account: Account, network: NetworkRecord): void {
  for (const resource of account.resources.all())
    if (resource.network === network.id) deleteResource(account, resource);
  for (const router of account.routers.all())
    if (router.network === network.id) deleteRouter(account, router);
  account.networks.remove(network.id);
  account.log({ code: 'network.delete', target: network.id, meta: { name: network.name } });
}

/** Removes a resource from its groups. */
export function deleteResource(account: Account, resource: NetworkResourceRecord): void {
  logResourceGroups(account, resource, groupsOfResource(account, resource.id), []);
  setResourceGroups(account, resource, []);
  account.resources.remove(resource.id);
  const meta = resourceMeta(account, resource);
  account.log({ code: 'network.resource.delete', target: resource.id, meta });
}

/** Deletes a network router, and records the event. */
export function deleteRouter(account: Account, router: NetworkRouterRecord): void {
  account.routers.remove(router.id);
  const meta = routerMeta(account, router);
  account.log({ code: 'network.router.delete', target: router.id, meta });
}

/**
 * Removes a deleted peer from its groups, and deletes every policy with a rule that names the peer. The initiator is `initiator`,
 * or by default the caller.
 */
export function deletePeer(
  account: Account,
  peer: PeerRecord,
  environment: Environment,
  initiator?: string,
): void {
  const by = initiator === undefined ? {} : { initiator };
  removePeer(account, peer.id);
  for (const policy of account.policies.all())
    if (policy.rules.some(rule => namesDirectly(rule, peer.id))) {
      account.policies.remove(policy.id);
      // The server logs this event with the peer as its target, not the policy.
      account.log({ code: 'policy.delete', target: peer.id, meta: { name: policy.name }, ...by });
    }
  removeIngress(account, peer);
  for (const job of account.jobs.all()) if (job.peer === peer.id) account.jobs.remove(job.id);
  account.peers.remove(peer.id);
  account.log({
    code: 'user.peer.delete',
    target: peer.id,
    meta: peerMeta(account, peer, environment),
    ...by,
  });
}

/** Deletes the ingress ports of a peer, both for itself and for others. */
function removeIngress(account: Account, { id }: PeerRecord): void {
  const own = account.ingressPeers.all().filter(ingress => ingress.peer_id === id);
  for (const allocation of account.portAllocations.all())
    if (allocation.peer === id || own.some(one => one.id === allocation.ingress_peer_id))
      account.portAllocations.remove(allocation.id);
  for (const ingress of own) account.ingressPeers.remove(ingress.id);
}

/** Deletes a user with their peers, tokens and password. */
export function deleteUser(account: Account, user: UserRecord, environment: Environment): void {
  const { id, name, email, created_at, issued, is_service_user } = user;
  for (const peer of account.peers.all())
    if (peer.user_id === id) deletePeer(account, peer, environment, id);
  for (const token of account.tokens.all()) if (token.user === id) account.tokens.remove(token.id);
  for (const credential of account.credentials.all())
    if (credential.account === account.id && credential.user === id)
      account.credentials.remove(credential.id);
  account.passwords.remove(id);
  account.users.remove(id);
  if (is_service_user) {
    // The name of a deleted service user is not kept.
    account.log({ code: 'service.user.delete', target: id, meta: { name, created_at } });
    return;
  }
  account.formerUsers.put({ id, name, email });
  account.log({ code: 'user.delete', target: id, meta: { created_at, issued } });
}
