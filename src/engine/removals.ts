// Which live objects go, what goes along with them, and what is spared because something that stays points at it.
import { addressOf } from '../model/key.ts';
import { addAll } from '../model/many.ts';
import type { Address } from '../model/names.ts';
import type { Live } from '../model/object.ts';
import type { PlanContext } from './context.ts';
import { parentKey } from './naming.ts';
import { heldBy, heldByServer } from './pointers.ts';

/** An object that stays, and what it keeps from going. */
export interface Holder {
  readonly address: Address;
  readonly pointsAt: ReadonlySet<Address>;
  /** What it nests in. */
  readonly isIn: Address | undefined;
}

/** Something that cannot go, and why, in words: `policy.x points at it`. */
export interface Held {
  readonly live: Live;
  readonly reason: string;
}

/** A live object that goes, and the one along with which the server deletes it (facts §6.2). */
export interface Removal {
  readonly live: Live;
  readonly along?: Address;
}

/** What the removals are made of: live objects that nothing declared keeps. */
export interface Leaving {
  /** The files ask by name for these to go. */
  readonly asked: readonly Live[];
  /** These go for not being declared. */
  readonly candidates: readonly Live[];
  /** All of them, and every other that would go along. */
  readonly all: readonly Live[];
}

/** The removals of a run. What is held by something that stays is taken out of them by `spare`. */
export class Removals {
  readonly #going: Map<Address, Live>;
  readonly #asked: ReadonlySet<Live>;
  readonly #own: ReadonlySet<Live>;
  readonly #inside: ReadonlyMap<string | undefined, readonly Live[]>;
  readonly #context: PlanContext;

  constructor({ asked, candidates, all }: Leaving, context: PlanContext) {
    this.#context = context;
    this.#asked = new Set(asked);
    this.#own = new Set([...asked, ...candidates]);
    this.#inside = Map.groupBy(all, ({ parentId }) => parentId);
    const gone = [...this.#own].flatMap(live => [live, ...this.#along(live)]);
    this.#going = new Map(gone.map(live => [context.addressOf(live), live]));
  }

  has(live: Live): boolean {
    return this.#going.has(this.#context.addressOf(live));
  }

  list(): Removal[] {
    return [...this.#going.values()].map(live => {
      const home = this.#homeOf(live);
      const parent = home && this.#going.get(home);
      const isAlong = parent && this.#along(parent).includes(live);
      return { live, ...(isAlong && { along: home }) };
    });
  }

  /** Spares what the holders hold, and what that holds in turn. What was asked for is refused instead. */
  spare(holders: readonly Holder[]): {
    readonly spared: readonly Held[];
    readonly refused: readonly Held[];
  } {
    const [spared, refused] = [new Map<Address, Held>(), new Map<Address, Held>()];
    const queue = [...holders];
    const hold = (target: Address | undefined, reason: string): void => {
      const live = target && this.#going.get(target);
      if (!live) return;
      if (this.#isAsked(live))
        return void refused.set(target, refused.get(target) ?? { live, reason });
      spared.set(target, { live, reason });
      addAll(
        queue,
        this.#stay(live).map(other => this.holderOf(other)),
      );
    };
    for (const { address, pointsAt, isIn } of queue) {
      for (const target of pointsAt) hold(target, `${address} points at it`);
      hold(isIn, `${address} is in it`);
    }
    return { spared: [...spared.values()], refused: [...refused.values()] };
  }

  holderOf(live: Live): Holder {
    const kind = this.#context.kind(live.kind);
    const held = heldBy(kind, this.#context.fieldsOf(live));
    return {
      address: this.#context.addressOf(live),
      pointsAt: held.union(heldByServer(kind, live, this.#context.naming.keyOfId)),
      isIn: this.#homeOf(live),
    };
  }

  // What would only have gone along stays too.
  #stay(live: Live): readonly Live[] {
    const staying = [live, ...this.#along(live).filter(other => !this.#own.has(other))];
    for (const other of staying) this.#going.delete(this.#context.addressOf(other));
    return staying;
  }

  #isAsked(live: Live): boolean {
    const home = this.#homeOf(live);
    const parent = home && this.#going.get(home);
    return this.#asked.has(live) || (parent !== undefined && this.#asked.has(parent));
  }

  #along({ kind, id }: Live): readonly Live[] {
    const { cascades } = this.#context.kind(kind);
    if (cascades.length === 0) return [];
    return (this.#inside.get(id) ?? []).filter(other => cascades.includes(other.kind));
  }

  #homeOf(live: Live): Address | undefined {
    const kind = this.#context.kind(live.kind);
    const key = parentKey(kind, live, this.#context.naming);
    return kind.parent && key && addressOf(kind.parent, key);
  }
}
