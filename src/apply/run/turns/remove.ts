// Deletes an object, unless it is no longer the approved object. An absent object counts as
// deleted.
import type { DeleteAction } from '../../../model/plan.ts';
import type { JsonObject } from '../../../model/value.ts';
import { isAbsent, isNotFound, mayBeAbsent } from '../recovery/notFound.ts';
import { type Done, objectIdOf, type TurnContext } from './context.ts';
import { refuseUnseen } from './preconditions.ts';

/** Carries out a delete. Throws a `Refused` or an `ApiError` if the delete is not done. */
export async function remove(action: DeleteAction, context: TurnContext): Promise<Done> {
  const { kind, port } = context;
  const at = objectIdOf(action);
  const done = (...notes: string[]): Done => ({ remoteId: action.remoteId, notes });
  let read: JsonObject;
  try {
    read = await port.read(kind, at);
  } catch (error) {
    if (isNotFound(error)) return done('it was already deleted');
    throw error;
  }
  await refuseUnseen(action, read, context, port.list);
  try {
    await port.delete(kind, at);
    return done();
  } catch (error) {
    if (mayBeAbsent(error) && (await isAbsent(port, kind, at)))
      return done('the delete was not confirmed, but a read shows that it is gone');
    throw error;
  }
}
