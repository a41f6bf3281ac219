// Access with an expiry that a run removed and that would have expired since. An undo does not restore it.
import type { Kind } from '../../kinds/kind.ts';
import { indexedPath, valueAt } from '../../kinds/values/items.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { withoutMembers } from '../../kinds/values/withoutMembers.ts';
import { type EndedMembers, type MemberEnd, timeText } from '../../model/ending.ts';
import type { BeforeImage } from '../../model/journal.ts';
import { idKey } from '../../model/key.ts';
import type { Key, RemoteId } from '../../model/names.ts';
import type { FormerEnd, Plan } from '../../model/plan.ts';
import { pathOf, pointer } from '../../model/text/pointer.ts';
import { type Fields, listOf, type Path } from '../../model/value.ts';
import type { UndoAccount } from './undoAccount.ts';

/** An object of a plan. */
export interface PlannedObject {
  readonly kind: Kind;
  readonly id: RemoteId;
  readonly key: Key;
  /** The key of the declared object, if the server keeps that object in parts and this is a part. */
  readonly partOf?: Key | undefined;
}

/** What remains of an earlier state without the access that has expired. */
interface LeftOver {
  readonly before: BeforeImage<Fields>;
  readonly isEnded: boolean;
  /** If nothing remains of the object: the time at which its access expired, in words. */
  readonly over?: string;
}

/** The access in a base that has expired since a run. */
export interface EndedSince {
  /** When an object expired, in words; undefined if it has not expired. */
  readonly endOf: (object: PlannedObject) => string | undefined;
  /** When an object that has not expired will expire, in RFC 3339; undefined if it has no expiry. */
  readonly untilOf: (object: PlannedObject) => string | undefined;
  /**
   * The future expiries of members that the undo restores: the members in `fields`, the restored fields of the object, that are
   * not in `there`, its present fields.
   */
  readonly endsIn: (object: PlannedObject, fields: Fields, there: Fields) => readonly MemberEnd[];
  /** The earlier state of an object without the members that have expired. */
  readonly leftOf: (object: PlannedObject, before: BeforeImage<Fields>) => LeftOver;
}

/** Finds the expiries in the base of a plan that are before `now`, in milliseconds. */
export function endedSince(
  { formerEnds = [] }: Pick<Plan, 'formerEnds'>,
  now: number,
  account: UndoAccount,
): EndedSince {
  const over = formerEnds.filter(({ until }) => Date.parse(until) <= now);
  const objects = over.filter(({ member }) => member === undefined);
  const members = over.filter(({ member }) => member !== undefined);
  const later = formerEnds.filter(one => !over.includes(one));
  const wholes = later.filter(({ member }) => member === undefined);
  const parts = later.filter(({ member }) => member !== undefined);
  // A membership expires together with the object that the member names.
  const gone = new Set(
    objects.flatMap(({ kind, id }) =>
      id === undefined || account.live(kind, id) ? [] : [`${kind} ${idKey(id)}`],
    ),
  );
  return {
    endOf: object => {
      const own = objects.find(isOf(object));
      return own && `it ended at ${own.until}`;
    },
    untilOf: object => wholes.find(isOf(object))?.until,
    endsIn: (object, fields, there) => {
      const own = parts.filter(isOf(object));
      const left = own.filter(end => !isMember(object.kind, there, end));
      return left.flatMap(end => memberEnd(object.kind, fields, end, account));
    },
    leftOf: (object, before) => {
      const ended = endedIn(object, before.fields, {
        members: members.filter(isOf(object)),
        gone,
      });
      const fields = withoutMembers(object.kind.shape, before.fields, ended);
      if (fields === null)
        return { before, isEnded: true, over: `what it needs had ended by ${timeText(now)}` };
      return { before: { ...before, fields }, isEnded: fields !== before.fields };
    },
  };
}

// Objects are recognised by id, whatever their names were; an object in parts has several ids.
const isOf =
  ({ kind, id, key, partOf = key }: PlannedObject) =>
  (end: FormerEnd): boolean =>
    end.kind === kind.name && (end.id === id || (end.id === undefined && end.key === partOf));

const memberOf = ({ member = '', member_id: id }: FormerEnd): string =>
  id === undefined ? member : idKey(id);

const isMember = ({ shape }: Kind, fields: Fields, end: FormerEnd): boolean =>
  listOf(valueAt(shape, fields, end.list ?? [])).includes(memberOf(end));

// The expiry of a member that is in its list.
function memberEnd(
  kind: Kind,
  fields: Fields,
  end: FormerEnd,
  account: UndoAccount,
): readonly MemberEnd[] {
  const list = indexedPath(kind.shape, fields, end.list ?? []);
  if (list === undefined || !isMember(kind, fields, end)) return [];
  return [{ list, member: memberOf(end), until: end.until, at: account.at }];
}

function endedIn(
  { kind }: PlannedObject,
  fields: Fields,
  { members, gone }: { readonly members: readonly FormerEnd[]; readonly gone: ReadonlySet<string> },
): ReadonlyMap<string, EndedMembers> {
  const named = members.flatMap(end => {
    const path = indexedPath(kind.shape, fields, end.list ?? []);
    return path ? [{ list: path, name: memberOf(end) }] : [];
  });
  const along = refsIn(kind.shape, fields).flatMap(({ kind: ref, key, path }) =>
    gone.has(`${ref} ${key}`) ? [{ list: path.slice(0, -1), name: key }] : [],
  );
  const found: readonly { readonly list: Path; readonly name: string }[] = [...named, ...along];
  return new Map(
    [...Map.groupBy(found, ({ list }) => pointer(list))].map(([at, own]) => [
      at,
      { list: pathOf(at), names: new Set(own.map(({ name }) => name)) },
    ]),
  );
}
