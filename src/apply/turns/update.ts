// Changes an object: reads it, compares it with what the plan saw, writes it, and sees whether it was kept.
import type { UpdateAction } from '../../model/plan.ts';
import { isGone } from '../recovery/gone.ts';
import { GONE, stale } from '../run/refused.ts';
import { type Done, parentOf, placeOf, type TurnContext } from './context.ts';
import { stateOfUpdate, wantedOver } from './preconditions.ts';
import { restore } from './restore.ts';
import { put } from './write.ts';

const DONE_EARLIER = 'a read shows that the earlier run had done it';
const DONE_ALREADY = 'a read shows that it already has this state: nothing was sent';

/** Carries out an update. Throws a `Refused` or an `ApiError` where it is not done. */
export async function update(action: UpdateAction, context: TurnContext): Promise<Done> {
  const { kind, port, names } = context;
  const read = await port.read(kind, placeOf(action)).catch((error: unknown) => {
    throw isGone(error) ? stale(action, GONE) : error;
  });
  if (stateOfUpdate(action, read, context) === 'done') {
    names.learn(kind.name, action.key, action.remoteId, read);
    const restored = await restore(action, context);
    const notes = [context.begun ? DONE_EARLIER : DONE_ALREADY, ...restored];
    return { remoteId: action.remoteId, notes };
  }
  const wanted = wantedOver(action, read, context);
  // The parent that the action names, which may be another than the one it was found under.
  const parentId = parentOf(action, context);
  const to = { id: action.remoteId, ...(parentId !== undefined && { parentId }) };
  const { notes, isOpen } = await put(action, wanted, read, to, context);
  const restored = await restore(action, context);
  return { remoteId: action.remoteId, isOpen, notes: [...notes, ...restored] };
}
