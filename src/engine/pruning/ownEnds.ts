// The ended objects that these files declared before: an end removes no other object. A declaration that is new and already ended
// may name, or bind by id, an object of somebody else.
import { hasIdInBase } from '../../kinds/identity/identity.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { holdsPart } from '../pairing/partSteps.ts';
import { isPart } from '../scope/parts.ts';
import type { PlanInput } from '../scope/run.ts';
import type { Pair, Pairing } from '../types/pairing.ts';
import { declaringText, droppingHint } from './declaringFolder.ts';
import type { Declarer } from './elsewhere.ts';
import { isAnotherByContent } from './sameContent.ts';

/** Whether the object of a pair that has ended is the one that the files gave its end. */
export type IsOwnEnd = (pair: Pair) => boolean;

/**
 * By the bases, which identify objects by their ids; without an id, by their names and content. Without any base, nothing
 * shows what was applied before, and the files are trusted.
 */
export function ownEnds(
  { kinds, recorded, recordedIds = new Map() }: PlanInput,
  { base, formerNames, naming }: Pick<Pairing, 'base' | 'formerNames' | 'naming'>,
): IsOwnEnd {
  if (!recorded?.hasBase) return () => true;
  const second = new Map(recorded.objects.map(one => [addressOf(one.kind, one.key), one]));
  return pair => {
    const { desired, live } = pair;
    const kind = kinds.get(desired.kind);
    if (!kind) return false;
    const now = naming.keyOfId(live.kind, live.id) ?? desired.key;
    const isOf = (former: Desired | undefined, written: Key): boolean => {
      if (former === undefined) return false;
      const id = hasIdInBase(kind) ? recordedIds.get(addressOf(kind.name, written)) : undefined;
      if (id !== undefined) return id === live.id;
      if (isPart(former)) return holdsPart(former, live, kind);
      return !isAnotherByContent(kind, { desired, live, ended: desired.ended }, naming);
    };
    return [now, desired.key].some(key => {
      const address: Address = addressOf(kind.name, key);
      return (
        isOf(base.get(address), formerNames.get(address) ?? key) || isOf(second.get(address), key)
      );
    });
  };
}

/** The warning for the object of a declaration that has ended, if the files did not give it that end. */
export const endOfOther = (
  { kind, at }: Desired,
  key: Key,
  { recordedIds }: Pick<PlanInput, 'recordedIds'>,
): Diagnostic => {
  const address = addressOf(kind, key);
  const isKnown = recordedIds?.has(address) === true;
  return {
    code: 'END_HELD',
    severity: 'warning',
    message: `${address} has ended, and the object of that name in the account stays, because ${isKnown ? 'it is another one' : 'nothing recorded says that these files made it'}`,
    at,
    hint: isKnown
      ? 'look at it in the account: delete or rename it there, or remove the declaration'
      : 'delete it in the account, or remove the declaration; to manage it here, apply it once without the end',
  };
};

/** The warning for an object that has ended and that another folder declares. */
export function endOfShared({ desired }: Pair, by: Declarer | undefined): Diagnostic[] {
  if (by === undefined) return [];
  const { kind, key, part, at } = desired;
  return [
    {
      code: 'END_HELD',
      severity: 'warning',
      message: `${addressOf(kind, part?.whole ?? key)} has ended and stays: also declared by ${declaringText(by)}`,
      at,
      hint: droppingHint(by),
    },
  ];
}
