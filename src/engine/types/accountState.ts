// The state of an account as files would write it: names in place of ids.
import type { Address, KindName } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Fields } from '../../model/value.ts';

/** An object of an account, by its address in the plan. */
export interface StateObject {
  readonly kind: KindName;
  readonly fields: Fields;
  /** The live object; absent if the plan creates the object. */
  readonly live?: Live;
}

/** The objects of an account that were read. */
export interface AccountState {
  readonly objects: ReadonlyMap<Address, StateObject>;
  /** Kinds that were not read, or could not be read. Their objects are unknown. */
  readonly unread: ReadonlySet<KindName>;
}
