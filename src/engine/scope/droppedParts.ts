// Live parts that a base declared and the files no longer declare. They are deleted in every mode
// of pruning, because removing a list item from an object that the server stores whole would delete
// the item too.
import { identityName } from '../../kinds/identity/identity.ts';
import { itemKeys, partName, partsIn } from '../../kinds/identity/parts.ts';
import type { Kind, KindTable, Parts } from '../../kinds/kind.ts';
import type { Dialect } from '../../kinds/traits.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { addressOf } from '../../model/key.ts';
import type { Key, KindName, RemoteId } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { RecordedIds } from '../types/pairing.ts';

/**
 * Returns the declared object to which a live object belonged as a part, if the files no longer
 * declare that part.
 */
export type DroppedFrom = (live: Live) => Desired | undefined;

/** What makes a live object a part: its name, and the key of its only item. */
export interface LivePart {
  readonly name: string;
  readonly item: string;
}

/** A live object as a part; null if it has no item or several items. */
export function livePart(kind: Kind, live: Live): LivePart | null {
  const { name, items } = liveItems(kind, live);
  const [item, ...others] = items;
  return name === null || item === undefined || others.length > 0 ? null : { name, item };
}

/** The name of a live object, and the keys of all its items. */
export function liveItems(
  kind: Kind,
  { fields }: Live,
): { readonly name: string | null; readonly items: readonly string[] } {
  const shown = canonicalFields(kind.shape, fields, 'live');
  return { name: identityName(kind, shown), items: itemKeys(kind, shown) };
}

/** The declarations in the files and in the base. */
interface Declarations {
  /** The objects as the files declare them. */
  readonly declared: readonly Desired[];
  /** The objects as the base declares them. */
  readonly base: readonly Desired[];
  readonly recordedIds: RecordedIds | undefined;
}

/** A part that the files no longer declare. */
interface Dropped {
  readonly whole: Desired;
  /** The ids of this part in the base; empty if the base has none. */
  readonly ids: ReadonlySet<RemoteId>;
}

/** Finds dropped parts. */
export function droppedFrom(
  { declared, base, recordedIds = new Map() }: Declarations,
  kinds: KindTable,
  dialect: Dialect,
): DroppedFrom {
  const dropped = new Map<string, Dropped>();
  const wholes = wholesByName(declared);
  const ownNames = new Set(base.map(({ kind: name, key }) => textOf(name, key)));
  for (const former of base) {
    const kind = kinds.get(former.kind);
    const parts = kind && partsIn(kind, dialect);
    const whole = wholes.get(textOf(former.kind, former.key));
    if (!kind || !parts || !whole) continue;
    const kept = new Set(whole.lifecycle.delete ? [] : itemKeys(kind, whole.fields));
    for (const item of itemKeys(kind, former.fields)) {
      if (kept.has(item)) continue;
      const names = partNames(parts, [former.key, whole.key], item);
      const ids = new Set(
        names.flatMap(name => recordedIds.get(addressOf(former.kind, name as Key)) ?? []),
      );
      for (const name of names) {
        // If the base declared another object with the name of this part, that object is not the
        // part.
        const isAnother = name !== former.key && ownNames.has(textOf(former.kind, name));
        if (!isAnother) dropped.set(textOf(former.kind, name, item), { whole, ids });
      }
    }
  }
  return live => {
    const kind = kinds.get(live.kind);
    const part = kind && partsIn(kind, dialect) && livePart(kind, live);
    const found = part && dropped.get(textOf(live.kind, part.name, part.item));
    // If the base has other ids for this part, somebody created another object with the same name
    // and item.
    const isAnother = found && found.ids.size > 0 && !found.ids.has(live.id);
    return isAnother ? undefined : found?.whole;
  };
}

// The declared objects by name, and by former name if no other object is declared with that name.
function wholesByName(declared: readonly Desired[]): ReadonlyMap<string, Desired> {
  const former = declared.flatMap((object): [string, Desired][] => {
    const { was } = object.lifecycle;
    return was === undefined ? [] : [[textOf(object.kind, was), object]];
  });
  const now = declared.map((object): [string, Desired] => [
    textOf(object.kind, object.key),
    object,
  ]);
  return new Map([...former, ...now]);
}

const partNames = (parts: Parts, wholes: readonly string[], item: string): string[] =>
  wholes.flatMap(whole => [whole, partName(parts, whole, item)]);

const textOf = (kind: KindName, ...names: readonly string[]): string =>
  JSON.stringify([kind, ...names]);
