// What is known once declared and live objects are paired: every later stage reads from it.
import type { Kind } from '../../kinds/kind.ts';
import type { Dialect } from '../../kinds/traits.ts';
import type { Address, Key, KindName } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { Fields } from '../../model/value.ts';
import type { Naming } from './naming.ts';
import type { IsOtherSecret, Resolution } from './settings.ts';

/** The settings of a plan and the names, fields and keys of its objects. */
export interface PlanContext {
  readonly dialect: Dialect;
  /** The time it is; undefined where nothing is to be found to have lapsed. */
  readonly now: number | undefined;
  /** Whose changes stand where both sides moved. */
  readonly resolve: readonly Resolution[];
  /** Objects, as `kind/key`, whose secrets are sent again. */
  readonly rotate: ReadonlySet<string>;
  /** Whether the account is not known to hold the value that a secret has now. */
  readonly isOtherSecret: IsOtherSecret;
  readonly naming: Naming;
  /** By address, what the base declared. */
  readonly base: ReadonlyMap<Address, Desired>;
  readonly kind: (name: KindName) => Kind;
  /** The canonical fields of a live object, its pointers as the files would write them. */
  readonly fieldsOf: (live: Live) => Fields;
  readonly keyOf: (live: Live) => Key;
  readonly addressOf: (live: Live) => Address;
  /** The declared object that an object is a part of; undefined where it is none, or the only one. */
  readonly wholeOf: (object: { readonly kind: KindName; readonly key: Key }) => Key | undefined;
  /** The names, as `kind/key`, of an object, of the declared object that it is a part of, and of all parts of that. */
  readonly namesOf: (object: { readonly kind: KindName; readonly key: Key }) => readonly string[];
}
