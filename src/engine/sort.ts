// Topological order under demands that must hold and wishes that give way. Knows names and edges, nothing of actions.
import type { ActionId } from '../model/names.ts';
import type { Edge } from './demands.ts';
import type { Wishes } from './wishes.ts';

export interface Sorted {
  readonly order: readonly ActionId[];
  /** By name, all that come before it for a reason: demands, and the wishes that were kept. */
  readonly after: ReadonlyMap<ActionId, ReadonlySet<ActionId>>;
  /** Some that wait for each other, each for the one before it; empty where all could be ordered. */
  readonly circle: readonly ActionId[];
}

/** How much of what a name waits for is still to come. */
interface Waiting {
  demands: number;
  strong: number;
  weak: number;
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
  const edges = { demands, strong: wishes.strong, weak: wishes.weak };
  const waiting = new Map(ids.map(id => [id, noWaiting()]));
  const release = new Map(ids.map(id => [id, [] as (() => void)[]]));
  for (const kind of ['demands', 'strong', 'weak'] as const) {
    for (const { earlier, later } of edges[kind]) {
      const waits = waiting.get(later);
      if (!waits) continue;
      waits[kind] += 1;
      release.get(earlier)?.push(() => {
        waits[kind] -= 1;
      });
    }
  }
  const place = new Map<ActionId, number>();
  for (let next = firstReady(waiting); next !== undefined; next = firstReady(waiting)) {
    place.set(next, place.size);
    waiting.delete(next);
    for (const letGo of release.get(next) ?? []) letGo();
  }
  const isKept = ({ earlier, later }: Edge) => (place.get(earlier) ?? 0) < (place.get(later) ?? 0);
  const wished = [...wishes.strong, ...wishes.weak].filter(isKept);
  return {
    order: [...place.keys()],
    after: earlierOnes([...demands, ...wished]),
    circle: circleAmong([...waiting.keys()], earlierOnes(demands)),
  };
}

const noWaiting = (): Waiting => ({ demands: 0, strong: 0, weak: 0 });

function firstReady(waiting: ReadonlyMap<ActionId, Waiting>): ActionId | undefined {
  let best: { id: ActionId; open: number } | undefined;
  for (const [id, { demands, strong, weak }] of waiting) {
    if (demands > 0) continue;
    const open = strong > 0 ? 2 : weak > 0 ? 1 : 0;
    if (open === 0) return id;
    if (!best || open < best.open) best = { id, open };
  }
  return best?.id;
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
