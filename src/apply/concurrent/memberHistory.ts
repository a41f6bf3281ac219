// What the audit log shows of the members of a set that a run wrote: whom the run removed although others had added them,
// and whom it added again although others had removed them. Pure.
import type { AuditEntry } from '../../model/audit/entry.ts';
import { idKey } from '../../model/key.ts';
import { remoteId } from '../../model/names.ts';
import type { ReplacedSet, WrittenObject } from './ownWrites.ts';

/** Members of one set, as `id:<value>`, whose last change by others the run undid. */
export interface UndoneChanges {
  /** They joined, and the run removed them. */
  readonly joined: ReadonlySet<string>;
  /** Others removed them, and the run added them again. */
  readonly left: ReadonlySet<string>;
}

/**
 * The changes by others that the run undid in a set. `self` is the user of the run. A member that enrolled has no event
 * of its own, so a member that the run removed without an earlier event had joined.
 */
export function undoneChanges(
  object: WrittenObject,
  set: ReplacedSet,
  events: readonly AuditEntry[],
  self: string,
): UndoneChanges {
  const histories = Map.groupBy(
    memberEvents(object, set, events).toSorted(inOrder),
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
    if (isOut && own.some(({ type }) => type === 'join')) left.add(member);
    if (!isOut && own.some(({ type }) => type === 'leave')) joined.add(member);
  }
  return { joined, left };
}

/** The members, as `id:<value>`, that left a set, whoever removed them. */
export function membersThatLeft(
  object: WrittenObject,
  set: ReplacedSet,
  events: readonly AuditEntry[],
): ReadonlySet<string> {
  const left = memberEvents(object, set, events).filter(({ type }) => type === 'leave');
  return new Set(left.map(({ member }) => member));
}

/** An event about a member of the set. */
interface MemberEvent {
  readonly type: 'join' | 'leave';
  readonly member: string;
  readonly entry: AuditEntry;
}

function memberEvents(
  { at }: WrittenObject,
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

// The same user may also change the set by hand: an update can only have removed a member that it did not send, and only
// have added a member that it sent.
function mayHaveSent(
  { sent, isSentBefore }: WrittenObject,
  { field }: ReplacedSet,
  member: string,
  type: MemberEvent['type'],
): boolean {
  const isJoin = type === 'join';
  return isSentBefore || sent.some(sets => sets.get(field)?.has(member) === isJoin);
}

// Ids need not follow times (docs/server-behaviour.md#timing-of-the-audit-log).
function inOrder({ entry: one }: MemberEvent, { entry: other }: MemberEvent): number {
  if (one.moment !== other.moment) return one.moment < other.moment ? -1 : 1;
  return Number(one.id) - Number(other.id);
}
