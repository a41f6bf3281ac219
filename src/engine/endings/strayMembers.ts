// Ended members that the account still has and that the removal does not take out, in most cases because they are in another item
// than the one that declares them. Somebody may have renamed the items or exchanged their names, or the item may belong to somebody
// else. So nothing is removed there, and the members do not count as removed.
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { itemKey, keyFields } from '../../kinds/values/items.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { EndedMembers } from '../../model/ending.ts';
import { addressOf } from '../../model/key.ts';
import type { Key } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../../model/value.ts';
import { refIn } from '../diff/endedLists.ts';
import { liveFields } from '../pairing/naming.ts';
import type { KeyOfRecorded } from '../types/pairing.ts';
import { type Compared, isOnlyItem, keyInAccount } from './endedItems.ts';
import type { TakenMember } from './endedPart.ts';

/** Ended members in one item of a live object. */
export interface StrayMembers {
  readonly members: readonly { readonly list: Path; readonly name: string }[];
  readonly warning: Diagnostic;
}

/** A live object of an ended declaration, and what the base says about its names. */
export interface StrayIn extends Omit<Compared, 'declared'> {
  readonly object: Desired;
  readonly keyOfRecorded: KeyOfRecorded;
  /** Whether the removal handles this object. */
  readonly isPaired: boolean;
  /** The members that the removal takes out of the live object. */
  readonly taken: readonly TakenMember[];
  /** The fields that the files declare for the live object, without what has ended. */
  readonly lasting: Fields;
}

/** Returns the ended members of a declaration that stay in its live object. */
export function strayMembers(of: StrayIn): readonly StrayMembers[] {
  const { object, kind, live, naming } = of;
  const { ended } = object;
  if (!ended || ended.isWhole) return [];
  const there = liveFields(kind, live, naming);
  return ended.members.flatMap(members => {
    const { list } = members;
    const [outer = '', index, inner] = list;
    const isItems = index !== undefined && inner !== undefined;
    const all = isItems ? inItems(members, there, of) : inList(members, there[outer], of);
    return all.map(found => ({
      members: found.names.map(name => ({ list, name })),
      warning: warningOf({ list, ...found }, of),
    }));
  });
}

interface Found {
  readonly names: readonly string[];
  /** The list in the account, as shown in messages. */
  readonly place: string;
  /** Whether it is the list in which the files declare the members. They stay there because nobody else would be left. */
  readonly isOwn: boolean;
  /** Whether the item has the name of the declaring item, but may be another item. */
  readonly isOnlyNamed: boolean;
}

function inItems(members: EndedMembers, there: Fields, of: StrayIn): readonly Found[] {
  const { object, kind } = of;
  const [outer = '', index, inner = ''] = members.list;
  const by = keyFields(kind.shape.fields.get(outer)?.shape) ?? [];
  const all = object.ended?.fields ?? {};
  const ownOf = ({ list }: EndedMembers) => keyInAccount({ ...of, declared: all }, list);
  const own = ownOf(members);
  const beside = (object.ended?.members ?? []).filter(
    one => one !== members && one.list[0] === outer && one.list[2] === inner,
  );
  const declaredKey = itemKey(itemsOf(all[outer])[Number(index)], by);
  const live = itemsOf(there[outer]);
  const declared = itemsOf(canonicalFields(kind.shape, of.lasting, 'desired')[outer]);
  const parts = itemsOf(all[outer]).filter(one => itemKey(one, by) === of.part?.item);
  const isPart = isOnlyItem(of, parts, live);
  return live.flatMap(item => {
    const key = itemKey(item, by);
    const lasting = declared.filter(one => itemKey(one, by) === (isPart ? of.part?.item : key));
    const stays = lasting.flatMap(one => membersOf(one, inner));
    const has = membersOf(item, inner);
    // Members that have ended in this item itself are judged with the list of this item.
    const elsewhere = new Set(
      beside.flatMap(one => (key !== own && ownOf(one) === key ? [...one.names] : [])),
    );
    const names = endedIn(has, { ...of, members, stays, item: key }).filter(
      name => !elsewhere.has(name),
    );
    if (names.length === 0) return [];
    return {
      names,
      place: `${outer}/${key}/${inner}`,
      isOwn: of.isPaired && key === own,
      isOnlyNamed: own === undefined && key === declaredKey,
    };
  });
}

function inList(members: EndedMembers, value: Json | undefined, of: StrayIn): readonly Found[] {
  const [outer = ''] = members.list;
  const stays = itemsOf(of.lasting[outer]);
  const names = endedIn(itemsOf(value), { ...of, members, stays, item: undefined });
  return names.length === 0 ? [] : [{ names, place: outer, isOwn: false, isOnlyNamed: false }];
}

interface EndedIn extends StrayIn {
  readonly members: EndedMembers;
  /** The members that the files declare there. */
  readonly stays: readonly Json[];
  /** The key of the live item that contains the list. */
  readonly item: string | undefined;
}

function endedIn(
  value: readonly Json[],
  { kind, keyOfRecorded, members: { list, names }, stays, taken, item }: EndedIn,
): readonly string[] {
  const ref = refIn(kind, list);
  const now = (name: string) => (ref === undefined ? undefined : keyOfRecorded(ref, name)) ?? name;
  const there = new Set(value);
  const lasting = new Set(stays);
  const isSameList = (one: TakenMember) =>
    one.item === item && one.list[0] === list[0] && one.list[2] === list[2];
  const gone = new Set(taken.filter(isSameList).map(({ name }) => name));
  return [...names].filter(name => there.has(now(name)) && !lasting.has(name) && !gone.has(name));
}

const membersOf = (item: Json, inner: string): readonly Json[] =>
  isObject(item) ? itemsOf(item[inner]) : [];

const itemsOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);

interface Place extends Found {
  readonly list: Path;
}

function warningOf(found: Place, of: StrayIn): Diagnostic {
  const { object, kind } = of;
  const ref = refIn(kind, found.list);
  const who = found.names.map(one =>
    ref === undefined ? quoted(one) : addressOf(ref, one as Key),
  );
  const [has, stays, it] = who.length === 1 ? ['has', 'stays', 'it'] : ['have', 'stay', 'them'];
  const ended = `${who.join(', ')} ${has} ended in ${addressOf(object.kind, object.key)} and ${stays} there`;
  return {
    code: 'END_HELD',
    severity: 'warning',
    message: `${ended}: ${whyOf(found, it, of)}`,
    at: object.at,
    hint: hintOf(found, it),
  };
}

function hintOf({ isOwn, isOnlyNamed }: Found, it: string): string {
  if (isOwn) return `somebody removed the others: an apply adds them again and removes ${it}`;
  if (isOnlyNamed)
    return 'somebody may have exchanged names or changed these fields: look at it in the account, and put it back there, or apply the files';
  return `somebody may have renamed something, or added ${it} there: remove ${it} in the account`;
}

function whyOf(
  { place, isOwn, isOnlyNamed }: Place,
  it: string,
  { object, live, naming, isPaired }: StrayIn,
): string {
  if (isOwn) return `the account has nobody else in ${quoted(place)}, and the files declare others`;
  if (isPaired && isOnlyNamed)
    return `the account has ${it} in ${quoted(place)}, whose other fields are not as declared`;
  if (isPaired)
    return `the account has ${it} in ${quoted(place)}, where the files do not declare ${it}`;
  const other = addressOf(object.kind, naming.keyOfId(object.kind, live.id) ?? live.key);
  return `${other} has ${it} in ${quoted(place)}, and is the same object under another name, or with other contents`;
}
