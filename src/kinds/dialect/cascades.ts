// What a server deletes along with an object: which objects of which kinds, as the kinds' declarations say it.
import { idInKey } from '../../model/key.ts';
import { type KindName, type RemoteId, remoteId } from '../../model/names.ts';
import type { Fields } from '../../model/value.ts';
import type { Cascade, Kind, KindTable } from '../kind.ts';
import { refsIn } from '../values/refs.ts';

/** One object as far as it says what it goes with. */
export interface Dependent {
  readonly parentId?: RemoteId | undefined;
  /** The fields that files can write, pointers as `id:<value>`. */
  readonly idFields: Fields;
  /** What the server alone sets, as it was read. */
  readonly serverFields: Fields;
}

/** The ids of the objects of kind `taker` along with which an object of kind `child` goes. */
export function takersOf(
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

/** The kinds that a delete of `kind` may cascade to, each after all kinds from which a cascade reaches it. */
export function kindsAlong(kinds: KindTable, kind: Kind): Kind[] {
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
 * Whether a few lists show all objects that such a cascade deletes. Those that nest in one object and belong to another are in too
 * many places to be looked for.
 */
export function isSeen({ by }: Cascade, child: Kind): boolean {
  return by === undefined || child.parent === undefined;
}

/** What a delete of a kind cascades to; less where the object is deleted by its own request and not by a cascade. */
export function cascadesOf({ cascades }: Kind, isAlong: boolean): readonly Cascade[] {
  return cascades.filter(({ onlyInCascade }) => isAlong || !onlyInCascade);
}
