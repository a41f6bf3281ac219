// Handles a create whose response was lost. The run searches for the object among the objects that
// did not exist before. The object counts as created by this run only if the audit log proves it. A
// request that the server would carry out twice is not repeated.
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
import { fieldsNotStored } from '../turns/storedFields.ts';
import { createdByThisRun } from './authorship.ts';
import { isAbsent, isNotFound, listedOrNothing } from './notFound.ts';

/**
 * A created object, as the server shows it. If no response confirmed it, the run found it in the
 * account.
 */
export interface CreatedObject {
  readonly id: RemoteId;
  readonly answer: JsonObject;
  readonly isFound: boolean;
  /** A secret that only the response to a create contains. */
  readonly revealed?: string;
}

/**
 * Creates an object once. Throws the `ApiError` of the create if it is unknown whether the object
 * exists or who created it. Throws a `Refused` if somebody created the object since the plan.
 */
export async function createOnce(
  action: CreateAction,
  body: JsonObject,
  parentId: RemoteId | undefined,
  context: TurnContext,
): Promise<CreatedObject> {
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
    // The second request may have been refused because the first request had created the object in
    // the meantime.
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

// Returns the error of a call that may have happened; throws every other error.
function lost(error: unknown): ApiError {
  if (error instanceof ApiError && error.details.mayHaveHappened) return error;
  throw error;
}

// The first request may still have been carried out.
const notRepeated = ({ details }: ApiError, why: Refused): ApiError =>
  new ApiError({ ...details, message: `${details.message}; ${why.message}` }, { cause: why });

// The object that an earlier run created with a confirmed response; undefined if it no longer exists.
async function readMade(
  parentId: RemoteId | undefined,
  { kind, port, begun }: TurnContext,
): Promise<CreatedObject | undefined> {
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

// The one new object that matches the request and that this run created; undefined if there is
// none. Throws `doubt` if an object matches but nothing proves who created it, because a run must
// never claim an object of somebody else.
async function findMade(
  action: CreateAction,
  parentId: RemoteId | undefined,
  context: TurnContext,
  doubt: ApiError,
): Promise<CreatedObject | undefined> {
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

// The object that the earlier run created and that somebody has renamed since. The audit log
// contains its original name.
async function findRenamed(
  action: CreateAction,
  parentId: RemoteId | undefined,
  context: TurnContext,
): Promise<CreatedObject | undefined> {
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

// Whether a body has the values that a create sent. Some fields are not compared, because a create
// may leave them to the update that follows.
function isAskedFor({ fields }: CreateAction, body: JsonObject, context: TurnContext): boolean {
  const { kind, names } = context;
  const differing = fieldsNotStored(kind, { fields, removed: {} }, body, names);
  return differing.every(field => kind.shape.fields.get(field)?.updateOnly !== undefined);
}
