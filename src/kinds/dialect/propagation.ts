// Whether a change of an object moves members into sets: another object of the account can say that it does not.
import type { KindName, RemoteId } from '../../model/names.ts';
import type { Belonging, Kind, KindTable } from '../kind.ts';
import { type Dependent, takersOf } from './cascades.ts';

/** The kinds whose objects say whether changes of objects of these kinds move members. */
export function propagatorsOf(kinds: KindTable, names: ReadonlySet<string>): readonly Kind[] {
  return [...kinds.values()].filter(({ propagates }) => propagates && names.has(propagates.kind));
}

/** What belongs to each object of a kind, by the id of that object; `child` is the kind of what belongs. */
export function belongingsByOwner<T extends Dependent & { readonly kind: KindName }>(
  { kind: name, by }: Belonging,
  owner: KindName,
  child: Kind,
  live: readonly T[],
): ReadonlyMap<RemoteId, readonly T[]> {
  const cascade = { kind: name, by, onlyInCascade: false };
  const found = new Map<RemoteId, T[]>();
  for (const one of live.filter(({ kind }) => kind === name))
    for (const id of takersOf(cascade, owner, child, one)) {
      const known = found.get(id);
      if (known) known.push(one);
      else found.set(id, [one]);
    }
  return found;
}
