// The audit log of an account, prepared for questions about objects.
import type { AuditEvent, Kind } from '../kinds/kind.ts';
import type { AuditEntry } from '../model/audit/entry.ts';
import type { KindName } from '../model/names.ts';

/** The form of an event about an object: what its fields mean. */
export type EventForm = Exclude<AuditEvent, { readonly type: 'silent' }>;

/** An entry of the log, read in one of the forms that the log uses for objects of a kind. */
export interface LoggedEvent {
  readonly form: EventForm;
  readonly entry: AuditEntry;
  /** Its position in the log: a later entry has a larger number. */
  readonly order: number;
  /** Whether a run of meshform caused the entry. */
  readonly isOwn: boolean;
  /** Whether the entry is in the period under consideration. */
  readonly isSince: boolean;
}

/** Whether an entry belongs to a run of meshform, read in one of the forms of the log. */
export type IsOwn = (entry: AuditEntry, form: EventForm) => boolean;

/** A query on the log. */
export interface LogOptions {
  readonly isOwn: IsOwn;
  /** The user of the token. If this user created an object, only later events can have caused a difference of the object. */
  readonly self: string | null;
  /** Only entries since this time, in nanoseconds since 1970, can have caused a difference. */
  readonly since?: bigint;
}

/** All entries about objects of a kind, oldest first. */
export type EventsOf = (kind: Kind) => readonly LoggedEvent[];

/** Returns a function that finds the entries about objects of a kind. `entries` are given oldest first. */
export function eventsByKind(
  entries: readonly AuditEntry[],
  { isOwn, self, since }: LogOptions,
): EventsOf {
  const byCode = Map.groupBy(entries.keys(), order => entries[order]?.code);
  const made = new Map<KindName, readonly LoggedEvent[]>();
  const find = (kind: Kind): LoggedEvent[] =>
    kind.auditEvents
      .filter(form => form.type !== 'silent')
      .flatMap(form =>
        form.codes.flatMap(code =>
          (byCode.get(code) ?? []).flatMap((order): LoggedEvent[] => {
            const entry = entries[order];
            if (!entry) return [];
            const isBaseline = form.type === 'create' && entry.by.id === self;
            return [
              {
                form,
                entry,
                order,
                isOwn: isBaseline || isOwn(entry, form),
                isSince: since === undefined || entry.moment >= since,
              },
            ];
          }),
        ),
      )
      .sort((one, other) => one.order - other.order);
  return kind => {
    const found = made.get(kind.name) ?? find(kind);
    made.set(kind.name, found);
    return found;
  };
}

/** The entries after the last entry of our own runs. */
export function afterOwn(logged: readonly LoggedEvent[]): readonly LoggedEvent[] {
  return logged.slice(logged.findLastIndex(({ isOwn }) => isOwn) + 1);
}

/** Whether an entry belongs to somebody else. */
export const isOther = ({ isOwn }: LoggedEvent): boolean => !isOwn;

/** The entries of others in the period under consideration. */
export const byOthers = (logged: readonly LoggedEvent[]): readonly LoggedEvent[] =>
  logged.filter(one => isOther(one) && one.isSince);
