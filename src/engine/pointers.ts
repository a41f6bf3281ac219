// Which objects an object points at: the addresses behind the pointers in its fields.
import type { Kind } from '../kinds/kind.ts';
import { refsIn } from '../kinds/refs.ts';
import { addressOf } from '../model/key.ts';
import type { Address, Key } from '../model/names.ts';
import type { Fields } from '../model/value.ts';

/** What these fields point at. */
export function pointedAt(kind: Kind, fields: Fields): ReadonlySet<Address> {
  return addresses(kind, fields, () => true);
}

/** The same without members of shared sets: those may go without leaving a hole. */
export function heldBy(kind: Kind, fields: Fields): ReadonlySet<Address> {
  return addresses(kind, fields, field => !field.shared);
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
