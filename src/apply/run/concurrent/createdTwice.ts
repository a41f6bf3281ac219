// After a run, lists each kind of which the run created objects, and finds objects that somebody
// else created at the same time. No lock stops people who use the dashboard. Only kinds whose names
// need not be unique can have duplicates.
import type { ListedObject } from '../../../api/account/objectClient.ts';
import { refusesTwins } from '../../../kinds/identity/identity.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { ApiError } from '../../../model/errors.ts';
import { addressOf } from '../../../model/key.ts';
import type { RemoteId } from '../../../model/names.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { CreateAction, Plan } from '../../../model/plan.ts';
import { nameText } from '../../../model/text/visible.ts';
import { listedOrNothing } from '../recovery/notFound.ts';
import { type CheckContext, parentOf } from '../turns/context.ts';
import { identityGiven, identityHeld } from '../turns/sameIdentity.ts';
import { withNote } from './restoredOutcomes.ts';

/** The inputs of the last read. */
export interface TwinSearch {
  readonly contextOf: (action: CreateAction) => CheckContext;
  /** Returns the current objects. Throws an `ApiError`. */
  readonly list: (kind: Kind, parentId?: RemoteId) => Promise<readonly ListedObject[]>;
}

/**
 * Returns the outcomes. If an object has a duplicate that the plan did not see, its create becomes
 * a failure that names both objects.
 */
export async function createdTwice(
  { actions }: Plan,
  outcomes: readonly Outcome[],
  { contextOf, list }: TwinSearch,
): Promise<readonly Outcome[]> {
  const creates = new Map(
    actions.flatMap(action => (action.verb === 'create' ? [[action.id, action]] : [])),
  );
  const fresh = new Set([...creates.values()].map(({ kind, key }) => addressOf(kind, key)));
  // Nobody else can have added children to an object that the run has just created, because nobody
  // else knew the id of the object.
  const isInFresh = ({ parent }: CreateAction, { kind }: CheckContext) =>
    kind.parent !== undefined && parent !== undefined && fresh.has(addressOf(kind.parent, parent));
  const lists = new Map<string, Promise<ByIdentity | ApiError>>();
  const listOf = ({ kind }: CheckContext, parentId: RemoteId | undefined) => {
    const key = `${kind.name} ${parentId}`;
    const found = lists.get(key) ?? byIdentity(kind, listedOrNothing(list(kind, parentId)));
    lists.set(key, found);
    return found;
  };
  const seen: Outcome[] = [];
  for (const outcome of outcomes) {
    const action = creates.get(outcome.action);
    const context = action && contextOf(action);
    const isCreated = outcome.status === 'done' && action && context;
    const mayHaveTwins = isCreated && !refusesTwins(context.kind) && !isInFresh(action, context);
    const objects = mayHaveTwins && (await listOf(context, parentOf(action, context)));
    if (!mayHaveTwins || !objects) seen.push(outcome);
    else seen.push(withTwins(outcome, { action, context, objects }));
  }
  return seen;
}

/** The ids of live objects, by their identity. */
type ByIdentity = ReadonlyMap<string, readonly RemoteId[]>;

async function byIdentity(
  kind: Kind,
  listing: Promise<readonly ListedObject[]>,
): Promise<ByIdentity | ApiError> {
  try {
    const found = new Map<string, RemoteId[]>();
    for (const { id, body } of await listing) {
      const identity = identityHeld(kind, body);
      if (identity !== null) found.set(identity, [...(found.get(identity) ?? []), id]);
    }
    return found;
  } catch (error) {
    // The run has ended. Its results are reported even if this check fails.
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** A completed create, and the objects of its kind after the run. */
interface Created {
  readonly action: CreateAction;
  readonly context: CheckContext;
  readonly objects: ByIdentity | ApiError;
}

function withTwins(
  outcome: Outcome & { readonly status: 'done' },
  { action, context, objects }: Created,
): Outcome {
  if (objects instanceof ApiError)
    return withNote(
      outcome,
      `it is unknown whether somebody else created it at the same time: ${objects.message}`,
    );
  const { kind, names } = context;
  const { except } = action.precondition;
  const isExpected = (id: RemoteId) =>
    id === outcome.remoteId || except.includes(id) || names.isOwn(kind.name, id);
  const held = objects.get(identityGiven(action, context) ?? '') ?? [];
  const twins = held.filter(id => !isExpected(id));
  return twins.length === 0 ? outcome : failed(outcome, twins);
}

function failed(
  { action, address, remoteId }: Outcome & { readonly status: 'done' },
  twins: readonly RemoteId[],
): Outcome {
  const ids = twins.map(nameText).join(', ');
  return {
    action,
    address,
    status: 'failed',
    fault: {
      code: 'CREATED_TWICE',
      message: `${address} was created by this run (id ${nameText(remoteId)}), and at the same time by somebody else (id ${ids})`,
      hint: 'delete one of them; if another machine applied at the same time, use the lock in the Git remote: see docs/locks.md',
    },
  };
}
