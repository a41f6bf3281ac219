// Declarations without a live object that name deleted objects: they are written without these names, or removed if they need
// them.
import { type LostObjects, repaired } from '../engine/missing/repairedFields.ts';
import type { KindTable } from '../kinds/kind.ts';
import { spanText } from '../model/diagnostic.ts';
import { addressOf } from '../model/key.ts';
import type { Address } from '../model/names.ts';
import type { Desired } from '../model/object.ts';
import type { Fields } from '../model/value.ts';

/** A declaration that is repaired. */
export interface Repair {
  readonly desired: Desired;
  /** The fields that lose names, with their remaining value; absent if the whole declaration is removed. */
  readonly fields?: Fields;
  /** The deleted object without which the declaration cannot exist; the declared object itself if it was deleted. */
  readonly by: Address;
}

/** The repairs of declarations without a live object; `desired` are all declarations. */
export function repairsOf(
  gone: readonly Desired[],
  desired: readonly Desired[],
  { deleted, kinds }: { readonly deleted: ReadonlySet<Address>; readonly kinds: KindTable },
): readonly Repair[] {
  if (deleted.size === 0) return [];
  const places = Map.groupBy(desired, ({ at }) => spanText(at));
  // One place in a file can declare several objects: a template, for example.
  const own = gone.filter(({ at }) => places.get(spanText(at))?.length === 1);
  const lost = new Map([...deleted].map(address => [address, { mayLive: false }]));
  for (;;) {
    const repairs = own.flatMap(object => repairOf(object, lost, kinds) ?? []);
    const removed = repairs.filter(({ fields }) => fields === undefined);
    const known = lost.size;
    for (const { desired: object } of removed)
      lost.set(addressOf(object.kind, object.key), { mayLive: false });
    if (lost.size === known) return repairs;
  }
}

function repairOf(object: Desired, lost: LostObjects, kinds: KindTable): Repair | null {
  const kind = kinds.get(object.kind);
  const address = addressOf(object.kind, object.key);
  if (!kind) return null;
  // Children are removed with their parents.
  const home = kind.parent && object.parent && addressOf(kind.parent, object.parent);
  if (home && lost.has(home)) return null;
  const { object: rest, lost: names, stuck } = repaired(kind, object, lost);
  if (stuck) return { desired: object, by: stuck.address };
  if (lost.has(address)) return { desired: object, by: address };
  const [first] = names;
  if (first === undefined) return null;
  const changed = new Set(names.map(({ path: [name] }) => name));
  const fields = Object.entries(rest.fields).filter(([name]) => changed.has(name));
  return { desired: object, by: first.address, fields: Object.fromEntries(fields) };
}
