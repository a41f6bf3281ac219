// After its updates, a run looks for members that joined a set or were removed by others between
// the read and the PUT of an update. The PUT undid these changes
// (docs/server-behaviour.md#group-membership). The run restores them with updates that it checks in
// the same way, until the audit log and a read show that no change remains undone.
import type { KindTable } from '../../../kinds/kind.ts';
import type { ReplacedSet } from '../../../kinds/values/replacedSets.ts';
import type { AuditEntry } from '../../../model/audit/entry.ts';
import { ApiError, present } from '../../../model/errors.ts';
import type { JsonObject } from '../../../model/value.ts';
import type { AccountPort } from '../../port.ts';
import type { RunNames } from '../turns/runNames.ts';
import type { DeclaredIn } from './declaredMembers.ts';
import { undoneChanges } from './memberHistory.ts';
import { type MemberNames, type MembersOf, memberNamesOnce } from './memberNames.ts';
import {
  isRestored,
  readWritten,
  restoreMembers,
  stillUndone,
  type UndoneSet,
} from './memberRepair.ts';
import type { WrittenObject } from './ownWrites.ts';

/** The maximum number of attempts. After that, a set that others keep changing is reported. */
const MOST_ATTEMPTS = 8;

/** The inputs of the watch. */
export interface MemberWatching {
  readonly kinds: KindTable;
  /** The sets of the objects that the run has updated so far. */
  readonly watched: () => readonly WatchedSet[];
  /** The account, for an update of an object that the run wrote. */
  readonly portOf: (object: WrittenObject) => AccountPort;
  readonly names: RunNames;
  readonly declared: DeclaredIn;
  /** The user of the run. */
  readonly self: string;
  /** Calls `work` while no action of the run writes the object. */
  readonly exclusively: <T>(object: WrittenObject, work: () => Promise<T>) => Promise<T>;
  /** Waits for the log and resolves to the events since the start of the run. Throws an `ApiError`. */
  readonly events: () => Promise<readonly AuditEntry[]>;
}

/** The result for the members of one set, with their names for people. */
export interface RestoredSet {
  readonly object: WrittenObject;
  readonly field: string;
  /** Members that joined during a write, and were added again. */
  readonly joined: ReadonlySet<string>;
  /** Members that others removed during a write, and that were removed again. */
  readonly left: ReadonlySet<string>;
  /**
   * Members that should be in the set but are not, or that are still in the set although others
   * removed them, with the reason.
   */
  readonly open?: {
    readonly joined: readonly string[];
    readonly left: readonly string[];
    readonly why: string;
  };
}

/** A set that may need members restored. */
export interface WatchedSet {
  readonly object: WrittenObject;
  readonly set: ReplacedSet;
}

/**
 * Restores the member changes that the run undid, according to the events, until a read shows that
 * no change is undone. Returns the result for each set.
 */
export async function restoreAll(
  first: readonly AuditEntry[],
  restored: Restored,
  watching: MemberWatching,
): Promise<readonly RestoredSet[]> {
  const givenUp = new Map<string, string>();
  let events = first;
  for (let attempt = 1; ; attempt++) {
    const mayWrite = (object: WrittenObject) =>
      attempt <= MOST_ATTEMPTS && !givenUp.has(nameOf(object));
    const undone = await restoreOnce(events, restored, watching, mayWrite);
    const sent = undone.filter(({ isSent }) => isSent);
    for (const { object, why } of undone) if (why !== undefined) givenUp.set(nameOf(object), why);
    if (sent.length === 0) return restored.without(undone, givenUp);
    try {
      events = await watching.events();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      for (const { object } of sent) givenUp.set(nameOf(object), error.message);
      return restored.without(undone, givenUp);
    }
  }
}

/** An object in which changes by others were undone when it was read. */
export interface UndoneObject {
  readonly object: WrittenObject;
  readonly sets: readonly NamedSet[];
  /** Whether the members were sent again. */
  readonly isSent: boolean;
  /** Why the members cannot be sent again. */
  readonly why?: string;
}

interface NamedSet extends UndoneSet {
  readonly members: MemberNames;
}

/**
 * Restores once what the events show, in the objects that may be written. Returns the objects in
 * which a change was undone, because the update that restores the change may undo another change.
 */
