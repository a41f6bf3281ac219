// Updates an object: reads it, compares it with the plan, writes it, and verifies what was stored.
import type { UpdateAction } from '../../../model/plan.ts';
import { isNotFound } from '../recovery/notFound.ts';
import { GONE, stale } from '../refused.ts';
import { type Done, objectIdOf, parentOf, type TurnContext } from './context.ts';
import { stateOfUpdate, wantedOver } from './preconditions.ts';
import { renewed } from './renew.ts';
import { restore } from './restore.ts';
import { put } from './write.ts';

const DONE_EARLIER = 'a read shows that the earlier run had done it';
const DONE_ALREADY = 'a read shows that it already has this state: nothing was sent';
const FIELDS_ALREADY = 'a read shows that its fields already have these values';

/** Carries out an update. Throws a `Refused` or an `ApiError` if it is not done. */
export async function update(action: UpdateAction, context: TurnContext): Promise<Done> {
  const { kind, port, names } = context;
  const read = await port.read(kind, objectIdOf(action)).catch((error: unknown) => {
    throw isNotFound(error) ? stale(action, GONE) : error;
  });
  const isDone = stateOfUpdate(action, read, context) === 'done';
  if (isDone || !writesFields(action)) {
    names.learn(kind.name, action.key, action.remoteId, read);
    const restored = await restore(action, context);
    const done = isDone && writesFields(action) ? [sentBefore(action, context)] : [];
    return {
      remoteId: action.remoteId,
      notes: [...done, ...restored, ...(await renewed(action, context))],
    };
  }
  const wanted = wantedOver(action, read, context);
  // The parent in the action may differ from the parent in which the object was found.
  const parentId = parentOf(action, context);
  const to = { id: action.remoteId, ...(parentId !== undefined && { parentId }) };
  const { notes, isOpen } = await put(action, wanted, read, to, context);
  const restored = await restore(action, context);
  const shown = await renewed(action, context);
  return { remoteId: action.remoteId, isOpen, notes: [...notes, ...restored, ...shown] };
}

const writesFields = ({ fields, members }: UpdateAction): boolean =>
  Object.keys(fields).length + Object.keys(members).length > 0;

// Says who has already carried out the update. If an action also renews a secret, the earlier run
// may have sent only the request for the renewal.
const sentBefore = ({ renews }: UpdateAction, { begun }: TurnContext): string =>
  begun ? DONE_EARLIER : renews ? FIELDS_ALREADY : DONE_ALREADY;
