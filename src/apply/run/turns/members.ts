// Sets that others also own: the request contains the members as they are now, with the changes of the files.
import type { Kind } from '../../../kinds/kind.ts';
import { present } from '../../../model/errors.ts';
import { idKey } from '../../../model/key.ts';
import type { KindName } from '../../../model/names.ts';
import type { UpdateAction } from '../../../model/plan.ts';
import { type Fields, isList } from '../../../model/value.ts';
import type { RunNames } from './names.ts';

/**
 * By field, the members that the set is to have: those in `live` (fields in id space), who may have joined since the plan
 * (docs/server-behaviour.md#group-membership), without those to be removed, and those that the files want. As `id:<value>`,
 * sorted.
 */
export function freshMembers(
  kind: Kind,
  members: UpdateAction['members'],
  live: Fields,
  names: RunNames,
): Fields {
  const fresh = Object.entries(members).map(([name, { add, remove, keep }]) => {
    const ids = idsIn(kind, name, names);
    const there = new Set(isList(live[name]) ? live[name].map(String) : []);
    const wanted = there.difference(ids(remove)).union(ids([...keep, ...add]));
    return [name, [...wanted].sort()];
  });
  return Object.fromEntries(fresh);
}

/** By field, the members to remove, as `id:<value>`. */
export function removedMembers(
  kind: Kind,
  members: UpdateAction['members'],
  names: RunNames,
): Fields {
  const gone = Object.entries(members).map(([name, { remove }]) => [
    name,
    [...idsIn(kind, name, names)(remove)],
  ]);
  return Object.fromEntries(gone);
}

/** The members that the files want in a field, as `id:<value>`, as far as the run knows their ids. */
export function wantedMembers(
  kind: Kind,
  field: string,
  keys: readonly string[],
  names: RunNames,
): ReadonlySet<string> {
  const ref = memberKind(kind, field);
  return new Set(
    keys.flatMap(key => {
      const id = names.find(ref, key);
      return id === undefined ? [] : idKey(id);
    }),
  );
}

function idsIn(kind: Kind, field: string, names: RunNames) {
  const ref = memberKind(kind, field);
  return (keys: readonly string[]): ReadonlySet<string> =>
    new Set(keys.map(key => idKey(names.idOf(ref, key))));
}

/** The kind of the members of a set. */
export function memberKind(kind: Kind, field: string): KindName {
  const shape = kind.shape.fields.get(field)?.shape;
  const items = shape?.type === 'list' ? shape.items : undefined;
  const ref = items?.type === 'scalar' ? items.ref : undefined;
  return present(ref, `the kind of the members of ${field}`);
}
