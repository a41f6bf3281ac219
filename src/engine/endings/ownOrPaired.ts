// Whether the object with the name of an ended object is the object that the files ended. Somebody may have created another
// object of that name, or swapped names, and an end must not delete an object that somebody else needs.
import { hasIdInBase } from '../../kinds/identity/identity.ts';
import { addressOf } from '../../model/key.ts';
import type { Live } from '../../model/object.ts';
import { createdByApplies } from '../pruning/createdByApplies.ts';
import type { PlanInput } from '../scope/planInput.ts';
import type { Pair } from '../types/pairing.ts';

/** The live object to which an end applies. */
interface Own {
  readonly live: Live;
  /** Whether the base has another object under the name: that object was deleted, or the files give it another name. */
  readonly isOther: boolean;
  /** Whether the base or a journal has the id of the object. */
  readonly isKnown: boolean;
  /** Whether that id is that of the part, if the object is a part: a journal may only tell the whole. */
  readonly isItemKnown: boolean;
}

/**
 * Returns the live object that the base identifies for a declared object, whatever its name; or else the live object that is
 * paired with it.
 */
export function ownOrPaired(
  pairs: readonly Pair[],
  {
    recordedIds,
    kinds,
    snapshot,
    made = [],
  }: Pick<PlanInput, 'recordedIds' | 'kinds' | 'snapshot' | 'made'>,
): (pair: Pair) => Own {
  const paired = new Set(pairs.map(({ live }) => live));
  const byId = new Map(snapshot.objects.map(live => [`${live.kind} ${live.id}`, live]));
  const { asDeclared } = createdByApplies(made);
  return pair => {
    const { desired, live } = pair;
    const { kind, key, lifecycle } = desired;
    if (lifecycle.id !== undefined)
      return { live, isOther: false, isKnown: true, isItemKnown: true };
    const id = hasIdInBase(kinds.get(kind)) ? recordedIds?.get(addressOf(kind, key)) : undefined;
    if (id === undefined || id === live.id) {
      const isKnown = id !== undefined || asDeclared(pair) !== undefined;
      return {
        live,
        isOther: false,
        isKnown,
        isItemKnown: id !== undefined || (isKnown && !desired.part),
      };
    }
    const own = byId.get(`${kind} ${id}`);
    const isFree = own !== undefined && !paired.has(own);
    return { live: isFree ? own : live, isOther: !isFree, isKnown: true, isItemKnown: isFree };
  };
}
