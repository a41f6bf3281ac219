// The updates and deletions that a run sends to objects with sets that others can join. Such an
// update sends the set whole, whichever field it changes. So it may undo changes that others make
// to the set between its read and its write. After each update, a read shows the members of the set
// at that time. For a deletion, the read before it shows the members.
import type { ObjectId } from '../../../api/account/objectClient.ts';
import type { Kind, KindTable } from '../../../kinds/kind.ts';
import { replacedSets } from '../../../kinds/values/replacedSets.ts';
import { ApiError } from '../../../model/errors.ts';
import type { EarlierDeletion, EarlierRun, EarlierUpdate } from '../../../model/journal.ts';
import { idKey } from '../../../model/key.ts';
import { remoteId } from '../../../model/names.ts';
import { isList, isObject, type Json, type JsonObject } from '../../../model/value.ts';
import { byId, decodeFields } from '../../../wire/decode.ts';
import type { AccountPort } from '../../port.ts';
import { isNotFound } from '../recovery/notFound.ts';

/** An object that the run updated and that has sets which others can join. */
export interface WrittenObject {
  readonly kind: Kind;
  readonly at: ObjectId;
  /** Every update that this run may have sent, and every update of the earlier run that it continues. */
  readonly updates: readonly SentUpdate[];
  /**
   * When this run last sent an update, in milliseconds since 1970; 0 if only an earlier run sent
   * updates.
   */
  readonly sentAt: number;
}

/** An update of an object with such sets. */
export interface SentUpdate {
  /** The members that the update sent. If a set is absent, its members are unknown. */
  readonly sent: SetMembers;
  /** Whether the earlier run sent the update, or was about to send it. */
  readonly isEarlier: boolean;
  /** The members according to the read after the update; null if the object no longer existed, undefined without such a read. */
  readonly after?: SetMembers | null;
}

/** An object with sets that others can join. A run deleted it, or may have deleted it. */
export interface DeletedObject {
  readonly kind: Kind;
  readonly at: ObjectId;
  /**
   * The members according to the last read before the deletion. If a set is absent, its members are
   * unknown.
   */
  readonly members: SetMembers;
}

/** The members of sets by field, as `id:<value>`. */
export type SetMembers = ReadonlyMap<string, ReadonlySet<string>>;

/** The objects that a run updated or deleted. */
export interface OwnWrites {
  /**
   * Returns the same account, but records each update and deletion, and reads the object after an
   * update.
   */
  readonly recording: (port: AccountPort) => AccountPort;
  readonly written: () => readonly WrittenObject[];
  readonly deleted: () => readonly DeletedObject[];
}

/** Records the writes of a run, after those of an earlier run that it continues. */
export function newOwnWrites(
  earlier: EarlierRun | undefined,
  { kinds, now }: { readonly kinds: KindTable; readonly now: () => number },
): OwnWrites {
  const objects = new Map<string, RecordedObject>();
  const objectAt = (kind: Kind, at: ObjectId): RecordedObject => {
    const name = `${kind.name} ${at.id}`;
    const object = objects.get(name) ?? { kind, at, updates: [], sentAt: 0 };
    objects.set(name, object);
    return object;
  };
  for (const update of earlier?.updates ?? []) {
    const kind = kinds.get(update.kind);
    if (!kind || replacedSets(kind).length === 0) continue;
    objectAt(kind, placeOf(update)).updates.push({
      sent: update.body ? setsIn(kind, update.body) : new Map(),
      isEarlier: true,
    });
  }
  const deleted = earlierDeletions(earlier, kinds);
  return {
    recording: port => ({
      ...withDeletions(port, object => deleted.push(object)),
      update: async (kind, at, body) => {
        if (replacedSets(kind).length === 0) return port.update(kind, at, body);
        const object = objectAt(kind, at);
        const update: RecordedUpdate = { sent: setsIn(kind, body), isEarlier: false };
        object.updates.push(update);
        object.sentAt = now();
        return sentAndRead(update, { object, port }, () => port.update(kind, at, body));
      },
    }),
    written: () => [...objects.values()].filter(({ updates }) => updates.length > 0),
    deleted: () => deleted,
  };
}

