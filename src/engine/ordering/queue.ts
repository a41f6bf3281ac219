// The ids that are not ordered yet, and the choice of the next id.
import type { ActionId } from '../../model/names.ts';
import type { Edge } from './hardConstraints.ts';
import { Smallest } from './minHeap.ts';

/** The strength of a constraint. A hard constraint must hold; a soft constraint (strong or weak) may be dropped. */
export const REASONS = ['hard', 'strong', 'weak'] as const;
type Reason = (typeof REASONS)[number];

export type EdgesByReason = Readonly<Record<Reason, readonly Edge[]>>;

/** An id, and the number of its open constraints, by strength. */
interface Waiting extends Record<Reason, number> {
  readonly id: ActionId;
  readonly position: number;
  isTaken: boolean;
}

/**
 * The ids that are not ordered yet. An id is ready if it has no open hard constraints. Of the ready
 * ids, those without open soft constraints come first, then those with only weak ones, then the
 * others. Within each group, ids keep their given order.
 */
export class Queue {
  readonly #all: readonly Waiting[];
  readonly #byId: ReadonlyMap<ActionId, Waiting>;
  /**
   * The positions of ready ids in three heaps: without open soft constraints, with weak ones only,
   * and with strong ones.
   */
  readonly #ready = [new Smallest(), new Smallest(), new Smallest()] as const;

  constructor(ids: readonly ActionId[], edges: EdgesByReason) {
    this.#all = ids.map((id, position) => {
      return { id, position, isTaken: false, hard: 0, strong: 0, weak: 0 };
    });
    this.#byId = new Map(this.#all.map(waiting => [waiting.id, waiting]));
    for (const reason of REASONS) {
      for (const { later } of edges[reason]) this.#count(later, reason, 1);
    }
    for (const waiting of this.#all) this.#offer(waiting);
  }

  /** Records that an id for which `id` waited is now in the order. */
  release(id: ActionId, reason: Reason): void {
    const waiting = this.#count(id, reason, -1);
    if (waiting?.[reason] === 0) this.#offer(waiting);
  }

  /** Removes and returns the next id; undefined if no id is ready. */
  take(): ActionId | undefined {
    for (const bag of this.#ready) {
      for (let position = bag.take(); position !== undefined; position = bag.take()) {
        const waiting = this.#all[position];
        if (!waiting || waiting.isTaken) continue;
        waiting.isTaken = true;
        return waiting.id;
      }
    }
    return undefined;
  }

  #count(id: ActionId, reason: Reason, by: number): Waiting | undefined {
    const waiting = this.#byId.get(id);
    if (waiting) waiting[reason] += by;
    return waiting;
  }

  // Adds a ready id to the heap for its open soft constraints. An id may be in several heaps, one
  // for each earlier state of its constraints, but it is taken only once.
  #offer(waiting: Waiting): void {
    if (waiting.hard > 0) return;
    const [free, weak, strong] = this.#ready;
    const bag = waiting.strong > 0 ? strong : waiting.weak > 0 ? weak : free;
    bag.add(waiting.position);
  }
}
