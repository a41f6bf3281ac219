// Determines which live objects are deleted, which are deleted together with them, and which stay
// because a remaining object refers to them.
import { addressOf } from '../../model/key.ts';
import type { Address } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import { addAll } from '../../model/text/longLists.ts';
import { heldBy, heldByServer } from '../diff/references.ts';
import { parentKey } from '../pairing/naming.ts';
import type { PlanContext } from '../types/planContext.ts';
import { cascadeOf, type DeletedWith, deletedWith } from './cascades.ts';

/** An object that stays, and the objects whose deletion it prevents. */
export interface Referrer {
  readonly address: Address;
  readonly pointsAt: ReadonlySet<Address>;
  /** The parent of the object. */
  readonly isIn: Address | undefined;
  /** Objects with which the server would delete this object, according to its read-only fields. */
  readonly belongsTo: ReadonlySet<Address>;
}

/** An object that cannot be deleted, and the reason in words: `policy.x refers to it`. */
export interface UndeletableObject {
  readonly live: Live;
  readonly reason: string;
}

/** How one object prevents the deletion of another. */
interface Hold {
  readonly address: Address;
  readonly how: 'refers' | 'belongs' | 'is-in';
}

const HOLDS: Readonly<Record<Hold['how'], readonly [does: string, others: string]>> = {
  refers: ['refers to it', 'and so do'],
  belongs: ['belongs to it and would be deleted too', 'and so do'],
  'is-in': ['is in it', 'and so are'],
};

/** The maximum number of other objects in a reason. */
const SHOWN = 10;

// The reason in words: `policy.x refers to it, and so do policy.y, policy.z`.
function reasonOf(holds: readonly Hold[]): string {
  const alike = Map.groupBy(holds, ({ how }) => how);
  return [...alike]
    .map(([how, [first, ...others]]) => {
      const [does, more] = HOLDS[how];
      const names = others.slice(0, SHOWN).map(({ address }) => address);
      const left = others.length > SHOWN ? ` and ${others.length - SHOWN} more` : '';
      const rest = names.length > 0 ? `, ${more} ${names.join(', ')}${left}` : '';
      return `${first?.address} ${does}${rest}`;
    })
    .join('; ');
}

/** A live object that is deleted, and the object whose deletion cascades to it. */
export interface Removal {
  readonly live: Live;
  readonly along?: Address;
}

/** The inputs of the removals: live objects that are deleted unless another object needs them. */
export interface RemovalInput {
  /** Objects that the files mark for deletion. */
  readonly asked: readonly Live[];
  /** Objects that are deleted because no file declares them. */
  readonly candidates: readonly Live[];
  /** All of these objects, and all others that a cascade would delete. */
  readonly all: readonly Live[];
}

/** The removals of a run. `spare` takes out the objects that a staying object needs. */
export class Removals {
  readonly #going: Map<Live, Set<Live>>;
  readonly #byAddress: Map<Address, Live>;
  readonly #asked: ReadonlySet<Live>;
  readonly #own: Set<Live>;
  readonly #takes: DeletedWith;
  readonly #context: PlanContext;

  constructor({ asked, candidates, all }: RemovalInput, context: PlanContext) {
    this.#context = context;
    this.#asked = new Set(asked);
    this.#own = new Set([...asked, ...candidates]);
    this.#takes = deletedWith(all, context.kind);
    this.#going = cascadeOf(this.#own, this.#takes);
    this.#byAddress = new Map([...this.#going.keys()].map(live => [context.addressOf(live), live]));
  }

  has(live: Live): boolean {
    return this.#byAddress.has(this.#context.addressOf(live));
  }

  list(): Removal[] {
    const roots = new Map<Live, Address>();
    return [...this.#going.keys()].map(live => {
      const root = this.#rootOf(live, roots);
      return { live, ...(root !== this.#context.addressOf(live) && { along: root }) };
    });
  }

  /**
   * Takes the held objects out of the removals, and then the objects whose deletion they prevent.
   * If the files mark a held object for deletion, it is returned in `refused`.
   */
  spare(holders: readonly Referrer[]): {
    readonly spared: readonly UndeletableObject[];
    readonly refused: readonly UndeletableObject[];
  } {
    const spared = new Map<Address, UndeletableObject>();
    const refused = new Map<Address, { readonly live: Live; readonly holds: Hold[] }>();
    const queue = [...holders];
    const hold = (target: Address | undefined, by: Hold): void => {
      const live = target && this.#byAddress.get(target);
      if (!live) return;
      if (this.#isAsked(live)) {
        const held = refused.get(target) ?? { live, holds: [] };
        held.holds.push(by);
        return void refused.set(target, held);
      }
      spared.set(target, { live, reason: reasonOf([by]) });
      addAll(
        queue,
        this.#stay(live).map(other => referrerOf(other, this.#context)),
      );
    };
    for (const { address, pointsAt, isIn, belongsTo } of queue) {
      for (const target of pointsAt) hold(target, { address, how: 'refers' });
      for (const target of belongsTo) hold(target, { address, how: 'belongs' });
      hold(isIn, { address, how: 'is-in' });
    }
    const all = [...refused.values()];
    return {
      spared: [...spared.values()],
      refused: all.map(({ live, holds }) => ({ live, reason: reasonOf(holds) })),
    };
  }

  // The object whose action deletes `live`. If several actions would delete it, the action of the
  // first object by address does, so that actions cannot wait for each other in a circle.
  #rootOf(live: Live, known: Map<Live, Address>): Address {
    const root = known.get(live);
    if (root !== undefined) return root;
    const own = this.#context.addressOf(live);
    known.set(live, own);
    const [first = own] = [...(this.#going.get(live) ?? [])]
      .map(taker => this.#rootOf(taker, known))
      .sort();
    known.set(live, first);
    return first;
  }

  // Takes an object and the objects of its cascade out of the removals, and returns them.
  #stay(live: Live): readonly Live[] {
    this.#own.delete(live);
    this.#going.delete(live);
    this.#byAddress.delete(this.#context.addressOf(live));
    const freed = this.#takes(live, true).filter(child => {
      const takers = this.#going.get(child);
      return takers?.delete(live) && takers.size === 0 && !this.#own.has(child);
    });
    return [live, ...freed.flatMap(child => this.#stay(child))];
  }

  #isAsked(live: Live): boolean {
    const takers = this.#going.get(live) ?? [];
    return this.#asked.has(live) || [...takers].some(taker => this.#isAsked(taker));
  }
}

/** The objects whose deletion an object prevents if it is not changed. */
export function referrerOf(live: Live, context: PlanContext): Referrer {
  const kind = context.kind(live.kind);
  const held = heldBy(kind, context.fieldsOf(live));
  const key = parentKey(kind, live, context.naming);
  return {
    address: context.addressOf(live),
    ...heldByServer(kind, live, held, context),
    isIn: kind.parent && key && addressOf(kind.parent, key),
  };
}