// The deletions of an earlier run that was interrupted before it could check them.
function earlierDeletions(earlier: EarlierRun | undefined, kinds: KindTable): DeletedObject[] {
  if (earlier?.isCutOff !== true) return [];
  return earlier.deletions.flatMap(deletion => {
    const kind = kinds.get(deletion.kind);
    if (!kind || replacedSets(kind).length === 0) return [];
    const members = replacedSets(kind).flatMap(({ field }) => {
      const before = deletion.before[field];
      return isList(before) ? [[field, new Set(before.map(String))] as const] : [];
    });
    return [{ kind, at: placeOf(deletion), members: new Map(members) }];
  });
}

// Returns the same account, but records the members of each object that it deletes, as they were
// last read.
function withDeletions(port: AccountPort, record: (object: DeletedObject) => void): AccountPort {
  const read = new Map<string, SetMembers>();
  return {
    ...port,
    read: async (kind, at) => {
      const body = await port.read(kind, at);
      if (replacedSets(kind).length > 0) read.set(at.id, setsIn(kind, body));
      return body;
    },
    delete: async (kind, at) => {
      const object = { kind, at, members: read.get(at.id) ?? new Map() };
      const isRecorded = replacedSets(kind).length > 0;
      try {
        await port.delete(kind, at);
      } catch (error) {
        const isPossible = error instanceof ApiError && error.details.mayHaveHappened;
        if (isRecorded && isPossible) record(object);
        throw error;
      }
      if (isRecorded) record(object);
    },
  };
}

type RecordedUpdate = { -readonly [Name in keyof SentUpdate]: SentUpdate[Name] };

interface RecordedObject extends WrittenObject {
  readonly updates: RecordedUpdate[];
  sentAt: number;
}

// Sends an update and then reads the object. The read follows even if the response was lost,
// because the server may have stored the update.
async function sentAndRead<T>(
  update: RecordedUpdate,
  { object, port }: { readonly object: RecordedObject; readonly port: AccountPort },
  send: () => Promise<T>,
): Promise<T> {
  const read = async () => {
    const after = await membersNow(object, port);
    if (after !== undefined) update.after = after;
  };
  const answer = await send().catch(async (error: unknown) => {
    if (!(error instanceof ApiError)) object.updates.splice(object.updates.indexOf(update), 1);
    else if (error.details.mayHaveHappened) await read();
    throw error;
  });
  await read();
  return answer;
}

/** The members of the sets of a written object; null if it no longer exists, undefined if it cannot be read. */
export async function membersNow(
  { kind, at }: Pick<WrittenObject, 'kind' | 'at'>,
  port: AccountPort,
): Promise<SetMembers | null | undefined> {
  try {
    return setsIn(kind, await port.read(kind, at));
  } catch (error) {
    if (isNotFound(error)) return null;
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/**
 * The members of all sets in a body that others can join, and the members of the lists that an
 * update sends back.
 */
export function setsIn(kind: Kind, body: JsonObject): SetMembers {
  const fields = replacedSets(kind).map(({ field }) => field);
  const sentBack = [...kind.shape.fields.values()].flatMap(({ name, sentBack: is, shape }) =>
    is && shape.type === 'list' ? [[name, idsIn(body[name])] as const] : [],
  );
  return new Map([
    ...fields.map(field => [field, membersIn(kind, field, body)] as const),
    ...sentBack,
  ]);
}

// The ids of the objects in a list that is sent back as it was read.
const idsIn = (value: Json | undefined): ReadonlySet<string> =>
  new Set(
    (isList(value) ? value : []).flatMap(item =>
      isObject(item) && typeof item.id === 'string' ? idKey(remoteId(item.id)) : [],
    ),
  );

/** The members of a set in a body, as `id:<value>`. */
export function membersIn(kind: Kind, field: string, body: JsonObject): ReadonlySet<string> {
  const members = decodeFields(kind.shape, body, byId)[field];
  return new Set(isList(members) ? members.map(String) : []);
}

const placeOf = ({ id, parentId }: EarlierUpdate | EarlierDeletion): ObjectId => ({
  id,
  ...(parentId !== undefined && { parentId }),
});
