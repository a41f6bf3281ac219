// Members whose end time has passed and is only in the base, because the files no longer declare
// them in that list.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { indexedPath, itemKey, keyedPath, keyFields, valueAt } from '../../kinds/values/items.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { withoutMembers } from '../../kinds/values/withoutMembers.ts';
import { type EndedMembers, type Ending, endTime } from '../../model/ending.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { pathOf, pointer } from '../../model/text/pointer.ts';
import { type Fields, isObject, type Json, listOf, type Path } from '../../model/value.ts';
import { hasFieldsOf } from './endedItems.ts';

/** A member in a base that has ended. */
interface OverMember {
  /**
   * The path of the member's list in the fields of the base, and the same path with the keys of
   * items in place of their indexes.
   */
  readonly list: Path;
  readonly keyed: Path;
  readonly member: string;
  /** The end time, in milliseconds; absent if the member ends with the object to which it refers. */
  readonly until?: number;
}

/** A declaration with the ended members of its base. */
export interface WithEnded {
  readonly desired: Desired;
  readonly endings: readonly Ending[];
}

/**
 * The members of an object in a base whose end time is before `now`, in milliseconds, and the members that refer to objects in
 * `gone`.
 */
export function overMembers(
  base: Desired,
  kind: Kind,
  { now, gone }: { readonly now: number; readonly gone: ReadonlySet<Address> },
): readonly OverMember[] {
  const own = (base.ends ?? []).flatMap(({ list, member, until: text }) => {
    const until = endTime(text);
    return until !== undefined && until <= now ? [{ list, member, until }] : [];
  });
  const along = refsIn(kind.shape, base.fields).flatMap(({ kind: ref, key, path }) => {
    const list = path.slice(0, -1);
    return gone.has(addressOf(ref, key as Key)) && hasEnds(kind, list)
      ? [{ list, member: key }]
      : [];
  });
  const isOwn = ({ list, member }: Pick<OverMember, 'list' | 'member'>) =>
    own.some(one => one.member === member && pointer(one.list) === pointer(list));
  return [...own, ...along.filter(one => !isOwn(one))].map(one => ({
    ...one,
    keyed: keyedPath(kind.shape, base.fields, one.list),
  }));
}

// Whether members of the list can have an end time.
function hasEnds({ shape }: Kind, [outer = '', , inner]: Path): boolean {
  const field = shape.fields.get(outer);
  const items = field?.shape.type === 'list' ? field.shape.items : undefined;
  const own = inner === undefined || items?.type !== 'object' ? field : items.fields.get(inner);
  return own?.ends !== undefined;
}

/**
 * A declaration of a base that no file contains any more. It no longer contains its ended members.
 */
export function endedInBase(base: Desired, kind: Kind, over: readonly OverMember[]): WithEnded {
  const members = membersOf(over);
  const left = withoutMembers(kind.shape, base.fields, byList(members));
  const ended = { isWhole: left === null, fields: base.fields, members };
  const lifecycle = { ...base.lifecycle, ...(left === null && { delete: true }) };
  const desired = { ...base, fields: left ?? base.fields, lifecycle, ended };
  return { desired, endings: endingsOf(base, over) };
}

/**
 * The declaration in the files, with the ended members that only the base declares. Null if the
 * files declare all of these members, or may declare them in a renamed item.
 */
export function withEndedOfBase(
  desired: Desired,
  { base, over }: { readonly base: Desired; readonly over: readonly OverMember[] },
  kinds: KindTable,
): WithEnded | null {
  const kind = kinds.get(desired.kind);
  if (!kind || desired.ended?.isWhole) return null;
  const ignored = new Set(desired.lifecycle.ignore ?? []);
  const whole = desired.ended?.fields ?? desired.fields;
  const added = over.filter(
    one => !ignored.has(one.keyed[0] ?? '') && !mayDeclare(kind, { whole, desired, base }, one),
  );
  if (added.length === 0) return null;
  const fields = added.reduce((all, one) => withMember(kind, { all, base }, one), whole);
  const found = added.flatMap(one => {
    const list = indexedPath(kind.shape, fields, one.keyed);
    return list ? [{ ...one, list }] : [];
  });
  const members = membersOf(found);
  const left = withoutMembers(kind.shape, fields, byList(all(desired, members)));
  const ended = { isWhole: false, fields, members: all(desired, members) };
  return {
    desired: { ...desired, fields: left ?? desired.fields, ended },
    endings: endingsOf(desired, found),
  };
}

