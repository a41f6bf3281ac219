// What differs between the files and the account, object by object and field by field.
import type { Span } from './diagnostic.ts';
import type { Address, Key, KindName, RemoteId } from './names.ts';
import type { Shown, ShownFields } from './secrets/shown.ts';
import type { Fields, Json, Path } from './value.ts';

/** With a base: who moved. `pending` the files, `drift` the account, `conflict` both, differently. */
export type Since = 'pending' | 'drift' | 'conflict';

/** One difference inside an object. */
export type FieldChange<V extends Json = Json> = ValueChange<V> | MembersChange<V>;

interface FieldChangeBase {
  readonly path: Path;
  /** The desired value was not written but is the field's default. */
  readonly byDefault?: true;
  /** Only another object can have this value. */
  readonly replaces?: true;
  readonly since?: Since;
}

/** A value that becomes another; `before` or `after` is missing where there is none. */
export interface ValueChange<V extends Json = Json> extends FieldChangeBase {
  readonly type: 'value';
  readonly before?: V;
  readonly after?: V;
}

/** A set that gains or loses members. */
export interface MembersChange<V extends Json = Json> extends FieldChangeBase {
  readonly type: 'members';
  readonly added: readonly V[];
  readonly removed: readonly V[];
  /** Members that stay because files declare them. */
  readonly kept: readonly V[];
  /** Members of a shared set that no file declares: they stay too. */
  readonly foreign: readonly V[];
}

/** Drift that somebody knows of: it is told, and raises no alarm. */
export interface Acknowledgement {
  /** `kind/name`, or `kind/name.field` for one field. */
  readonly object: string;
  readonly reason: string;
  /** The last day it holds, or the moment it ends: `2026-12-31`, `2026-12-31T12:00:00Z`. */
  readonly until: string;
}

type ChangeType = 'create' | 'update' | 'replace' | 'delete';

/** What is to become of one object. While a plan is made its values are as they are; a plan has a `ShownChange`. */
export interface Change<F extends Fields = Fields, V extends Json = Json> {
  readonly address: Address;
  readonly kind: KindName;
  readonly key: Key;
  /** The key of the declared object, where the server keeps that in several and this is one of them. */
  readonly partOf?: Key;
  readonly type: ChangeType;
  /** The live object's id; a create has none. */
  readonly id?: RemoteId;
  /** Where it is declared; a delete has no place. */
  readonly at?: Span;
  /** The fields as they are and as they will be, in canonical form: only those that the files own. */
  readonly before?: F;
  readonly after?: F;
  readonly fields: readonly FieldChange<V>[];
  /** The key it had, where it is renamed or moved. */
  readonly was?: Key;
  /** With a base, who moved of what concerns the object as a whole: that it is there, and what it nests in. */
  readonly since?: Since;
  /** Deleted by the server along with this object. */
  readonly with?: Address;
  /** What a person should know of it. */
  readonly notes: readonly string[];
}

/** A change as people and programs may see it. */
export type ShownChange = Change<ShownFields, Shown>;

export type LeftAloneReason = 'unmanaged' | 'reserved' | 'referenced';

/** A live object that the run does not touch. */
export interface LeftAlone {
  readonly address: Address;
  readonly kind: KindName;
  readonly key: Key;
  readonly id: RemoteId;
  readonly reason: LeftAloneReason;
  /** Why, in words. */
  readonly because?: string;
}
