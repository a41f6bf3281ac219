// Finds the live objects that the server deletes together with a live object.
import { cascadesOf, cascadingTo } from '../../kinds/dialect/cascades.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { KindName } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';

/** Returns the objects that the server deletes together with an object. */
export type DeletedWith = (taker: Live, isAlong: boolean) => readonly Live[];

/**
 * Returns a lookup of the objects among `objects` that the server deletes together with another of
 * them.
 */
export function deletedWith(
  objects: readonly Live[],
  kindOf: (name: KindName) => Kind,
): DeletedWith {
  const ofKind = Map.groupBy(objects, ({ kind }) => kind);
  const known = new Map<string, ReadonlyMap<string, readonly Live[]>>();
  const indexOf = (taker: Kind) =>
    taker.cascades.map(cascade => {
      const name = `${taker.name} ${cascade.kind} ${cascade.by}`;
      const index = known.get(name) ?? byTaker(taker, cascade);
      known.set(name, index);
      return { cascade, index };
    });
  const byTaker = (taker: Kind, cascade: Kind['cascades'][number]) => {
    const index = new Map<string, Live[]>();
    const child = kindOf(cascade.kind);
    for (const live of ofKind.get(cascade.kind) ?? [])
      for (const id of new Set(cascadingTo(cascade, taker.name, child, live)))
        index.set(id, [...(index.get(id) ?? []), live]);
    return index;
  };
  return ({ kind: name, id }, isAlong) => {
    const kind = kindOf(name);
    const meant = new Set(cascadesOf(kind, isAlong));
    return indexOf(kind).flatMap(({ cascade, index }) =>
      meant.has(cascade) ? (index.get(id) ?? []) : [],
    );
  };
}

/** All objects that are deleted with `roots`, each with the objects whose deletion cascades to it. */
export function cascadeOf(roots: Iterable<Live>, takes: DeletedWith): Map<Live, Set<Live>> {
  const going = new Map<Live, Set<Live>>();
  const along = new Set<Live>();
  const queue = [...roots];
  for (const root of queue) going.set(root, new Set());
  for (const live of queue)
    for (const child of takes(live, along.has(live))) {
      const takers = going.get(child) ?? new Set();
      going.set(child, takers.add(live));
      if (along.has(child)) continue;
      along.add(child);
      queue.push(child);
    }
  return going;
}
