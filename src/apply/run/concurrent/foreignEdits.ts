// Changes that somebody else made to an object while a run wrote it. The API has no lock. A change
// between the read and the PUT is overwritten, and only the server's audit log shows this change
// (docs/server-behaviour.md#audit-log).
import { auditEntry } from '../../../api/events/audit.ts';
import type { Kind, KindTable } from '../../../kinds/kind.ts';
import type { AuditEntry, Initiator } from '../../../model/audit/entry.ts';
import type { ActionId, RemoteId } from '../../../model/names.ts';
import type { UpdateAction } from '../../../model/plan.ts';
import { nameText } from '../../../model/text/visible.ts';
import type { JsonObject } from '../../../model/value.ts';

/** The other users who changed the object of an update during a run. */
export interface ForeignEdit {
  /** Their names for people. */
  readonly by: string;
  /** Whether the last change deleted the object. */
  readonly isDeletion: boolean;
}

/**
 * For each action, the users other than `self` who changed its object. If `self` is null, only
 * objects that several users changed are included.
 */
export function foreignEdits(
  updates: readonly UpdateAction[],
  events: readonly JsonObject[],
  { self, kinds }: { readonly self: string | null; readonly kinds: KindTable },
): ReadonlyMap<ActionId, ForeignEdit> {
  const entries = events.map(auditEntry);
  return new Map(
    updates.flatMap(({ id, kind, remoteId }): [ActionId, ForeignEdit][] => {
      const found = entries.filter(event => isAbout(event, remoteId));
      const others = found.filter(({ by }) => by.id !== self);
      const isForeign =
        self === null ? new Set(found.map(({ by }) => by.id)).size > 1 : others.length > 0;
      const by = [...new Set(others.map(event => whoOf(event.by)))].sort().join(', ');
      const isDeletion = others.some(({ code }) => deletionCodes(kinds.get(kind)).has(code));
      return isForeign ? [[id, { by, isDeletion }]] : [];
    }),
  );
}

/** The note in the outcome of a completed update. */
export const foreignNote = ({ by, isDeletion }: ForeignEdit): string =>
  isDeletion
    ? `OVERWROTE_FOREIGN: ${by} deleted it during the run: the next plan creates it again if the files declare it`
    : `OVERWROTE_FOREIGN: ${by} changed it during the run, and that change may be overwritten: check it`;

/**
 * The hint for an update whose values a later read did not show. The server stored the values, and
 * somebody changed them again.
 */
export const foreignHint = ({ by, isDeletion }: ForeignEdit): string =>
  `${by} ${isDeletion ? 'deleted' : 'changed'} it during the run, according to the audit log: agree on a value, then create a new plan with \`meshform plan\``;

const deletionCodes = (kind: Kind | undefined): ReadonlySet<string> =>
  new Set(kind?.auditEvents.flatMap(form => (form.type === 'delete' ? form.codes : [])));

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
