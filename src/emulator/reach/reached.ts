// The peers to which a peer can connect, because they admit some of its traffic. The order of policies and rules does not matter,
// because traffic that any rule drops is dropped.

import type { Environment } from '../environment.ts';
import { isLoginExpired } from '../peers/peer-view.ts';
import type { PeerRecord } from '../records/peers.ts';
import type { PolicyRecord } from '../records/topology.ts';
import type { Account } from '../store/account.ts';
import { type Edge, edgesOf } from './edges.ts';
import { isAnyLeft, takesRanges, trafficOf } from './port-ranges.ts';
import { type Bundle, bundled, memberOf } from './sides.ts';

/** The peers that a peer can connect to, each with the first policy that accepts some of its traffic. */
export function reachedPeers(
  account: Account,
  peer: PeerRecord,
  environment: Environment,
): ReadonlyMap<PeerRecord, PolicyRecord> {
  const reached = new Map<PeerRecord, PolicyRecord>();
  const admits = newVerdicts(account);
  for (const [other, bundles] of concernedPeers(account, peer, environment)) {
    const policy = admits(other, bundles);
    if (policy !== undefined) reached.set(other, policy);
  }
  return reached;
}

/** The peers that admit or drop traffic of a peer because of a rule, each with the edges of these rules. */
export function concernedPeers(
  account: Account,
  peer: PeerRecord,
  environment: Environment,
): ReadonlyMap<PeerRecord, readonly (readonly Edge[])[]> {
  if (isLoginExpired(account, peer, environment)) return new Map();
  const edges = edgesOf(account, memberOf(account, peer));
  const concerned = [...byPeer(bundled(account, edges.filter(isAdmitting)))].filter(
    ([other]) =>
      other !== peer && !other.approval_required && !isLoginExpired(account, other, environment),
  );
  if (!peer.approval_required) return new Map(concerned);
  // A peer that awaits approval is admitted only by peers that a rule connects with it by naming it directly, because only these
  // have it in their network map.
  const knowing = new Set(
    bundled(
      account,
      edges.filter(({ isSingle }) => isSingle),
    ).flatMap(({ peers }) => peers),
  );
  return new Map(concerned.filter(([other]) => knowing.has(other)));
}

/** Whether an edge makes the opposite peers admit traffic: all destinations do, and so do sources of a bidirectional rule. */
function isAdmitting({ isSource, rule }: Edge): boolean {
  return isSource || rule.bidirectional;
}

/** The bundles of each peer, by index. */
function byPeer(bundles: readonly Bundle<Edge>[]) {
  const places = new Map<PeerRecord, (readonly Edge[])[]>();
  for (const { peers, ends } of bundles)
    for (const peer of peers) {
      const known = places.get(peer);
      if (known === undefined) places.set(peer, [ends]);
      else known.push(ends);
    }
  return places;
}

type Verdict = (
  peer: PeerRecord,
  bundles: readonly (readonly Edge[])[],
) => PolicyRecord | undefined;

/** Returns a function for the policy that makes a peer admit traffic. Peers with the same bundles are evaluated once. */
function newVerdicts(account: Account): Verdict {
  const order = new Map(account.policies.all().map((policy, place) => [policy.id, place]));
  const numbers = new Map<readonly Edge[], number>();
  const judged = new Map<string, PolicyRecord | undefined>();
  const placeOf = ({ policy }: Edge) => order.get(policy.id) ?? 0;
  return (peer, bundles) => {
    const withRanges = takesRanges(peer);
    for (const bundle of bundles) if (!numbers.has(bundle)) numbers.set(bundle, numbers.size);
    const key = [withRanges, ...bundles.map(bundle => numbers.get(bundle))].join();
    if (!judged.has(key)) {
      const edges = bundles.flat().toSorted((one, other) => placeOf(one) - placeOf(other));
      judged.set(key, acceptingPolicy(edges, withRanges));
    }
    return judged.get(key);
  };
}

function acceptingPolicy(edges: readonly Edge[], withRanges: boolean): PolicyRecord | undefined {
  const drops = edges.filter(({ rule }) => rule.action === 'drop');
  const dropped = drops.map(({ rule }) => trafficOf(rule, withRanges));
  const accepts = edges.filter(({ rule }) => rule.action === 'accept');
  return accepts.find(({ rule }) => isAnyLeft(trafficOf(rule, withRanges), dropped))?.policy;
}
