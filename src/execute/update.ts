// Changes an object: reads it, compares it with what the plan saw, writes it, and sees whether it was kept.
import { digest, updateScope } from '../engine/digest.ts';
import type { UpdateAction } from '../model/plan.ts';
import { byId, decodeFields } from '../wire/decode.ts';
import { type Done, parentOf, placeOf, type TurnContext } from './context.ts';
import { isGone } from './gone.ts';
import { fieldsNotKept } from './kept.ts';
import { freshMembers, removedMembers } from './members.ts';
import { stale } from './refused.ts';
import { put } from './write.ts';

/** Carries out an update. Throws a `Refused` or an `ApiError` where it is not done. */
export async function update(action: UpdateAction, context: TurnContext): Promise<Done> {
  const { kind, port, names } = context;
  const read = await port.read(kind, placeOf(action)).catch((error: unknown) => {
    throw isGone(error) ? stale(action, 'is gone from') : error;
  });
  const live = decodeFields(kind.shape, read, byId);
  const isAsSeen = digest(kind, live, updateScope(kind, action, names.idOf)) === action.digest;
  const wanted = {
    fields: { ...action.fields, ...freshMembers(kind, action.members, live, names) },
    removed: removedMembers(kind, action.members, names),
  };
  if (!isAsSeen && context.begun && fieldsNotKept(kind, wanted, read, names).length === 0) {
    names.learn(kind.name, action.key, action.remoteId, read);
    return { remoteId: action.remoteId, notes: ['a read shows that the earlier run had done it'] };
  }
  if (!isAsSeen) throw stale(action, 'changed in');
  // The parent that the action names, which may be another than the one it was found under.
  const parentId = parentOf(action, context);
  const to = { id: action.remoteId, ...(parentId !== undefined && { parentId }) };
  return { remoteId: action.remoteId, notes: await put(action, wanted, read, to, context) };
}
