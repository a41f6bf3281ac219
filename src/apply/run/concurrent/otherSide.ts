// Handles lists whose members an update sends back as it read them, and that others can also change
// through the members. An update undoes changes that others made between its read and its write.
// The log has an event for each change at a member, but none for the effect of an update of the
// list. After a run, the changes of others are repeated at the members.
import type { ObjectId } from '../../../api/account/objectClient.ts';
import { identityName } from '../../../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../../../kinds/kind.ts';
import { canonicalFields } from '../../../kinds/values/canonical.ts';
import { type OtherSide, otherSides } from '../../../kinds/values/otherSides.ts';
import type { AuditEntry } from '../../../model/audit/entry.ts';
import { ApiError } from '../../../model/errors.ts';
import { idInKey, idKey } from '../../../model/key.ts';
import { remoteId } from '../../../model/names.ts';
import { nameText } from '../../../model/text/visible.ts';
import { byId, decodeFields } from '../../../wire/decode.ts';
import type { AccountPort } from '../../port.ts';
import type { RunNames } from '../turns/runNames.ts';
import { compareEvents, type UndoneChanges } from './memberHistory.ts';
import { readWritten, restoreMembers } from './memberRepair.ts';
import type { RestoredSet } from './memberWatch.ts';
import { membersNow, type WrittenObject } from './ownWrites.ts';

/**
 * The context for reading lists that can be changed through their members, and for writing these
 * members.
 */
export interface OtherSideWatching {
  readonly kinds: KindTable;
  readonly written: readonly WrittenObject[];
  readonly names: RunNames;
  readonly portOf: (object: WrittenObject) => AccountPort;
  /**
   * The keys of the members that the run deletes, including members that it deletes with their
   * parents. A deletion also removes the member from the lists.
   */
  readonly deleted: ReadonlySet<string>;
  /**
   * Whether an update may have undone the change in an event, because the event is not later than
   * the update. By default, all changes may be undone.
   */
  readonly mayBeUndone?: (event: AuditEntry) => boolean;
}

/** Whether an update of one of the objects may undo changes that others make through the members. */
export const hasOtherSides = ({ kinds, written }: OtherSideWatching): boolean =>
  written.some(({ kind }) => otherSides(kind, kinds).length > 0);

/** Repeats the changes that others made through the members, as the events show them. Returns the results. */
export async function restoreOtherSides(
  events: readonly AuditEntry[],
  watching: OtherSideWatching,
): Promise<readonly RestoredSet[]> {
  const restored: RestoredSet[] = [];
  for (const object of watching.written)
    for (const side of otherSides(object.kind, watching.kinds)) {
      const { joined, left } = undoneAt(object, side, events, watching.mayBeUndone);
      const changes = { joined, left: left.difference(watching.deleted) };
      if (changes.joined.size + changes.left.size === 0) continue;
      const one = await restoreSide(object, side, changes, watching);
      if (one.joined.size + one.left.size > 0 || one.open) restored.push(one);
    }
  return restored;
}

// The last change at each member, by the run or by somebody else. The last change is enough,
// because the log has no event for a change that the run undid.
function undoneAt(
  { at, updates }: WrittenObject,
  { list, joins, leaves }: OtherSide,
  events: readonly AuditEntry[],
  mayBeUndone: (event: AuditEntry) => boolean = () => true,
): UndoneChanges {
  const last = new Map<string, { readonly is: 'join' | 'leave'; readonly event: AuditEntry }>();
  for (const event of events.toSorted(compareEvents))
    for (const [is, form] of [['join', joins] as const, ['leave', leaves] as const]) {
      const { code, meta } = event;
      if (form.codes.includes(code) && meta[form.holder] === at.id && meta[form.member])
        last.set(idKey(remoteId(meta[form.member] ?? '')), { is, event });
    }
  const of = (type: 'join' | 'leave', wasSent: boolean) =>
    [...last].flatMap(([member, { is, event }]) =>
      is === type &&
      mayBeUndone(event) &&
      updates.some(({ sent }) => (sent.get(list)?.has(member) ?? wasSent) === wasSent)
        ? member
        : [],
    );
  return { joined: new Set(of('join', false)), left: new Set(of('leave', true)) };
}

async function restoreSide(
  object: WrittenObject,
  side: OtherSide,
  changes: UndoneChanges,
  { kinds, names, portOf }: OtherSideWatching,
): Promise<RestoredSet> {
  const port = portOf(object);
  const there = await membersNow(object, port);
  const now = there?.get(side.list);
  const done = { joined: new Set<string>(), left: new Set<string>() };
  const set = { object, field: side.list, ...done };
  if (there === null) return set;
  const undone = {
    joined: now ? changes.joined.difference(now) : changes.joined,
    left: now ? changes.left.intersection(now) : changes.left,
  };
  const open = { joined: [] as string[], left: [] as string[], why: '' };
  for (const type of ['joined', 'left'] as const)
    for (const member of undone[type]) {
      const found = await findMember(member, side.kind, { kinds, port });
      if (found === 'gone') continue;
      const { why, name } = await restoreAt(member, found, { object, side, type, port, names });
      if (why === null) done[type].add(name);
      else {
        open[type].push(name);
        open.why = why;
      }
    }
  return open.why === '' ? set : { ...set, open };
}

/** The write that repeats a change at the member. */
interface MemberRepair {
  readonly object: WrittenObject;
  readonly side: OtherSide;
  readonly type: 'joined' | 'left';
  readonly port: AccountPort;
  readonly names: RunNames;
}

// Writes one member. Resolves to the reason of a failure, or to null.
async function restoreAt(
  member: string,
  found: ObjectId | ApiError,
  { object, side: { kind, field }, type, port, names }: MemberRepair,
): Promise<{ readonly why: string | null; readonly name: string }> {
  const plain = nameText(idInKey(member) ?? member);
  if (found instanceof ApiError) return { why: found.message, name: plain };
  const at: WrittenObject = { kind, at: found, updates: [], sentAt: 0 };
  try {
    const read = await readWritten(at, port);
    if (read === undefined) return { why: 'it no longer exists', name: plain };
    const fields = canonicalFields(kind.shape, decodeFields(kind.shape, read, byId), 'live');
    const known = identityName(kind, fields);
    const own = new Set([idKey(object.at.id)]);
    const none = new Set<string>();
    const change = type === 'joined' ? { joined: own, left: none } : { joined: none, left: own };
    const undone = [{ object: at, field, ...change }];
    const why = await restoreMembers(undone, { object: at, read }, { port, names });
    return { why, name: known === null ? plain : nameText(known) };
  } catch (error) {
    if (error instanceof ApiError) return { why: error.message, name: plain };
    throw error;
  }
}

// Finds a member in the account. Objects of a kind with parents are listed by parent.
async function findMember(
  member: string,
  kind: Kind,
  { kinds, port }: { readonly kinds: KindTable; readonly port: AccountPort },
): Promise<ObjectId | 'gone' | ApiError> {
  const parent = kind.parent === undefined ? undefined : kinds.get(kind.parent);
  try {
    const parents = parent ? await port.list(parent) : [undefined];
    for (const one of parents) {
      const listed = await port.list(kind, one?.id);
      const found = listed.find(({ id }) => idKey(id) === member);
      if (found) return { id: found.id, ...(one && { parentId: one.id }) };
    }
    return 'gone';
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
