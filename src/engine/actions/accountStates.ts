// The state of an account before a plan, and its state after the plan.
import type { KindTable } from '../../kinds/kind.ts';
import type { Address, KindName } from '../../model/names.ts';
import type { Snapshot } from '../../model/object.ts';
import { replacementFields } from '../diff/replacement.ts';
import { resultingFields } from '../pairing/planContext.ts';
import type { AccountState, StateObject } from '../types/accountState.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';

/**
 * Returns the states before and after the plan, in name space. An object with the same id in both
 * states has the same address in both.
 */
export function accountStates(
  kinds: KindTable,
  { objects, unavailable, read }: Pick<Snapshot, 'objects' | 'unavailable' | 'read'>,
  changes: readonly ObjectChange[],
  context: PlanContext,
): { readonly before: AccountState; readonly after: AccountState } {
  const live = objects.map((one): [Address, StateObject] => [
    context.addressOf(one),
    { kind: one.kind, fields: context.fieldsOf(one), live: one },
  ]);
  const isUnread = (name: KindName) => unavailable.has(name) || read?.has(name) === false;
  const unread = new Set([...kinds.keys()].filter(isUnread));
  const before = new Map(live);
  const after = new Map(live);
  for (const object of changes) {
    if (object.change.type === 'delete') after.delete(object.change.address);
    else after.set(object.change.address, resultOf(object, context));
  }
  return {
    before: { objects: before, unread },
    after: { objects: after, unread },
  };
}

function resultOf({ change, live }: ObjectChange, context: PlanContext): StateObject {
  const kind = context.kind(change.kind);
  const owned = change.after ?? {};
  const fields =
    change.type === 'replace' && live
      ? replacementFields(kind, owned, live, context)
      : resultingFields(kind, owned, live, context);
  return { kind: change.kind, fields, ...(live && { live }) };
}
