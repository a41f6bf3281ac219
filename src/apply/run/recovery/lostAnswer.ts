// A create whose answer was lost: the object is looked for among those that were not there before, and taken for ours only
// where the audit log proves it. Nothing is asked for twice that the server would make twice.
import { isNameless, refusesTwins, sharesNames } from '../../../kinds/identity/identity.ts';
import { ApiError, inDoubt } from '../../../model/errors.ts';
import type { RemoteId } from '../../../model/names.ts';
import type { CreateAction } from '../../../model/plan.ts';
import { nameText } from '../../../model/text/visible.ts';
import type { JsonObject } from '../../../model/value.ts';
import { Refused } from '../refused.ts';
import type { TurnContext } from '../turns/context.ts';
import { refuseGoneReferences } from '../turns/liveReferences.ts';
import { refusePresent } from '../turns/preconditions.ts';
import { hasIdentityOf, identityGiven } from '../turns/sameIdentity.ts';
import { fieldsNotKept } from '../turns/storedFields.ts';
import { createdByThisRun } from './authorship.ts';
import { isAbsent, isNotFound, listedOrNothing } from './notFound.ts';

/** An object that was made, as the server shows it; found, where no answer said so. */
export interface Made {
  readonly id: RemoteId;
  readonly answer: JsonObject;
  readonly isFound: boolean;
  /** A secret that only the answer to a create shows. */
  readonly revealed?: string;
}

/**
 * Makes an object once. Throws the `ApiError` of the create where it is not known to be there, or whose it is, and a
 * `Refused` where it was created since the plan.
 */
export async function makeOnce(
  action: CreateAction,
  body: JsonObject,
  parentId: RemoteId | undefined,
  context: TurnContext,
): Promise<Made> {
  const { kind, port } = context;
  const make = async () => ({ ...(await port.create(kind, body, parentId)), isFound: false });
  const find = (doubt: ApiError) => findMade(action, parentId, context, doubt);
  const earlier =
    context.begun && ((await readMade(parentId, context)) ?? (await find(begunEarlier(action))));
  if (earlier) return earlier;
  if (context.begun) {
    const renamed = await findRenamed(action, parentId, context);
    if (renamed) return renamed;
    await refuseGoneReferences(action, context, (one, at) => isAbsent(port, one, at));
  }
  if (!context.lists.isPlanRecent) await refusePresent(action, context);
  const first = await make().catch(lost);
  if (!(first instanceof ApiError)) return first;
  const found = await find(first);
  if (found) return found;
  if (!refusesTwins(kind)) throw first;
  return make().catch(async (error: unknown) => {
    if (error instanceof Refused) throw notRepeated(first, error);
    if (!(error instanceof ApiError)) throw error;
    const doubt = inDoubt(error, { cause: first });
    // The second request may have been refused because of the first one's result.
    const late = await find(doubt);
    if (late) return late;
    throw doubt;
  });
}

function begunEarlier({ kind, address }: CreateAction): ApiError {
  return new ApiError({
    code: 'API_NETWORK',
    request: { method: 'POST', path: kind },
    message: `the earlier run sent the create of ${address}, and its response was lost`,
    retryable: false,
    mayHaveHappened: true,
  });
}

// The error of a call that may have happened; every other one is thrown on.
function lost(error: unknown): ApiError {
  if (error instanceof ApiError && error.details.mayHaveHappened) return error;
  throw error;
}

// The first request may have been carried out all the same.
const notRepeated = ({ details }: ApiError, why: Refused): ApiError =>
  new ApiError({ ...details, message: `${details.message}; ${why.message}` }, { cause: why });

// The object that an earlier run created with a confirmed response; none if it is gone.
async function readMade(
  parentId: RemoteId | undefined,
  { kind, port, begun }: TurnContext,
): Promise<Made | undefined> {
  if (begun?.id === undefined) return undefined;
  const { id } = begun;
  try {
    const answer = await port.read(kind, { id, ...(parentId !== undefined && { parentId }) });
    return { id, answer, isFound: true };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

// The one new object that matches the request and that this run created; none if there is no such object. Throws `doubt` if an
// object matches and nothing proves who created it: an object of somebody else is never claimed.
async function findMade(
  action: CreateAction,
  parentId: RemoteId | undefined,
  context: TurnContext,
  doubt: ApiError,
): Promise<Made | undefined> {
  const { kind, port, names } = context;
  const listed = await port.list(kind, parentId).catch((error: unknown) => {
    throw error instanceof ApiError ? doubt : error;
  });
  const isNamesake = hasIdentityOf(action, context);
  const candidates = listed.filter(
    ({ id, body }) =>
      !names.isKnown(kind.name, id) && isNamesake(body) && isAskedFor(action, body, context),
  );
  if (candidates.length === 0) return undefined;
  const [one, ...others] = await createdByThisRun(action, candidates, context);
  if (one && others.length === 0) return { id: one.id, answer: one.body, isFound: true };
  throw unproven(
    doubt,
    candidates.map(({ id }) => id),
  );
}

// The object that the earlier run created and somebody has renamed since: the audit log has its original name.
async function findRenamed(
  action: CreateAction,
  parentId: RemoteId | undefined,
  context: TurnContext,
): Promise<Made | undefined> {
  const { kind, port, names } = context;
  const called = identityGiven(action, context);
  if (called === null || isNameless(kind) || sharesNames(kind)) return undefined;
  const listed = await listedOrNothing(port.list(kind, parentId));
  const { except } = action.precondition;
  const candidates = listed.filter(
    ({ id }) => !names.isKnown(kind.name, id) && !except.includes(id),
  );
  const [one, ...others] = await createdByThisRun(action, candidates, context, called);
  return one && others.length === 0 ? { id: one.id, answer: one.body, isFound: true } : undefined;
}

function unproven({ details, cause }: ApiError, ids: readonly RemoteId[]): ApiError {
  const there = `a similar object exists (id ${ids.map(nameText).join(', ')})`;
  const message = `${details.message}; ${there}, and the audit log does not prove that this run created it`;
  return new ApiError({ ...details, message, mayHaveHappened: true }, { cause });
}

// A create may leave some fields to the update that follows; by all others the object has to be what was sent.
function isAskedFor({ fields }: CreateAction, body: JsonObject, context: TurnContext): boolean {
  const { kind, names } = context;
  const differing = fieldsNotKept(kind, { fields, removed: {} }, body, names);
  return differing.every(field => kind.shape.fields.get(field)?.updateOnly !== undefined);
}
