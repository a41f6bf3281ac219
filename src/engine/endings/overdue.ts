// What has ended and is still in the account.
import type { KindName } from '../../model/names.ts';
import type { Path } from '../../model/value.ts';

/** An object that has ended and is still in the account, or whose ended members are. */
export interface Overdue {
  readonly kind: KindName;
  /** The key of the declared object. */
  readonly key: string;
  /** The ended members that are still in the account; absent if the object itself is still there. */
  readonly members?: readonly { readonly list: Path; readonly name: string }[];
}
