// Checks all preconditions of a plan before the first write. A stale plan is refused as a whole.
import pLimit from 'p-limit';
import { begunIn, type EarlierRun } from '../../model/journal.ts';
import type { ActionId } from '../../model/names.ts';
import type { Fault } from '../../model/outcome.ts';
import type { Action, CreateAction, DeleteAction, Plan, UpdateAction } from '../../model/plan.ts';
import { isHosted } from '../../model/secrets/hostedSecret.ts';
import { secretsIn } from '../../model/secrets/secret.ts';
import type { JsonObject } from '../../model/value.ts';
import { listedOrNothing } from './recovery/notFound.ts';
import { GONE, Refused, stale } from './refused.ts';
import { takenNames } from './takenNames.ts';
import { type CheckContext, objectIdOf } from './turns/context.ts';
import { refuseGoneReferences } from './turns/liveReferences.ts';
import { unsealed } from './turns/openSecrets.ts';
import { refusePresent, refuseUnseen, stateOfUpdate } from './turns/preconditions.ts';

/** The inputs of the check. */
export interface Verifying {
  readonly contextOf: (action: Action) => CheckContext;
  readonly concurrency: number;
  /**
   * Actions that an earlier run completed or started. They are not checked here, because they are
   * checked in their own turns.
   */
  readonly earlier: EarlierRun | undefined;
  /**
   * Whether creates with a secret address are left out. A user who may write a file but not apply
   * it must not learn whether the account has an address.
   */
  readonly skipsAddresses?: boolean;
  /** Actions that must not be carried out, whatever the account contains. */
  readonly forbidden?: ReadonlyMap<ActionId, Fault> | undefined;
}

/**
 * Whether an action creates an object with a secret address. If another declaration has the same
 * address, a plan does not show whether the account has it, because only an apply compares these
 * addresses.
 */
export const createsAddress = (action: Action): boolean =>
  action.verb === 'create' && secretsIn(action.fields).some(({ secret }) => isHosted(secret));

/** The actions whose preconditions do not hold, with the reasons. Throws an `ApiError` if a list cannot be read. */
export async function staleActions(
  plan: Plan,
  { contextOf, concurrency, earlier, skipsAddresses = false, forbidden = new Map() }: Verifying,
): Promise<ReadonlyMap<ActionId, Fault>> {
  const limit = pLimit(concurrency);
  const found = new Map<ActionId, Fault>();
  const check = async (action: Action): Promise<void> => {
    try {
      const context = contextOf(action);
      await checkOne(await unsealed(action, context), context);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      found.set(action.id, error.fault);
    }
  };
  const isOpen = ({ id }: Action): boolean =>
    !earlier || (!earlier.done.has(id) && !earlier.sent.has(id) && !begunIn(earlier, id));
  const open = firstOfEach(plan.actions).filter(
    action => isOpen(action) && !(skipsAddresses && createsAddress(action)),
  );
  await Promise.all(open.map(action => limit(() => check(action))));
  for (const [id, fault] of await takenNames(plan, open, contextOf))
    if (!found.has(id)) found.set(id, fault);
  return new Map([...found, ...forbidden]);
}

// The first action on each object. Only this action finds the object as the plan saw it.
function firstOfEach(actions: readonly Action[]): Action[] {
  const written = new Set<string>();
  return actions.filter(action => {
    if (action.verb === 'create') return true;
    const object = `${action.kind} ${action.remoteId}`;
    const isFirst = !written.has(object);
    written.add(object);
    return isFirst;
  });
}

async function checkOne(action: Action, context: CheckContext): Promise<void> {
  if (action.verb === 'create') {
    await refuseGoneReferences(action, context);
    if (isReady(action, context)) await refusePresent(action, context);
    return;
  }
  const body = await listedBody(action, context);
  if (body === undefined) {
    // A delete of an absent object is done.
    if (action.verb === 'update') throw stale(action, GONE);
    return;
  }
  if (action.verb === 'update') {
    if (stateOfUpdate(action, body, context) === 'open')
      await refuseGoneReferences(action, context);
  } else await refuseUnseen(action, body, context, (kind, id) => context.lists.list(kind, id));
}

// If the run has not created an object yet, children of the object cannot exist.
function isReady({ parent }: CreateAction, { kind, names }: CheckContext): boolean {
  return kind.parent === undefined || names.find(kind.parent, parent ?? '') !== undefined;
}

async function listedBody(
  action: UpdateAction | DeleteAction,
  { kind, lists }: CheckContext,
): Promise<JsonObject | undefined> {
  const { id, parentId } = objectIdOf(action);
  const listed = await listedOrNothing(lists.list(kind, parentId));
  return listed.find(object => object.id === id)?.body;
}