const all = ({ ended }: Desired, members: readonly EndedMembers[]): readonly EndedMembers[] => [
  ...(ended?.members ?? []),
  ...members,
];

interface Sides {
  /** The declared fields, including what has ended. */
  readonly whole: Fields;
  readonly desired: Desired;
  readonly base: Desired;
}

// Whether the files declare the member, either in its list or in an item that may be the renamed
// item of the base. Such an item is not in the base, contains the member without a past end time,
// and equals the item of the base except for its name. An item with different content does not
// count; otherwise, any new item with the member would keep the ended access.
function mayDeclare(
  { shape }: Kind,
  { whole, desired, base }: Sides,
  { list, keyed, member }: OverMember,
): boolean {
  if (listOf(valueAt(shape, whole, keyed)).includes(member)) return true;
  const [outer = '', , inner] = keyed;
  if (inner === undefined) return false;
  const by = keyFields(shape.fields.get(outer)?.shape) ?? [];
  const known = new Set(listOf(base.fields[outer]).map(item => itemKey(item, by)));
  const own = listOf(canonicalFields(shape, base.fields, 'desired')[outer])[Number(list[1])];
  const items = listOf(canonicalFields(shape, whole, 'desired')[outer]);
  const except = by.concat(inner);
  const isAsBefore = (item: Json | undefined) =>
    hasFieldsOf(item, own, except) && hasFieldsOf(own, item, except);
  const hasEnded = (index: number) =>
    (desired.ended?.members ?? []).some(
      one => pointer(one.list) === pointer([outer, String(index), inner]) && one.names.has(member),
    );
  return listOf(whole[outer]).some(
    (item, index) =>
      !known.has(itemKey(item, by)) &&
      isObject(item) &&
      listOf(item[inner]).includes(member) &&
      !hasEnded(index) &&
      isAsBefore(items.find(one => itemKey(one, by) === itemKey(item, by))),
  );
}

// The fields, with a member in its list. An item that the files do not have is taken from the base.
function withMember(
  { shape }: Kind,
  { all: fields, base }: { readonly all: Fields; readonly base: Desired },
  { list, keyed, member }: OverMember,
): Fields {
  const [outer = '', key, inner] = keyed;
  const items = listOf(fields[outer]);
  if (inner === undefined) return { ...fields, [outer]: withItem(items, member) };
  const by = keyFields(shape.fields.get(outer)?.shape) ?? [];
  const isMeant = (item: Json) => itemKey(item, by) === key;
  const own = listOf(base.fields[outer])[Number(list[1])];
  if (!items.some(isMeant))
    return own === undefined ? fields : { ...fields, [outer]: withItem(items, own) };
  const changed = items.map(item =>
    isMeant(item) && isObject(item)
      ? { ...item, [inner]: withItem(listOf(item[inner]), member) }
      : item,
  );
  return { ...fields, [outer]: changed };
}

const withItem = (items: readonly Json[], item: Json): readonly Json[] =>
  items.includes(item) ? items : items.concat([item]);

const membersOf = (over: readonly OverMember[]): readonly EndedMembers[] =>
  [...Map.groupBy(over, ({ list }) => pointer(list))].map(([list, own]) => ({
    list: pathOf(list),
    names: new Set(own.map(({ member }) => member)),
  }));

const byList = (members: readonly EndedMembers[]): ReadonlyMap<string, EndedMembers> =>
  new Map(members.map(one => [pointer(one.list), one]));

const endingsOf = ({ kind, key, at }: Desired, over: readonly OverMember[]): readonly Ending[] =>
  over.flatMap(({ list, member, until }) =>
    until === undefined ? [] : [{ kind, key, member, list, until, at }],
  );
