// Changes that somebody else made to an object while a run wrote it. The API has no lock: a change between the read and
// the PUT is overwritten, and only the server's audit log shows it (docs/server-behaviour.md#audit-log).
import { auditEntry } from '../../../api/events/audit.ts';
import type { AuditEntry, Initiator } from '../../../model/audit/entry.ts';
import type { ActionId, RemoteId } from '../../../model/names.ts';
import type { UpdateAction } from '../../../model/plan.ts';
import { nameText } from '../../../model/text/visible.ts';
import type { JsonObject } from '../../../model/value.ts';

/** By action, a note if somebody besides `self` changed its object. If `self` is null, a note if several users did. */
export function foreignNotes(
  updates: readonly UpdateAction[],
  events: readonly JsonObject[],
  self: string | null,
): ReadonlyMap<ActionId, string> {
  const entries = events.map(auditEntry);
  const notes = updates.flatMap(({ id, remoteId }): [ActionId, string][] => {
    const found = entries.filter(event => isAbout(event, remoteId));
    const others = found.filter(({ by }) => by.id !== self);
    const isForeign =
      self === null ? new Set(found.map(({ by }) => by.id)).size > 1 : others.length > 0;
    const by = [...new Set(others.map(event => whoOf(event.by)))].sort().join(', ');
    const note = `OVERWROTE_FOREIGN: ${by} changed it during the run, and that change may be overwritten: check it`;
    return isForeign ? [[id, note]] : [];
  });
  return new Map(notes);
}

/** Whether an event is about one of the objects that were updated. */
export function isAboutAny(event: AuditEntry, updates: readonly UpdateAction[]): boolean {
  return updates.some(({ remoteId }) => isAbout(event, remoteId));
}

const isAbout = ({ target }: AuditEntry, id: RemoteId): boolean => target === id;

// Service users have no e-mail address.
function whoOf({ email, name, id }: Initiator): string {
  const called = [email, name].find(text => text !== '');
  return called === undefined ? `user ${nameText(id)}` : nameText(called);
}
