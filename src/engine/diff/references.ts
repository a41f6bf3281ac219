// The addresses of the objects to which the fields of an object refer.
import type { Kind } from '../../kinds/kind.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { addressOf } from '../../model/key.ts';
import { type Address, type Key, remoteId } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Fields } from '../../model/value.ts';
import type { PlanContext } from '../types/planContext.ts';

/** The references in these fields. */
export function pointedAt(kind: Kind, fields: Fields): ReadonlySet<Address> {
  return addresses(kind, fields, () => true);
}

/**
 * The addresses to which fields refer, except members of shared sets, because deleting a member
 * leaves no dangling reference.
 */
export function heldBy(kind: Kind, fields: Fields): ReadonlySet<Address> {
  return addresses(kind, fields, field => !field.shared);
}

/**
 * The objects whose deletion an object prevents, without its parent. The result has two groups: the
 * objects to which `held` and read-only fields refer, and the objects with which the server would
 * delete this object.
 */
export function heldByServer(
  kind: Kind,
  { serverFields }: Live,
  held: ReadonlySet<Address>,
  { kind: kindOf, naming }: Pick<PlanContext, 'kind' | 'naming'>,
): { readonly pointsAt: ReadonlySet<Address>; readonly belongsTo: ReadonlySet<Address> } {
  const pointsAt = new Set(held);
  const belongsTo = new Set<Address>();
  for (const { name, readOnly, shape } of kind.shape.fields.values()) {
    const id = serverFields[name];
    if (!readOnly || shape.type !== 'scalar' || !shape.ref || typeof id !== 'string') continue;
    const key = naming.keyOfId(shape.ref, remoteId(id));
    if (key === undefined) continue;
    const goesAlong = kindOf(shape.ref).cascades.some(
      cascade => cascade.kind === kind.name && cascade.by === name && !cascade.onlyInCascade,
    );
    (goesAlong ? belongsTo : pointsAt).add(addressOf(shape.ref, key));
  }
  return { pointsAt, belongsTo };
}

/**
 * Objects that also change when an object is written, because their fields contain the reverse
 * references.
 */
export function writtenThrough(kind: Kind, fields: Fields): ReadonlySet<Address> {
  return addresses(kind, fields, field => field.inverse !== undefined);
}

/** The members of the shared sets in these fields. */
export function membersOf(kind: Kind, fields: Fields): ReadonlySet<Address> {
  return addresses(kind, fields, field => field.shared);
}

type FieldFilter = (field: { readonly shared: boolean; readonly inverse?: string }) => boolean;

function addresses(kind: Kind, fields: Fields, isMeant: FieldFilter): ReadonlySet<Address> {
  const meant = [...kind.shape.fields.values()].filter(isMeant);
  return new Set(
    meant.flatMap(({ name, shape }) =>
      refsIn(shape, fields[name]).map(ref => addressOf(ref.kind, ref.key as Key)),
    ),
  );
}
