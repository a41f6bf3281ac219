// Changes that somebody else made to an object while a run wrote it. The API has no lock: a change between the read and
// the PUT is overwritten, and only the server's audit log shows it (docs/server-behaviour.md#audit-log).
import type { ActionId, RemoteId } from '../../model/names.ts';
import type { UpdateAction } from '../../model/plan.ts';
import { nameText } from '../../model/text/visible.ts';
import type { JsonObject } from '../../model/value.ts';

/** By action, a note if somebody besides `self` changed its object. If `self` is null, a note if several users did. */
export function foreignNotes(
  updates: readonly UpdateAction[],
  events: readonly JsonObject[],
  self: string | null,
): ReadonlyMap<ActionId, string> {
  const notes = updates.flatMap(({ id, remoteId }): [ActionId, string][] => {
    const found = events.filter(event => isAbout(event, remoteId));
    const others = found.filter(({ initiator_id: by }) => String(by) !== self);
    const isForeign =
      self === null ? new Set(found.map(({ initiator_id: by }) => by)).size > 1 : others.length > 0;
    const by = [...new Set(others.map(whoOf))].sort().join(', ');
    const note = `OVERWROTE_FOREIGN: ${by} changed it during the run, and that change may be overwritten: check it`;
    return isForeign ? [[id, note]] : [];
  });
  return new Map(notes);
}

/** Whether an event is about one of the objects that were updated. */
export function isAboutAny(event: JsonObject, updates: readonly UpdateAction[]): boolean {
  return updates.some(({ remoteId }) => isAbout(event, remoteId));
}

// Some servers write ids as numbers.
const isAbout = ({ target_id: target }: JsonObject, id: RemoteId): boolean => String(target) === id;

// Service users have no e-mail address.
function whoOf({
  initiator_email: email,
  initiator_name: name,
  initiator_id: id,
}: JsonObject): string {
  const called = [email, name].find(text => typeof text === 'string' && text !== '');
  return called === undefined ? `user ${nameText(String(id))}` : nameText(String(called));
}
