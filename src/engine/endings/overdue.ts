// Objects and members that have ended and are still in the account.
import type { KindName } from '../../model/names.ts';
import type { Path } from '../../model/value.ts';

/** An ended object that is still in the account, or an object whose ended members are. */
export interface Overdue {
  readonly kind: KindName;
  /** The key of the declared object. */
  readonly key: string;
  /** The ended members that are still in the account; absent if the whole object has ended. */
  readonly members?: readonly { readonly list: Path; readonly name: string }[];
}
