// Finds two groups of members in the audit log, for a set that a run wrote: members that others
// added and the run removed, and members that others removed and the run added again. Pure.

import type { ReplacedSet } from '../../../kinds/values/replacedSets.ts';
import type { AuditEntry } from '../../../model/audit/entry.ts';
import { idKey } from '../../../model/key.ts';
import { remoteId } from '../../../model/names.ts';
import type { DeletedObject, SentUpdate, WrittenObject } from './ownWrites.ts';

/** Members of one set, as `id:<value>`, whose last change by others was undone by the run. */
export interface UndoneChanges {
  /** Members that joined and that the run removed. */
  readonly joined: ReadonlySet<string>;
  /** Members that others removed and that the run added again. */
  readonly left: ReadonlySet<string>;
}

/** The log, and the facts with which it is compared. */
interface Compared {
  readonly events: readonly AuditEntry[];
  /** The user of the run. */
  readonly self: string;
  /**
   * The members that the plan adds, as `id:<value>`. If somebody removed such a member before the
   * run added it, this did not happen during a write of the run.
   */
  readonly added: ReadonlySet<string>;
}

/**
 * The changes by others in a set that the run undid. A machine that joins by enrolling causes no
 * event. So if the run removed a member without an earlier event, the member joined in this way.
 */
export function undoneChanges(
  object: WrittenObject,
  set: ReplacedSet,
  { events, self, added }: Compared,
): UndoneChanges {
  const histories = Map.groupBy(
    memberEvents(object, set, events).toSorted((one, other) =>
      compareEvents(one.entry, other.entry),
    ),
    ({ member }) => member,
  );
  const joined = new Set<string>();
  const left = new Set<string>();
  for (const [member, history] of histories) {
    const own = history.filter(
      ({ type, entry }) => entry.by.id === self && mayHaveSent(object, set, member, type),
    );
    const others = history.filter(event => !own.includes(event));
    const isOut = others.at(-1)?.type === 'leave';
    const isAddedLater = added.has(member) && !isRemovedAfterRun({ own, others });
    if (isOut && own.some(({ type }) => type === 'join') && !isAddedLater) left.add(member);
    if (!isOut && isRemovedByRun(object, set, { member, own, others })) joined.add(member);
  }
  return { joined, left };
}

/** The events of one member in the log. */
interface MemberLog {
  readonly member: string;
  /** Events of the user of the run. */
  readonly own: readonly MemberEvent[];
  readonly others: readonly MemberEvent[];
}

// Whether others removed the member last after the run had added it.
function isRemovedAfterRun({ own, others }: Pick<MemberLog, 'own' | 'others'>): boolean {
  const first = own.find(({ type }) => type === 'join');
  const last = others.findLast(({ type }) => type === 'leave');
  return first !== undefined && last !== undefined && compareEvents(first.entry, last.entry) < 0;
}

// Whether the run removed a member more often than it added the member again. The user of the run
// may also remove members by hand. So if the member was in the set after one update, and the next
// update did not send it, it counts as removed by hand.
function isRemovedByRun(
  { updates }: WrittenObject,
  { field }: ReplacedSet,
  { member, own, others }: MemberLog,
): boolean {
  const countOf = (events: readonly MemberEvent[], of: MemberEvent['type']) =>
    events.filter(({ type }) => type === of).length;
  const pairs = updates.slice(1).map((update, index) => [updates[index], update] as const);
  const isSent = (update: SentUpdate | undefined) => update?.sent.get(field)?.has(member);
  const wasThere = (update: SentUpdate | undefined) =>
    isSent(update) === true || update?.after?.get(field)?.has(member) === true;
  const missed = pairs.filter(([last, next]) => wasThere(last) && isSent(next) === false).length;
  const added = pairs.filter(([last, next]) => isSent(last) === false && isSent(next)).length;
  const byHand = Math.max(0, missed - countOf(others, 'leave'));
  const again = Math.min(added, countOf(own, 'join'));
  return countOf(own, 'leave') > byHand + again;
}

/** The members that left a set, as `id:<value>`, whether the run or somebody else removed them. */
export function membersThatLeft(
  object: WrittenObject,
  set: ReplacedSet,
  events: readonly AuditEntry[],
): ReadonlySet<string> {
  const left = memberEvents(object, set, events).filter(({ type }) => type === 'leave');
  return new Set(left.map(({ member }) => member));
}

/**
 * The members that a set had when it was deleted, as `id:<value>`: the members that a read showed
 * before the deletion, with the later changes in the log. The deletion itself causes no events for
 * members.
 */
export function membersAtDeletion(
  { at, members }: DeletedObject,
  set: ReplacedSet,
  events: readonly AuditEntry[],
): ReadonlySet<string> {
  const there = new Set(members.get(set.field));
  const changes = memberEvents({ at }, set, events).toSorted((one, other) =>
    compareEvents(one.entry, other.entry),
  );
  for (const { type, member } of changes)
    if (type === 'join') there.add(member);
    else there.delete(member);
  return there;
}

/** An event about a member of the set. */
interface MemberEvent {
  readonly type: 'join' | 'leave';
  readonly member: string;
  readonly entry: AuditEntry;
}

function memberEvents(
  { at }: Pick<WrittenObject, 'at'>,
  { membership: { joins, leaves } }: ReplacedSet,
  events: readonly AuditEntry[],
): readonly MemberEvent[] {
  const forms = [
    { type: 'join' as const, form: joins },
    { type: 'leave' as const, form: leaves },
  ];
  return forms.flatMap(({ type, form: { codes, holder, member } }) =>
    events
      .filter(({ code, meta }) => codes.includes(code) && meta[holder] === at.id)
      .map(entry => {
        const id = member === undefined ? entry.target : (entry.meta[member] ?? '');
        return { type, entry, member: idKey(remoteId(id)) };
      }),
  );
}

// Whether an update of the run may have caused an event. The user of the run may also change the
// set by hand. An update can only remove a member that it did not send, and only add a member that
// it sent.
function mayHaveSent(
  { updates }: WrittenObject,
  { field }: ReplacedSet,
  member: string,
  type: MemberEvent['type'],
): boolean {
  const isJoin = type === 'join';
  return updates.some(({ sent }) => (sent.get(field)?.has(member) ?? isJoin) === isJoin);
}

/**
 * Whether an update of the run may have removed a member. It may if at least one update did not
 * send the member.
 */
export function mayHaveRemoved(object: WrittenObject, set: ReplacedSet, member: string): boolean {
  return mayHaveSent(object, set, member, 'leave');
}

/**
 * Compares two events by time. The order of ids may differ from the order of times
 * (docs/server-behaviour.md#timing-of-the-audit-log).
 */
export function compareEvents(one: AuditEntry, other: AuditEntry): number {
  if (one.moment !== other.moment) return one.moment < other.moment ? -1 : 1;
  return Number(one.id) - Number(other.id);
}
