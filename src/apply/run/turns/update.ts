// Updates an object: reads it, compares it with the plan, writes it, and verifies what was stored.
import type { UpdateAction } from '../../../model/plan.ts';
import { isNotFound } from '../recovery/notFound.ts';
import { GONE, stale } from '../refused.ts';
import { type Done, objectIdOf, parentOf, type TurnContext } from './context.ts';
import { stateOfUpdate, wantedOver } from './preconditions.ts';
import { restore } from './restore.ts';
import { put } from './write.ts';

const DONE_EARLIER = 'a read shows that the earlier run had done it';
const DONE_ALREADY = 'a read shows that it already has this state: nothing was sent';

/** Carries out an update. Throws a `Refused` or an `ApiError` if it is not done. */
export async function update(action: UpdateAction, context: TurnContext): Promise<Done> {
  const { kind, port, names } = context;
  const read = await port.read(kind, objectIdOf(action)).catch((error: unknown) => {
    throw isNotFound(error) ? stale(action, GONE) : error;
  });
  if (stateOfUpdate(action, read, context) === 'done') {
    names.learn(kind.name, action.key, action.remoteId, read);
    const restored = await restore(action, context);
    const notes = [context.begun ? DONE_EARLIER : DONE_ALREADY, ...restored];
    return { remoteId: action.remoteId, notes };
  }
  const wanted = wantedOver(action, read, context);
  // The parent in the action may differ from the parent that the object was found under.
  const parentId = parentOf(action, context);
  const to = { id: action.remoteId, ...(parentId !== undefined && { parentId }) };
  const { notes, isOpen } = await put(action, wanted, read, to, context);
  const restored = await restore(action, context);
  return { remoteId: action.remoteId, isOpen, notes: [...notes, ...restored] };
}
