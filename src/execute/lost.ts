// A create whose answer was lost: the object is looked for among those that were not there before (facts, item 34: there
// is no other way to tell). Nothing is asked for twice that the server would make twice.
import { canonicalFields } from '../kinds/canonical.ts';
import { identityName } from '../kinds/identity.ts';
import type { Kind } from '../kinds/kind.ts';
import { mapFieldRefs } from '../kinds/refs.ts';
import { ApiError } from '../model/errors.ts';
import { idKey } from '../model/key.ts';
import type { RemoteId } from '../model/names.ts';
import type { CreateAction } from '../model/plan.ts';
import type { Fields, JsonObject } from '../model/value.ts';
import { byId, decodeFields } from '../wire/decode.ts';
import type { TurnContext } from './context.ts';
import { isGone } from './gone.ts';
import { fieldsNotKept } from './kept.ts';

/** An object that was made, as the server shows it; found, where no answer said so. */
export interface Made {
  readonly id: RemoteId;
  readonly answer: JsonObject;
  readonly isFound: boolean;
  /** A secret that only the answer to a create shows. */
  readonly revealed?: string;
}

/** Makes an object once. Throws the `ApiError` of the create where it is not known to be there. */
export async function makeOnce(
  action: CreateAction,
  body: JsonObject,
  parentId: RemoteId | undefined,
  context: TurnContext,
): Promise<Made> {
  const { kind, port } = context;
  const make = async () => ({ ...(await port.create(kind, body, parentId)), isFound: false });
  const find = () => findMade(action, parentId, context);
  const earlier = context.begun && ((await readMade(parentId, context)) ?? (await find()));
  if (earlier) return earlier;
  const first = await make().catch(lost);
  if (!(first instanceof ApiError)) return first;
  const found = await find();
  if (found) return found;
  if (!refusesTwins(kind)) throw first;
  return make().catch(async (error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    // It may have been refused for what the first one did in the meantime.
    const late = await find();
    if (late) return late;
    throw new ApiError({ ...error.details, mayHaveHappened: true }, { cause: first });
  });
}

// The error of a call that may have happened; every other one is thrown on.
function lost(error: unknown): ApiError {
  if (error instanceof ApiError && error.details.mayHaveHappened) return error;
  throw error;
}

const refusesTwins = ({ unique, contends }: Kind): boolean =>
  unique !== undefined || contends !== undefined;

// What an earlier run has made and had an answer for; none where it is gone again.
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
    if (isGone(error)) return undefined;
    throw error;
  }
}

// The one new object that is what was asked for; none where several are, or where they cannot be listed.
async function findMade(
  action: CreateAction,
  parentId: RemoteId | undefined,
  context: TurnContext,
): Promise<Made | undefined> {
  const { kind, port, names } = context;
  const listed = await port.list(kind, parentId).catch((error: unknown) => {
    if (error instanceof ApiError) return [];
    throw error;
  });
  const made = listed.filter(
    ({ id, body }) => !names.isKnown(kind.name, id) && isAskedFor(action, body, context),
  );
  const [one, ...others] = made;
  return one && others.length === 0 ? { id: one.id, answer: one.body, isFound: true } : undefined;
}

// A create may leave some fields to the update that follows; by all others the object has to be what was sent.
function isAskedFor({ fields }: CreateAction, body: JsonObject, context: TurnContext): boolean {
  const { kind, names } = context;
  const inIds = mapFieldRefs(kind, fields, (ref, key) => idKey(names.idOf(ref, key)));
  const nameIn = (side: 'desired' | 'live', values: Fields) =>
    identityName(kind, canonicalFields(kind.shape, values, side));
  const name = nameIn('desired', inIds);
  if (name === null || name !== nameIn('live', decodeFields(kind.shape, body, byId))) return false;
  const differing = fieldsNotKept(kind, { fields, removed: {} }, body, names);
  return differing.every(field => kind.shape.fields.get(field)?.updateOnly !== undefined);
}
