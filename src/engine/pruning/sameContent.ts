// Whether a live object is the declared object, judged by its content because no record contains its id.
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { itemKey, keyFields } from '../../kinds/values/items.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import type { Ended } from '../../model/ending.ts';
import type { KindName } from '../../model/names.ts';
import { isList, type Path } from '../../model/value.ts';
import type { Naming } from '../types/naming.ts';
import type { Pair } from '../types/pairing.ts';

/**
 * Whether a live object has nothing in common with the declaration. Used only for kinds whose
 * objects consist of items. An item matches if it has the same key and every declared reference
 * that has not ended. Additional references and disabled items do not matter. `isWithoutItems`: the
 * result if there are no items to compare.
 */
export function isAnotherByContent(
  kind: Kind,
  { desired, live, ended }: Pair & { readonly ended: Ended | undefined },
  naming: Naming,
  isWithoutItems: 'another' | 'the-same' = 'the-same',
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
  if (lists.length === 0) return isWithoutItems === 'another';
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

// A string for a reference and its path, without positions in lists.
const placed = (kind: KindName, key: string, path: Path): string =>
  JSON.stringify([kind, key, path.filter(step => !/^\d+$/.test(step))]);
