// Topological order under hard constraints, which must hold, and soft constraints, which may be
// dropped. This file does not depend on actions, only on ids and edges.
import type { ActionId } from '../../model/names.ts';
import type { Edge } from './hardConstraints.ts';
import { type EdgesByReason, Queue, REASONS } from './queue.ts';
import type { SoftConstraints } from './softConstraints.ts';

export interface Sorted {
  readonly order: readonly ActionId[];
  /**
   * For each id, all ids that must come before it: because of hard constraints, and because of soft
   * constraints that were not dropped.
   */
  readonly after: ReadonlyMap<ActionId, ReadonlySet<ActionId>>;
  /**
   * Ids that wait for each other in a circle, each for the previous id; empty if all ids could be
   * ordered.
   */
  readonly circle: readonly ActionId[];
}

/**
 * Orders `ids`; of several candidates, the first in `ids` comes first. An id is ready when its hard
 * constraints hold. Ids with open soft constraints wait while another ready id has none. If all
 * ready ids have open soft constraints, these contradict hard constraints or each other. In that
 * case, the id with the weakest open constraints comes next, and its open constraints are dropped.
 */
export function sortedBy(
  ids: readonly ActionId[],
  { hard, soft }: { readonly hard: readonly Edge[]; readonly soft: SoftConstraints },
): Sorted {
  const order = orderOf(ids, { hard, strong: soft.strong, weak: soft.weak });
  const position = new Map(order.map((id, i) => [id, i]));
  const isKept = ({ earlier, later }: Edge) =>
    (position.get(earlier) ?? 0) < (position.get(later) ?? 0);
  const kept = [...soft.strong, ...soft.weak].filter(isKept);
  return {
    order,
    after: earlierOnes([...hard, ...kept]),
    circle: circleAmong(
      ids.filter(id => !position.has(id)),
      earlierOnes(hard),
    ),
  };
}

function orderOf(ids: readonly ActionId[], edges: EdgesByReason): ActionId[] {
  const queue = new Queue(ids, edges);
  const followers = REASONS.map(
    reason => [reason, Map.groupBy(edges[reason], ({ earlier }) => earlier)] as const,
  );
  const order: ActionId[] = [];
  for (let next = queue.take(); next !== undefined; next = queue.take()) {
    order.push(next);
    for (const [reason, after] of followers) {
      for (const { later } of after.get(next) ?? []) queue.release(later, reason);
    }
  }
  return order;
}

function earlierOnes(edges: readonly Edge[]): Map<ActionId, Set<ActionId>> {
  const found = new Map<ActionId, Set<ActionId>>();
  for (const { earlier, later } of edges) {
    const known = found.get(later);
    if (known) known.add(earlier);
    else found.set(later, new Set([earlier]));
  }
  return found;
}

// Finds a circle among the blocked ids. Every blocked id waits for another blocked id, so following
// them backwards leads into a circle.
function circleAmong(
  stuck: readonly ActionId[],
  earlier: ReadonlyMap<ActionId, ReadonlySet<ActionId>>,
): ActionId[] {
  const among = new Set(stuck);
  const path: ActionId[] = [];
  let at = stuck[0];
  while (at !== undefined && !path.includes(at)) {
    path.unshift(at);
    at = [...(earlier.get(at) ?? [])].sort().find(id => among.has(id));
  }
  return at === undefined ? path : path.slice(0, path.indexOf(at) + 1);
}
