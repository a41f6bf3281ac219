// Which entries of the audit log the writes of one run caused. The user of its token may also change the same objects by hand
// just before or after the run, so each write accounts only for the entries that it can have caused, and for each only once.
import type { AuditEntry } from '../model/audit/entry.ts';
import type { RunWindow, SentUpdate } from '../model/journal.ts';
import { isList, type Json } from '../model/value.ts';
import { memberIn } from './differenceParts.ts';
import { subjectOf } from './entrySubject.ts';
import type { EventForm, IsOwn } from './log.ts';

/** Returns which entries the run caused. `entries` are those of its user at that time, oldest first. */
export function eventsOfRun(window: RunWindow, entries: readonly AuditEntry[]): IsOwn {
  const byCode = Map.groupBy(entries, ({ code }) => code);
  const known = new Set(entries);
  const created = new Set<string>(window.created);
  const deleted = new Set<string>(window.deleted);
  const updates = Map.groupBy(window.updates, ({ id }) => String(id));
  const isWritten = (id: string, { type }: EventForm): boolean => {
    if (type === 'create') return created.has(id);
    if (type === 'delete') return deleted.has(id);
    return updates.has(id) || (type !== 'update' && created.has(id));
  };
  return (entry, form) => {
    if (!known.has(entry)) return false;
    const id = subjectOf({ form, entry });
    // An entry that does not identify its object by an id counts if the run wrote any object in this way.
    if (id === undefined) return !hasId(form) && writesAny(window, form.type);
    if (!isWritten(id, form)) return false;
    const writes = { updates: updates.get(id) ?? [], isCreated: created.has(id) };
    const alike = (byCode.get(entry.code) ?? []).filter(
      other =>
        subjectOf({ form, entry: other }) === id && member(other, form) === member(entry, form),
    );
    return alike.slice(0, mostEvents(writes, form, member(entry, form))).includes(entry);
  };
}

const hasId = ({ about }: EventForm): boolean =>
  about === undefined || (about !== 'parent' && !('field' in about));

function writesAny({ created, updates, deleted }: RunWindow, type: EventForm['type']): boolean {
  if (type === 'create') return created.length > 0;
  if (type === 'delete') return deleted.length > 0;
  return updates.length > 0 || (type !== 'update' && created.length > 0);
}

// The member that an event is about; empty if the event is not about a member.
const member = (entry: AuditEntry, form: EventForm): string =>
  form.type === 'join' || form.type === 'leave' ? memberIn(form, entry) : '';

/** The writes of one object. */
interface ObjectWrites {
  readonly updates: readonly SentUpdate[];
  readonly isCreated: boolean;
}

/** The largest number of events of a form that the writes of one object can have caused. */
function mostEvents({ updates, isCreated }: ObjectWrites, form: EventForm, moved: string): number {
  switch (form.type) {
    case 'create':
    case 'delete':
      return 1;
    case 'update':
      return updates.filter(update => mayChange(update, form.fields)).length;
    case 'join':
    case 'leave':
      return (
        updates.filter(update => mayMove(update, form, moved)).length +
        (isCreated && form.type === 'join' ? 1 : 0)
      );
  }
}

// Whether an update may have caused an event about these fields: an update that does not change them causes none.
function mayChange({ body, before }: SentUpdate, fields: readonly string[] | undefined): boolean {
  if (fields === undefined || body === undefined) return true;
  return fields.some(name => !isText(body[name]) || body[name] !== before[name]);
}

// Whether an update may have added or removed a member: it can only add members that it contains, and only remove others.
function mayMove(
  { body }: SentUpdate,
  { type, field }: Extract<EventForm, { type: 'join' | 'leave' }>,
  member: string,
): boolean {
  const sent = body?.[field];
  if (!isList(sent)) return true;
  return sent.some(item => String(item) === member) === (type === 'join');
}

const isText = (value: Json | undefined): boolean => typeof value === 'string';
