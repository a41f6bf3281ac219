// Finds the objects that a server deletes along with an object, according to the declarations of the kinds.
import { idInKey } from '../../model/key.ts';
import { type KindName, type RemoteId, remoteId } from '../../model/names.ts';
import type { Fields } from '../../model/value.ts';
import type { Cascade, Kind, KindTable } from '../kind.ts';
import { refsIn } from '../values/refs.ts';

/** The fields of an object that decide which deletes cascade to it. */
export interface Dependent {
  readonly parentId?: RemoteId | undefined;
  /** The fields that files can declare, with references as `id:<value>`. */
  readonly idFields: Fields;
  /** The read-only fields, as they were read. */
  readonly serverFields: Fields;
}

/** The ids of the objects of kind `taker` whose deletion cascades to an object of kind `child`. */
export function cascadingTo(
  { by }: Cascade,
  taker: KindName,
  child: Kind,
  { parentId, idFields, serverFields }: Dependent,
): RemoteId[] {
  if (by === undefined) return parentId === undefined ? [] : [parentId];
  const field = child.shape.fields.get(by);
  if (field?.readOnly) {
    const id = serverFields[by];
    return typeof id === 'string' && id !== '' ? [remoteId(id)] : [];
  }
  const refs = field ? refsIn(field.shape, idFields[by]) : [];
  return refs.flatMap(({ kind, key }) => (kind === taker ? (idInKey(key) ?? []) : []));
}

/** The kinds to which a delete of `kind` may cascade. Each kind comes after all kinds from which a cascade reaches it. */
export function kindsInCascade(kinds: KindTable, kind: Kind): Kind[] {
  const seen = new Set([kind]);
  const ended: Kind[] = [];
  const visit = (from: Kind, isAlong: boolean): void => {
    for (const cascade of cascadesOf(from, isAlong).toReversed()) {
      const child = kinds.get(cascade.kind);
      if (!child || seen.has(child)) continue;
      seen.add(child);
      visit(child, true);
      ended.push(child);
    }
  };
  visit(kind, false);
  return ended.reverse();
}

/**
 * Whether a few lists show all objects that a cascade deletes. If the children of one object refer to another object, they are
 * spread over too many lists to read.
 */
export function isSeen({ by }: Cascade, child: Kind): boolean {
  return by === undefined || child.parent === undefined;
}

/**
 * The kinds to which a delete of a kind cascades. `isAlong`: the object is itself deleted by a cascade; then more kinds may
 * follow than after a request for the object alone.
 */
export function cascadesOf({ cascades }: Kind, isAlong: boolean): readonly Cascade[] {
  return cascades.filter(({ onlyInCascade }) => isAlong || !onlyInCascade);
}
