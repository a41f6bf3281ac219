// Live parts of declared objects that a base declared and the files no longer do: they go, whatever is pruned, as a list
// item goes where a server keeps the list in one object.
import { identityName } from '../../kinds/identity/identity.ts';
import { itemKeys, partName, partsIn } from '../../kinds/identity/parts.ts';
import type { Kind, KindTable, Parts } from '../../kinds/kind.ts';
import type { Dialect } from '../../kinds/traits.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import type { KindName } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';

/** The declared object that a live one was a part of, where the files have dropped that part. */
export type DroppedFrom = (live: Live) => Desired | undefined;

/** What a live object holds that can be a part: its name, and the key of its only item. */
export interface LivePart {
  readonly name: string;
  readonly item: string;
}

/** A live object as a part; null where it holds none, or several items. */
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

/** Finds dropped parts. `declared` are the objects as files declare them, `base` likewise. */
export function droppedFrom(
  declared: readonly Desired[],
  base: readonly Desired[],
  kinds: KindTable,
  dialect: Dialect,
): DroppedFrom {
  const dropped = new Map<string, Desired>();
  const wholes = wholesByName(declared);
  for (const former of base) {
    const kind = kinds.get(former.kind);
    const parts = kind && partsIn(kind, dialect);
    const whole = wholes.get(textOf(former.kind, former.key));
    if (!kind || !parts || !whole) continue;
    const kept = new Set(whole.lifecycle.delete ? [] : itemKeys(kind, whole.fields));
    for (const item of itemKeys(kind, former.fields)) {
      if (kept.has(item)) continue;
      for (const name of partNames(parts, [former.key, whole.key], item))
        dropped.set(textOf(former.kind, name, item), whole);
    }
  }
  return live => {
    const kind = kinds.get(live.kind);
    const part = kind && partsIn(kind, dialect) && livePart(kind, live);
    return part ? dropped.get(textOf(live.kind, part.name, part.item)) : undefined;
  };
}

// By the name it has, and by the one it had where nothing else is declared under that.
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
