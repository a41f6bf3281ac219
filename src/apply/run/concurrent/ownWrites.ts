// The updates that a run sends to objects with sets that others can join. Such an update sends the set whole, whichever
// field it changes, so each one may undo what others change in the set between its read and its write. A read after each
// update shows what is in the set then.
import type { ObjectId } from '../../../api/account/account.ts';
import type { Kind, KindTable } from '../../../kinds/kind.ts';
import { replacedSets } from '../../../kinds/values/replacedSets.ts';
import { ApiError } from '../../../model/errors.ts';
import type { EarlierRun, EarlierUpdate } from '../../../model/journal.ts';
import { idKey } from '../../../model/key.ts';
import { remoteId } from '../../../model/names.ts';
import { isList, isObject, type Json, type JsonObject } from '../../../model/value.ts';
import { byId, decodeFields } from '../../../wire/decode.ts';
import type { AccountPort } from '../../port.ts';
import { isNotFound } from '../recovery/notFound.ts';

/** An object with such sets that the run updated. */
export interface WrittenObject {
  readonly kind: Kind;
  readonly at: ObjectId;
  /** Every update that may have been sent, by this run and by the earlier run that it continues. */
  readonly updates: readonly SentUpdate[];
  /** When this run last sent an update, in milliseconds since 1970; 0 if only an earlier run did. */
  readonly sentAt: number;
}

/** An update of such an object. */
export interface SentUpdate {
  /** The members that it sent; a set that is absent is unknown. */
  readonly sent: SetMembers;
  /** Whether the earlier run sent it, or was about to. */
  readonly isEarlier: boolean;
  /** The members according to the read after it; null if the object was gone, undefined without such a read. */
  readonly after?: SetMembers | null;
}

/** By field, the members of sets, as `id:<value>`. */
export type SetMembers = ReadonlyMap<string, ReadonlySet<string>>;

/** The objects that a run updated. */
export interface OwnWrites {
  /** The same account; updates through it are recorded, and each is followed by a read. */
  readonly recording: (port: AccountPort) => AccountPort;
  readonly written: () => readonly WrittenObject[];
}

/** Records the updates that a run sends, after those of an earlier run that it continues. */
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
  return {
    recording: port => ({
      ...port,
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
  };
}

type RecordedUpdate = { -readonly [Name in keyof SentUpdate]: SentUpdate[Name] };

interface RecordedObject extends WrittenObject {
  readonly updates: RecordedUpdate[];
  sentAt: number;
}

// Sends an update and reads the object after it, also if the response was lost: the server may have stored it.
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

/** The members of all such sets in a body, and those of the lists that it sends back. */
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

// A list that is sent back as it was read has objects with ids.
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

const placeOf = ({ id, parentId }: EarlierUpdate): ObjectId => ({
  id,
  ...(parentId !== undefined && { parentId }),
});