export async function restoreOnce(
  events: readonly AuditEntry[],
  restored: Restored,
  watching: MemberWatching,
  mayWrite: (object: WrittenObject) => boolean = () => true,
): Promise<readonly UndoneObject[]> {
  const { watched, declared, self, kinds, portOf, exclusively } = watching;
  const found = watched()
    .map(set => undoneSet(set, events, { declared, self }))
    .filter(set => !isRestored(set));
  const membersOf = memberNamesOnce(kinds);
  const undone: UndoneObject[] = [];
  for (const [name, sets] of Map.groupBy(found, ({ object }) => nameOf(object))) {
    const { object } = present(sets[0], name);
    const looking = { port: portOf(object), names: watching.names, membersOf };
    const isWritten = mayWrite(object);
    const one = await exclusively(object, () => restoreObject(object, sets, looking, isWritten));
    if (one?.isSent) restored.add(one.sets);
    if (one) undone.push(one);
  }
  return undone;
}

// Restores the changes in one object. Resolves to null if a read shows that nothing is undone, or
// that the object no longer exists.
async function restoreObject(
  object: WrittenObject,
  sets: readonly UndoneSet[],
  looking: {
    readonly port: AccountPort;
    readonly names: RunNames;
    readonly membersOf: MembersOf;
  },
  isWritten: boolean,
): Promise<UndoneObject | null> {
  const { port, names, membersOf } = looking;
  const read = await readOrWhy(object, port);
  if (read === undefined) return null;
  const named: NamedSet[] = [];
  for (const set of sets) {
    const open = typeof read === 'string' ? set : stillUndone(set, read);
    if (isRestored(open)) continue;
    const members = await membersOf(object.kind, set.field, port);
    // A member that was deleted from the account cannot be added again.
    const joined = new Set([...open.joined].filter(members.exists));
    if (!isRestored({ ...open, joined })) named.push({ ...open, joined, members });
  }
  if (named.length === 0) return null;
  const undone = { object, sets: named, isSent: false };
  if (typeof read === 'string') return { ...undone, why: read };
  if (!isWritten) return undone;
  const why = await restoreMembers(named, { object, read }, { port, names });
  return why === null ? { ...undone, isSent: true } : { ...undone, why };
}

function undoneSet(
  { object, set }: WatchedSet,
  events: readonly AuditEntry[],
  { declared, self }: Pick<MemberWatching, 'declared' | 'self'>,
): UndoneSet {
  const { added, removed, isExact } = declared(object.kind, object.at.id, set.field);
  const { joined, left } = undoneChanges(object, set, { events, self, added });
  const { field } = set;
  // Nobody may join a set whose members the files list completely.
  return { object, field, joined: isExact ? new Set() : joined.difference(removed), left };
}

async function readOrWhy(
  object: WrittenObject,
  port: AccountPort,
): Promise<JsonObject | string | undefined> {
  try {
    return await readWritten(object, port);
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

/** Collects, by set, the members that a run restored. */
export class Restored {
  readonly #sets = new Map<string, RestoredSet>();

  /** Adds sets whose members were sent again. */
  add(sets: readonly NamedSet[]): void {
    for (const { object, field, joined, left, members } of sets) {
      const before = this.#of(object, field);
      const named = (ids: ReadonlySet<string>) => new Set([...ids].map(members.nameOf));
      this.#sets.set(setName(object, field), {
        ...before,
        joined: before.joined.union(named(joined)),
        left: before.left.union(named(left)),
      });
    }
  }

  /** All sets that the run restored, and the changes in `undone` that are still undone. */
  without(
    undone: readonly UndoneObject[],
    givenUp: ReadonlyMap<string, string>,
  ): readonly RestoredSet[] {
    for (const { object, field, joined, left, members } of undone.flatMap(({ sets }) => sets)) {
      const why = givenUp.get(nameOf(object)) ?? KEEPS_CHANGING;
      const named = (ids: ReadonlySet<string>) => [...ids].map(members.nameOf).sort();
      const open = { joined: named(joined), left: named(left), why };
      this.#sets.set(setName(object, field), { ...this.#of(object, field), open });
    }
    return [...this.#sets.values()];
  }

  #of(object: WrittenObject, field: string): RestoredSet {
    const nothing = { object, field, joined: new Set<string>(), left: new Set<string>() };
    return this.#sets.get(setName(object, field)) ?? nothing;
  }
}

const KEEPS_CHANGING = `others changed it during each of ${MOST_ATTEMPTS} attempts`;

/** A key for an object in maps. */
export const nameOf = ({ kind, at }: WrittenObject): string => `${kind.name} ${at.id}`;
const setName = (object: WrittenObject, field: string): string => `${nameOf(object)} ${field}`;
