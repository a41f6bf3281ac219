// Whether these files declared a live object before: the one place that decides it, for ends and for files of grants.

import { holdsPart } from '../pairing/partSteps.ts';
import { isPart } from '../scope/parts.ts';
import type { PlanInput } from '../scope/run.ts';
import type { Pair, Pairing } from '../types/pairing.ts';
import { formersOf } from './formers.ts';
import { madeAs } from './madeAs.ts';
import { isAnotherByContent } from './sameContent.ts';

/** What is known of earlier runs. */
export type KnownBefore = Pick<PlanInput, 'kinds' | 'recorded' | 'recordedIds' | 'made'>;

/**
 * By the journals of the applies that created an object under its name, whatever became of them, and by the bases, which identify objects by
 * their ids; without an id, by their names and content. What a file of grants declares must have had an end there, too.
 */
export function declaredBefore(
  known: KnownBefore,
  names: Pick<Pairing, 'base' | 'formerNames' | 'naming'>,
): (pair: Pair) => boolean {
  const { kinds } = known;
  const { asDeclared } = madeAs(known.made ?? []);
  const formers = formersOf(known, names);
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
      // What has ended is compared as the files declare it: its members may have ended before it.
      const declared = desired.ended ? desired : object;
      const compared = { desired: declared, live, ended: desired.ended };
      return !isAnotherByContent(kind, compared, names.naming);
    });
  };
}
