// Finds the objects that can switch off the effect of a change which moves members into sets.
import type { KindName, RemoteId } from '../../model/names.ts';
import type { Belonging, Kind, KindTable } from '../kind.ts';
import { cascadingTo, type Dependent } from './cascades.ts';

/** The kinds whose objects decide whether changes of objects of these kinds move members. */
export function propagatorsOf(kinds: KindTable, names: ReadonlySet<string>): readonly Kind[] {
  return [...kinds.values()].filter(({ propagates }) => propagates && names.has(propagates.kind));
}

/** The objects of kind `child` that belong to each object of a kind, by the id of the owner. */
export function belongingsByOwner<T extends Dependent & { readonly kind: KindName }>(
  { kind: name, by }: Belonging,
  owner: KindName,
  child: Kind,
  live: readonly T[],
): ReadonlyMap<RemoteId, readonly T[]> {
  const cascade = { kind: name, by, onlyInCascade: false };
  const found = new Map<RemoteId, T[]>();
  for (const one of live.filter(({ kind }) => kind === name))
    for (const id of cascadingTo(cascade, owner, child, one)) {
      const known = found.get(id);
      if (known) known.push(one);
      else found.set(id, [one]);
    }
  return found;
}
