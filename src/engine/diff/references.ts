// Which objects an object points at: the addresses behind the pointers in its fields.
import type { Kind } from '../../kinds/kind.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { addressOf } from '../../model/key.ts';
import { type Address, type Key, remoteId } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Fields } from '../../model/value.ts';
import type { PlanContext } from '../types/planContext.ts';

/** What these fields point at. */
export function pointedAt(kind: Kind, fields: Fields): ReadonlySet<Address> {
  return addresses(kind, fields, () => true);
}

/** The same without members of shared sets: those may go without leaving a hole. */
export function heldBy(kind: Kind, fields: Fields): ReadonlySet<Address> {
  return addresses(kind, fields, field => !field.shared);
}

/**
 * What an object keeps from going, besides what it nests in: what it points at in `held` and in fields that the server alone
 * sets, and, apart from that, what the server would delete it with.
 */
export function heldByServer(
  kind: Kind,
  { serverFields }: Live,
  held: ReadonlySet<Address>,
  { kind: kindOf, naming }: Pick<PlanContext, 'kind' | 'naming'>,
): { readonly pointsAt: ReadonlySet<Address>; readonly belongsTo: ReadonlySet<Address> } {
  const [pointsAt, belongsTo] = [new Set(held), new Set<Address>()];
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

/** Objects that are written along, because a field here and one of theirs state the same fact. */
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
