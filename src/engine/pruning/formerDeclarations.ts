// The declarations of a live object in the bases.
import { hasIdInBase } from '../../kinds/identity/identity.ts';
import { addressOf } from '../../model/key.ts';
import type { Key, RemoteId } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { PlanInput } from '../scope/planInput.ts';
import type { Pair, Pairing } from '../types/pairing.ts';

/** A declaration of a base. */
export interface FormerDeclaration {
  readonly object: Desired;
  /** The id of the object that had the name when the base was recorded; undefined if the base has no id. */
  readonly id: RemoteId | undefined;
}

/** Returns the declarations of a live object in the bases, found by its name in the account and its name in the files. */
export function formerDeclarationsOf(
  {
    kinds,
    recorded,
    recordedIds = new Map(),
  }: Pick<PlanInput, 'kinds' | 'recorded' | 'recordedIds'>,
  { base, formerNames, naming }: Pick<Pairing, 'base' | 'formerNames' | 'naming'>,
): (pair: Pair) => readonly FormerDeclaration[] {
  const second = new Map(
    (recorded?.objects ?? []).map(one => [addressOf(one.kind, one.key), one] as const),
  );
  return ({ desired: { kind, key }, live }) => {
    const hasId = hasIdInBase(kinds.get(kind));
    const former = (object: Desired | undefined, written: Key): readonly FormerDeclaration[] =>
      object ? [{ object, id: hasId ? recordedIds.get(addressOf(kind, written)) : undefined }] : [];
    return [naming.keyOfId(live.kind, live.id) ?? key, key].flatMap(name => {
      const address = addressOf(kind, name);
      return [
        ...former(base.get(address), formerNames.get(address) ?? name),
        ...former(second.get(address), name),
      ];
    });
  };
}
