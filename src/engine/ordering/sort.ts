// Topological order under demands that must hold and wishes that give way. Knows names and edges, nothing of actions.
import type { ActionId } from '../../model/names.ts';
import type { Edge } from './hardConstraints.ts';
import { type EdgesByReason, Queue, REASONS } from './queue.ts';
import type { Wishes } from './softConstraints.ts';

export interface Sorted {
  readonly order: readonly ActionId[];
  /** By name, all that come before it for a reason: demands, and the wishes that were kept. */
  readonly after: ReadonlyMap<ActionId, ReadonlySet<ActionId>>;
  /** Some that wait for each other, each for the one before it; empty where all could be ordered. */
  readonly circle: readonly ActionId[];
}

/**
 * Orders `ids`, the first of those that are ready first. One is ready once all its demands are met; as long as there
 * is a ready one without an open wish, those with open wishes wait too. Where only such are left, wishes contradict
 * demands or each other, and the one with the weakest open wishes goes: what it still waited for is given up.
 */
export function sortedBy(
  ids: readonly ActionId[],
  { demands, wishes }: { readonly demands: readonly Edge[]; readonly wishes: Wishes },
): Sorted {
  const order = orderOf(ids, { demands, strong: wishes.strong, weak: wishes.weak });
  const place = new Map(order.map((id, i) => [id, i]));
  const isKept = ({ earlier, later }: Edge) => (place.get(earlier) ?? 0) < (place.get(later) ?? 0);
  const wished = [...wishes.strong, ...wishes.weak].filter(isKept);
  return {
    order,
    after: earlierOnes([...demands, ...wished]),
    circle: circleAmong(
      ids.filter(id => !place.has(id)),
      earlierOnes(demands),
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

// Everyone who is stuck waits for another who is: following them back leads into a circle.
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
