// Restores sets into which the server moved members as a side effect of an update. If the run
// created a set and owns it completely, the set gets back exactly the members that the files
// declare.
import { present } from '../../../model/errors.ts';
import type { RestoredSet, UpdateAction } from '../../../model/plan.ts';
import { byId, decodeFields } from '../../../wire/decode.ts';
import { encodeUpdate } from '../../../wire/encode.ts';
import { notStored } from '../refused.ts';
import type { TurnContext } from './context.ts';
import { resolverFor } from './resolver.ts';
import { fieldsNotStored } from './storedFields.ts';
import { settle } from './write.ts';

/**
 * Restores the sets that an update names, and returns notes. Throws a `Refused` or an `ApiError` if
 * a set cannot be restored.
 */
export async function restore(
  action: UpdateAction,
  context: TurnContext,
): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const set of action.restores ?? [])
    if (await restoreOne(action, set, context))
      notes.push(`what it moved into ${set.kind}.${set.key} was removed again`);
  return notes;
}

async function restoreOne(
  action: UpdateAction,
  { kind: name, key, field, members }: RestoredSet,
  context: TurnContext,
): Promise<boolean> {
  const { kinds, names, port } = context;
  const kind = present(kinds.get(name), `the kind ${name}`);
  const at = { id: names.idOf(name, key) };
  const fields = { [field]: members };
  const read = await port.read(kind, at);
  // All other members are removed from the set.
  const removed = { [field]: decodeFields(kind.shape, read, byId)[field] ?? [] };
  const wanted = { fields, removed };
  if (fieldsNotStored(kind, wanted, read, names).length === 0) return false;
  const resolve = await resolverFor(fields, context);
  const answer = await port.update(kind, at, encodeUpdate(kind, fields, read, resolve));
  const written = { answer, read, isNow: true };
  const { lost } = await settle(wanted, written, at, { ...context, kind });
  if (lost.length > 0) throw notStored(action, [`${name}.${key} ${field}`]);
  return true;
}
