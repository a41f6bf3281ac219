// The members of an object's sets at the time when somebody deleted the object. No event shows that an enrolled member joined a
// set: the event of its creation shows with what it enrolled, and other events show which sets that leads to.
import { namingFields } from '../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../kinds/kind.ts';
import type { AuditEntry } from '../model/audit/entry.ts';
import type { KindName, RemoteId } from '../model/names.ts';
import { memberIn } from './differenceParts.ts';
import { subjectOf } from './entrySubject.ts';
import type { EventForm, LoggedEvent } from './log.ts';
import { eventsByKind } from './log.ts';

/** A member, as the log knows it. */
export interface FormerMember {
  readonly kind: KindName;
  readonly id: string;
  /** The last name of the object in the log; undefined if the log has none. */
  readonly name: string | undefined;
}

type MemberForm = Extract<EventForm, { type: 'join' | 'leave' }>;

/** The members of an object of a kind at its deletion. The entries are given oldest first. */
export function formerMembersIn(
  kinds: KindTable,
  entries: readonly AuditEntry[],
): (kind: Kind, id: RemoteId) => readonly FormerMember[] {
  const eventsOf = eventsByKind(entries, { isOwn: () => false, self: null });
  return (kind, id) => {
    const sets = membersOf(kind);
    const steps = [
      ...eventsOf(kind).flatMap(one => ofObject(one, kind, id)),
      ...[...kinds.values()].flatMap(giver =>
        eventsOf(giver).flatMap(one => ofGiver(one, { giver, given: kind, id })),
      ),
      ...sets.flatMap(name => {
        const member = kinds.get(name);
        return member ? eventsOf(member).flatMap(one => ofMember(one, member)) : [];
      }),
    ].sort((one, other) => one.order - other.order);
    const gone = new Set(steps.flatMap(({ does, who }) => (does === 'ends' ? who : [])));
    const names = new Map(steps.flatMap(({ who, name }) => (name ? [[who, name] as const] : [])));
    return atDeletion(steps)
      .filter(member => !gone.has(member.id))
      .map(member => ({ ...member, name: names.get(member.id) }));
  };
}

/** The effect of an event on the members of the object, or on an object through which members join. */
interface Step {
  readonly order: number;
  readonly does:
    | 'join'
    | 'leave'
    | 'gives'
    | 'gives no more'
    | 'enrols'
    | 'is called'
    | 'ends'
    | 'deletes';
  /** The member, or what gives the membership. */
  readonly who: string;
  readonly kind?: KindName;
  /** What a member enrolled with. */
  readonly by?: string;
  readonly name?: string;
}

function atDeletion(steps: readonly Step[]): readonly Omit<FormerMember, 'name'>[] {
  const givers = new Set<string>();
  const members = new Map<string, Omit<FormerMember, 'name'>>();
  for (const { does, who, kind, by = '' } of steps) {
    if (does === 'deletes') break;
    if (does === 'gives') givers.add(who);
    else if (does === 'gives no more') givers.delete(who);
    else if (does === 'leave') members.delete(who);
    else if (kind !== undefined && (does === 'join' || givers.has(by)))
      members.set(who, { kind, id: who });
  }
  return [...members.values()];
}

// The kinds of the members of the sets that others can join.
function membersOf({ shape }: Kind): readonly KindName[] {
  return [...shape.fields.values()].flatMap(({ shared, shape: set }) =>
    shared && set.type === 'list' && set.items.type === 'scalar' ? (set.items.ref ?? []) : [],
  );
}

function ofObject(logged: LoggedEvent, kind: Kind, id: RemoteId): readonly Step[] {
  const { form, entry, order } = logged;
  if (subjectOf(logged) !== id) return [];
  if (form.type === 'delete') return [{ order, does: 'deletes', who: id }];
  // Every other set belongs to the files as a whole, so a new object has the members that they declare.
  if (!isMembership(form) || !kind.shape.fields.get(form.field)?.shared) return [];
  const member = refOf(kind, form.field);
  return member ? [{ order, does: form.type, who: memberIn(form, entry), kind: member }] : [];
}

interface Giving {
  readonly giver: Kind;
  readonly given: Kind;
  readonly id: RemoteId;
}

function ofGiver(logged: LoggedEvent, { giver, given, id }: Giving): readonly Step[] {
  const { form, entry, order } = logged;
  const who = subjectOf(logged);
  if (who === undefined || !isMembership(form) || refOf(giver, form.field) !== given.name)
    return [];
  if (memberIn(form, entry) !== id) return [];
  return [{ order, does: form.type === 'join' ? 'gives' : 'gives no more', who }];
}

function ofMember({ form, entry, order }: LoggedEvent, kind: Kind): readonly Step[] {
  const { target: who, by, meta } = entry;
  if (form.about !== undefined || isMembership(form)) return [];
  if (form.type === 'delete') return [{ order, does: 'ends', who }];
  const [field] = namingFields(kind);
  const named = Object.entries(form.named ?? {}).find(([, own]) => own === field)?.[0];
  const name = named === undefined ? '' : (meta[named] ?? '');
  const called = name === '' ? {} : { name };
  if (form.type === 'update') return [{ order, does: 'is called', who, ...called }];
  return [{ order, does: 'enrols', who, kind: kind.name, by: by.id, ...called }];
}

const isMembership = (form: EventForm): form is MemberForm =>
  form.type === 'join' || form.type === 'leave';

function refOf({ shape }: Kind, name: string): KindName | undefined {
  const set = shape.fields.get(name)?.shape;
  return set?.type === 'list' && set.items.type === 'scalar' ? set.items.ref : undefined;
}
