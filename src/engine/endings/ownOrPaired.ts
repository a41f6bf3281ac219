// Determines whether the object with the name of an ended object is the object that the files
// ended. Somebody may have created another object with that name, or exchanged names. An object
// that somebody else needs must not be deleted.
import { hasIdInBase } from '../../kinds/identity/identity.ts';
import { addressOf } from '../../model/key.ts';
import type { Live } from '../../model/object.ts';
import { createdByApplies } from '../pruning/createdByApplies.ts';
import type { PlanInput } from '../scope/planInput.ts';
import type { Pair } from '../types/pairing.ts';

/** The live object that an ended declaration concerns. */
interface Own {
  readonly live: Live;
  /**
   * Whether the base has the name for another object, which was deleted or to which the files give
   * another name.
   */
  readonly isOther: boolean;
  /** Whether the base or a journal has the id of the object. */
  readonly isKnown: boolean;
  /**
   * For a part: whether that id is the id of the part. A journal may contain only the id of the
   * whole object.
   */
  readonly isItemKnown: boolean;
}

/**
 * Returns the live object that the base identifies for a declared object, whatever its name is. If
 * there is none, returns the live object that is paired with the declared object.
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
