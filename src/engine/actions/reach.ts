// Who is behind a pointer: the object itself and, where it is a set of others, whoever is in it.
import type { Address } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import { membersOf } from '../diff/references.ts';
import { resultingFields } from '../pairing/planContext.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';

/** Everything that is reached by pointing at an object. */
export type Reach = (address: Address) => ReadonlySet<Address>;

/** The reach of pointers once a run is done, and at any time on the way. */
export interface Reaches {
  readonly after: Reach;
  readonly during: Reach;
}

/** The reach of pointers over the account as it is, and as the changes make it. */
export function reachesOf(
  live: readonly Live[],
  changes: readonly ObjectChange[],
  context: PlanContext,
): Reaches {
  const before = new Map<Address, ReadonlySet<Address>>();
  for (const object of live) {
    const members = membersOf(context.kind(object.kind), context.fieldsOf(object));
    before.set(context.addressOf(object), members);
  }
  const after = new Map(before);
  for (const { change, live: object } of changes) {
    const kind = context.kind(change.kind);
    const fields = resultingFields(kind, change.after ?? {}, object, context);
    if (change.type !== 'delete') after.set(change.address, membersOf(kind, fields));
  }
  const none: ReadonlySet<Address> = new Set();
  const reachAfter = (address: Address) => new Set([address]).union(after.get(address) ?? none);
  return {
    after: reachAfter,
    during: address => reachAfter(address).union(before.get(address) ?? none),
  };
}
