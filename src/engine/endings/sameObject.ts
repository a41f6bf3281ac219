// Whether the object that has the name of what has ended is the one that the files gave an end. Somebody may have made another one of that
// name, or exchanged names, and an end must not delete what somebody else needs.
import { hasIdInBase } from '../../kinds/identity/identity.ts';
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { itemKey, keyFields } from '../../kinds/values/items.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import type { Ended } from '../../model/ending.ts';
import { addressOf } from '../../model/key.ts';
import type { KindName } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import { isList, type Path } from '../../model/value.ts';
import type { PlanInput } from '../scope/run.ts';
import type { Naming } from '../types/naming.ts';
import type { Pair } from '../types/pairing.ts';

/** The live object that an end is about. */
interface Own {
  readonly live: Live;
  /** The base knows another object by the name; that object is gone, or the files give it another name. */
  readonly isOther: boolean;
  /** Whether the base has the id of the object. */
  readonly isKnown: boolean;
}

/** For each declared object, the live one that the base knows as it, under whatever name; else the one that is paired with it. */
export function ownOrOther(
  pairs: readonly Pair[],
  { recordedIds, kinds, snapshot }: Pick<PlanInput, 'recordedIds' | 'kinds' | 'snapshot'>,
): (pair: Pair) => Own {
  const paired = new Set(pairs.map(({ live }) => live));
  const byId = new Map(snapshot.objects.map(live => [`${live.kind} ${live.id}`, live]));
  return ({ desired: { kind, key, lifecycle }, live }) => {
    if (lifecycle.id !== undefined) return { live, isOther: false, isKnown: true };
    const id = hasIdInBase(kinds.get(kind)) ? recordedIds?.get(addressOf(kind, key)) : undefined;
    if (id === undefined || id === live.id)
      return { live, isOther: false, isKnown: id !== undefined };
    const own = byId.get(`${kind} ${id}`);
    const isFree = own !== undefined && !paired.has(own);
    return { live: isFree ? own : live, isOther: !isFree, isKnown: true };
  };
}

/**
 * Whether nothing of a live object is what the files declare, in a kind whose objects consist of items. An item counts as the declared one
 * if it has its key and names everything that the declared one names and that has not ended: what somebody added or switched off makes it
 * no other.
 */
export function isAnotherByContent(
  kind: Kind,
  { desired, live, ended }: Pair & { readonly ended: Ended | undefined },
  naming: Naming,
): boolean {
  const over = new Set((ended?.members ?? []).flatMap(({ names }) => [...names]));
  const declared = canonicalFields(kind.shape, desired.fields, 'desired');
  const there = canonicalFields(kind.shape, live.fields, 'live');
  const lists = [...kind.shape.fields].flatMap(([name, { shape }]) => {
    const by = keyFields(shape);
    const items = declared[name];
    return shape.type === 'list' && by !== undefined && isList(items) && items.length > 0
      ? [{ by, items, found: there[name], shape: shape.items }]
      : [];
  });
  if (lists.length === 0) return false;
  return lists.every(({ by, items, found, shape }) => {
    const live = new Map((isList(found) ? found : []).map(item => [itemKey(item, by), item]));
    return items.every(item => {
      const other = live.get(itemKey(item, by));
      if (other === undefined) return true;
      const names = new Set(
        refsIn(shape, other).map(({ kind: to, key, path }) =>
          placed(to, naming.keyOf(to, key), path),
        ),
      );
      return refsIn(shape, item).some(
        ({ kind: to, key, path }) => !over.has(key) && !names.has(placed(to, key, path)),
      );
    });
  });
}

// The place of a reference, whatever its position in a list.
const placed = (kind: KindName, key: string, path: Path): string =>
  JSON.stringify([kind, key, path.filter(step => !/^\d+$/.test(step))]);
