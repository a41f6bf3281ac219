// The updates that a run sends to objects with sets that others can join. Such an update sends the set whole, whichever
// field it changes, so each one may undo what others change in the set between its read and its write.
import type { ObjectId } from '../../api/account/account.ts';
import type { Kind, KindTable, MembershipEvents } from '../../kinds/kind.ts';
import { present } from '../../model/errors.ts';
import type { EarlierRun } from '../../model/journal.ts';
import type { Plan } from '../../model/plan.ts';
import { isList, type JsonObject } from '../../model/value.ts';
import { byId, decodeFields } from '../../wire/decode.ts';
import type { AccountPort } from '../run/port.ts';
import { parentOf } from '../turns/context.ts';
import type { RunNames } from '../turns/names.ts';

/** A set that every update of its object replaces, and that others can join. */
export interface ReplacedSet {
  readonly field: string;
  readonly membership: MembershipEvents;
}

/** The sets of a kind that every update replaces and that others can join. */
export function replacedSets({ updateMode, shape }: Kind): readonly ReplacedSet[] {
  if (updateMode !== 'whole') return [];
  return [...shape.fields.values()].flatMap(({ name, membership }) =>
    membership ? [{ field: name, membership }] : [],
  );
}

/** An object with such sets that the run updated. */
export interface WrittenObject {
  readonly kind: Kind;
  readonly at: ObjectId;
  /** The fields of every update, as they were sent. */
  readonly sent: readonly SentSets[];
  /** Whether an earlier run may have updated it too: then `sent` does not have everything. */
  readonly isSentBefore: boolean;
  /** When this run last sent an update, in milliseconds since 1970; 0 if only an earlier run did. */
  readonly sentAt: number;
}

/** By field, the members that an update sent, as `id:<value>`. */
type SentSets = ReadonlyMap<string, ReadonlySet<string>>;

/** The objects that a run updated; `port` is an account that records them. */
export interface OwnWrites {
  readonly port: AccountPort;
  readonly written: () => readonly WrittenObject[];
}

/** Records the updates that are sent to `port`, after those of an earlier run that the run continues. */
export function recordedWrites(
  port: AccountPort,
  earlier: readonly WrittenObject[],
  now: () => number,
): OwnWrites {
  const objects = new Map(earlier.map(one => [objectName(one.kind, one.at), one]));
  const record = (kind: Kind, at: ObjectId, body: JsonObject): void => {
    const sets = replacedSets(kind);
    if (sets.length === 0) return;
    const name = objectName(kind, at);
    const { sent, isSentBefore } = objects.get(name) ?? { sent: [], isSentBefore: false };
    const fields = new Map(sets.map(({ field }) => [field, membersIn(kind, field, body)]));
    objects.set(name, { kind, at, sent: [...sent, fields], isSentBefore, sentAt: now() });
  };
  return {
    port: {
      ...port,
      update: (kind, at, body) => {
        record(kind, at, body);
        return port.update(kind, at, body);
      },
    },
    written: () => [...objects.values()],
  };
}

/** The objects that an earlier run of the plan updated, or may have. */
export function writtenEarlier(
  { actions }: Plan,
  earlier: EarlierRun | undefined,
  { kinds, names }: { readonly kinds: KindTable; readonly names: RunNames },
): readonly WrittenObject[] {
  if (!earlier) return [];
  const { done, sent, begun } = earlier;
  return actions.flatMap(action => {
    const isStarted = [done, sent, begun].some(ids => ids.has(action.id));
    const kind = present(kinds.get(action.kind), `the kind ${action.kind}`);
    if (!isStarted || action.verb !== 'update' || replacedSets(kind).length === 0) return [];
    const parentId = parentOf(action, { kind, names });
    const at = { id: action.remoteId, ...(parentId !== undefined && { parentId }) };
    return [{ kind, at, sent: [], isSentBefore: true, sentAt: 0 }];
  });
}

/** The members of a set in a body, as `id:<value>`. */
export function membersIn(kind: Kind, field: string, body: JsonObject): ReadonlySet<string> {
  const members = decodeFields(kind.shape, body, byId)[field];
  return new Set(isList(members) ? members.map(String) : []);
}

const objectName = ({ name }: Kind, { id }: ObjectId): string => `${name} ${id}`;
