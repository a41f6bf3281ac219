// Reads every set that a run wrote once more, after its last update. If a member was in the set
// after that update and is missing now, it has left or somebody has removed it.
import { ApiError, present } from '../../../model/errors.ts';
import type { AccountPort } from '../../port.ts';
import { listedOrNothing } from '../recovery/notFound.ts';
import type { WatchedSet } from './memberWatch.ts';
import { membersNow, type SetMembers, setsIn, type WrittenObject } from './ownWrites.ts';

/** A written set at the end of a run. The members are `id:<value>`. */
export interface SetAtEnd extends WatchedSet {
  /** The members of the set; null if its object no longer exists, undefined if it cannot be read. */
  readonly members: ReadonlySet<string> | null | undefined;
  /**
   * Members that the last update sent but the read after it did not show. It is unknown whether the
   * update removed them.
   */
  readonly unseen: ReadonlySet<string>;
  /**
   * Members that were in the set after the last update and are missing now, because somebody else
   * removed them.
   */
  readonly left: ReadonlySet<string>;
}

/** The sets according to a last read. Several objects of a kind are read with one list. */
export async function setsAtEnd(
  watched: readonly WatchedSet[],
  portOf: (object: WrittenObject) => AccountPort,
): Promise<readonly SetAtEnd[]> {
  const objects = [...new Set(watched.map(({ object }) => object))];
  const read = new Map<WrittenObject, SetMembers | null | undefined>();
  for (const some of Map.groupBy(objects, ({ kind }) => kind).values()) {
    const port = portOf(present(some[0], 'a written object'));
    for (const [object, members] of await readAll(some, port)) read.set(object, members);
  }
  return watched.map(({ object, set }) => {
    const members = read.get(object);
    const now = members && (members.get(set.field) ?? new Set());
    return { object, set, members: now, ...missingIn(object, set.field, now ?? undefined) };
  });
}

async function readAll(
  objects: readonly WrittenObject[],
  port: AccountPort,
): Promise<readonly (readonly [WrittenObject, SetMembers | null | undefined])[]> {
  const [first, ...others] = objects;
  const { kind } = present(first, 'a written object');
  if (others.length === 0 || kind.parent !== undefined)
    return Promise.all(
      objects.map(async object => [object, await membersNow(object, port)] as const),
    );
  try {
    const listed = await listedOrNothing(port.list(kind));
    const bodies = new Map(listed.map(({ id, body }) => [id, body]));
    return objects.map(object => {
      const body = bodies.get(object.at.id);
      return [object, body === undefined ? null : setsIn(kind, body)];
    });
  } catch (error) {
    if (error instanceof ApiError) return objects.map(object => [object, undefined]);
    throw error;
  }
}

// The members that are missing now. They are compared only with an update that this run sent and
// read back, because the updates of an earlier run may not have been sent.
function missingIn(
  { updates }: WrittenObject,
  field: string,
  there: ReadonlySet<string> | undefined,
): Pick<SetAtEnd, 'unseen' | 'left'> {
  const last = updates.findLast(({ isEarlier }) => !isEarlier);
  const sent = last?.sent.get(field);
  const after = last?.after?.get(field);
  if (there === undefined || sent === undefined || after === undefined)
    return { unseen: new Set(), left: new Set() };
  return {
    unseen: sent.difference(after).difference(there),
    left: after.difference(there),
  };
}
