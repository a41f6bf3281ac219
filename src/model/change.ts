// The differences between the files and the account, by object and field.
import type { Span } from './diagnostic.ts';
import type { Address, Key, KindName, RemoteId } from './names.ts';
import type { Shown, ShownFields } from './secrets/shown.ts';
import type { Fields, Json, Path } from './value.ts';

/**
 * With a base, the side that changed the value: `pending` the files, `drift` the account, `conflict` both sides in different
 * ways.
 */
export type Since = 'pending' | 'drift' | 'conflict';

/** One difference inside an object. */
export type FieldChange<V extends Json = Json> = ValueChange<V> | MembersChange<V>;

interface FieldChangeBase {
  readonly path: Path;
  /** The desired value is the default of the field. */
  readonly byDefault?: true;
  /** Only a new object can have this value. */
  readonly replaces?: true;
  readonly since?: Since;
}

/** A changed value; `before` or `after` is absent if there is no such value. */
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
  /** Undeclared members of a shared set, which stay in the set. */
  readonly foreign: readonly V[];
}

/** Acknowledged drift: it is reported, but does not fail the run. */
export interface Acknowledgement {
  /** `kind/name`, or `kind/name.field` for one field. */
  readonly object: string;
  readonly reason: string;
  /**
   * The last day on which the acknowledgement is valid, or the time at which it expires: `2026-12-31`, `2026-12-31T12:00:00Z`.
   */
  readonly until: string;
}

/** The declaration of an object whose end time has passed, compared with the account. */
export interface EndedChange<V extends Json = Json> {
  /** The key of the declaration. */
  readonly key: Key;
  /** Whether the object has another name in the account. */
  readonly isRenamed: boolean;
  /** The differences between the account and the declaration, except the name. */
  readonly otherwise: readonly FieldChange<V>[];
  /** The end time and the differences, in words. */
  readonly notes: readonly string[];
}

/** A new one-time secret that replaces the current secret of an existing object. */
export interface SecretRenewal {
  /** The field of the response that contains the new secret. */
  readonly secret: string;
  /** The declared fields that the request sends; absent if there are none. */
  readonly sends?: Fields;
}

type ChangeType = 'create' | 'update' | 'replace' | 'delete';

/** The change of one object. While a plan is built, it contains real values; a finished plan contains a `ShownChange` instead. */
export interface Change<F extends Fields = Fields, V extends Json = Json> {
  readonly address: Address;
  readonly kind: KindName;
  readonly key: Key;
  /**
   * Present if the server stores the declared object in several parts, of which this object is one: the key of the declared
   * object.
   */
  readonly partOf?: Key;
  readonly type: ChangeType;
  /** The id of the live object; absent for a create. */
  readonly id?: RemoteId;
  /** The place of the declaration; absent if there is none. */
  readonly at?: Span;
  /** The fields before and after, in canonical form: only fields that the files own. */
  readonly before?: F;
  readonly after?: F;
  readonly fields: readonly FieldChange<V>[];
  /** For an update that also, or only, gives the object a new secret. */
  readonly renews?: SecretRenewal;
  /** The former key, if the object is renamed or moved. */
  readonly was?: Key;
  /** With a base: the side that created, deleted or moved the object. */
  readonly since?: Since;
  /** The object whose deletion makes the server delete this object too. */
  readonly with?: Address;
  /** Present if the object is deleted because its end time has passed. */
  readonly ended?: EndedChange<V>;
  /** Notes for people. */
  readonly notes: readonly string[];
}

/** A change in the form that people and programs may see. */
export type ShownChange = Change<ShownFields, Shown>;

/** `elsewhere`: another folder of the repository declares the object. */
export type LeftAloneReason = 'unmanaged' | 'reserved' | 'referenced' | 'elsewhere';

/** A live object that the run does not touch. */
export interface LeftAlone {
  readonly address: Address;
  readonly kind: KindName;
  readonly key: Key;
  readonly id: RemoteId;
  readonly reason: LeftAloneReason;
  /** The reason, in words. */
  readonly because?: string;
}

/** The change that would restore what was there before an unfinished apply, and the id of that run. */
export type LeftByRun = ShownChange & { readonly run: string };
