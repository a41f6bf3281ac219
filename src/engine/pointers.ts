// Which objects an object points at: the addresses behind the pointers in its fields.
import type { Kind } from '../kinds/kind.ts';
import { refsIn } from '../kinds/refs.ts';
import { addressOf } from '../model/key.ts';
import { type Address, type Key, remoteId } from '../model/names.ts';
import type { Live } from '../model/object.ts';
import type { Fields } from '../model/value.ts';
import type { Naming } from './naming.ts';

/** What these fields point at. */
export function pointedAt(kind: Kind, fields: Fields): ReadonlySet<Address> {
  return addresses(kind, fields, () => true);
}

/** The same without members of shared sets: those may go without leaving a hole. */
export function heldBy(kind: Kind, fields: Fields): ReadonlySet<Address> {
  return addresses(kind, fields, field => !field.shared);
}

/** What an object points at in fields that the server alone sets: it keeps what stands there from going. */
export function heldByServer(
  kind: Kind,
  { serverFields }: Live,
  keyOfId: Naming['keyOfId'],
): ReadonlySet<Address> {
  return new Set(
    [...kind.shape.fields.values()].flatMap(({ name, readOnly, shape }) => {
      const id = serverFields[name];
      if (!readOnly || shape.type !== 'scalar' || !shape.ref || typeof id !== 'string') return [];
      const key = keyOfId(shape.ref, remoteId(id));
      return key === undefined ? [] : [addressOf(shape.ref, key)];
    }),
  );
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
