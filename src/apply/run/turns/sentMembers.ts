// Sets that others also own. The request contains the current members, with the changes from the
// files.
import type { Kind } from '../../../kinds/kind.ts';
import { present } from '../../../model/errors.ts';
import { idKey } from '../../../model/key.ts';
import type { KindName } from '../../../model/names.ts';
import type { UpdateAction } from '../../../model/plan.ts';
import { type Fields, isList } from '../../../model/value.ts';
import type { RunNames } from './runNames.ts';

/**
 * By field, the members that a set should have, as `id:<value>`, sorted. They are the members in
 * `live` (fields in id space) without the members to remove, and the members that the files
 * declare. Members in `live` may have joined since the plan
 * (docs/server-behaviour.md#group-membership).
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

/** The members that the files declare in a field, as `id:<value>`. Members whose ids the run does not have yet are left out. */
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
