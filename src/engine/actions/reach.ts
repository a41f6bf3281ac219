// The objects that a reference reaches: the referenced object and, if it is a set, its members.
import type { Address } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import { membersOf } from '../diff/references.ts';
import { resultingFields } from '../pairing/planContext.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';

/** Returns all objects that a reference to an object reaches. */
export type Reach = (address: Address) => ReadonlySet<Address>;

/** The reach of references after a run, and at any time during it. */
export interface Reaches {
  readonly after: Reach;
  readonly during: Reach;
}

/** The reach of references in the account now, and after the changes. */
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
