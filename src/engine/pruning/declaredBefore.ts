// Whether these files declared a live object before. The removal of ended objects and the check of
// grants share this decision.

import { holdsPart } from '../pairing/partSteps.ts';
import { isPart } from '../scope/parts.ts';
import type { PlanInput } from '../scope/planInput.ts';
import type { Pair, Pairing } from '../types/pairing.ts';
import { createdByApplies } from './createdByApplies.ts';
import { formerDeclarationsOf } from './formerDeclarations.ts';
import { isAnotherByContent } from './sameContent.ts';

/** The inputs that show what earlier runs did. */
export type KnownBefore = Pick<PlanInput, 'kinds' | 'recorded' | 'recordedIds' | 'made'>;

/**
 * Returns whether these files declared the live object of a pair before. The journal of an apply
 * proves it if the apply created the object under this name. A base proves it by the object's id
 * or, without an id, by its name and content. For a file of grants, the object must have had an end
 * time in the base.
 */
export function declaredBefore(
  known: KnownBefore,
  names: Pick<Pairing, 'base' | 'formerNames' | 'naming'>,
): (pair: Pair) => boolean {
  const { kinds } = known;
  const { asDeclared } = createdByApplies(known.made ?? []);
  const formers = formerDeclarationsOf(known, names);
  return pair => {
    const { desired, live } = pair;
    const kind = kinds.get(desired.kind);
    if (!kind) return false;
    const isGrant = desired.isGrant === true;
    if (asDeclared(pair)) return true;
    return formers(pair).some(({ object, id }) => {
      if (isGrant && object.lifecycle.until === undefined) return false;
      if (id !== undefined) return id === live.id;
      if (isPart(object)) return holdsPart(object, live, kind);
      // An ended object is compared with its declared fields, because its members may have ended
      // earlier.
      const declared = desired.ended ? desired : object;
      const compared = { desired: declared, live, ended: desired.ended };
      return !isAnotherByContent(kind, compared, names.naming);
    });
  };
}
