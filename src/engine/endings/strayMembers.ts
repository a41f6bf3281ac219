// Ended members that the account still has in an item of their object in which no file declares them. Somebody may have renamed
// the items or exchanged their names, so no end may count as carried out, and none is: the item may also be somebody else's.
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { itemKey, keyFields } from '../../kinds/values/items.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { EndedMembers } from '../../model/ending.ts';
import { addressOf } from '../../model/key.ts';
import type { Key } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList, isObject, type Json, type Path } from '../../model/value.ts';
import { refIn } from '../diff/endedLists.ts';
import { liveFields } from '../pairing/naming.ts';
import type { KeyOfRecorded } from '../types/pairing.ts';
import { type Compared, keyInAccount } from './endedItems.ts';

/** Ended members in one item of a live object. */
export interface StrayMembers {
  readonly members: readonly { readonly list: Path; readonly name: string }[];
  readonly warning: Diagnostic;
}

/** A live object of an ended declaration, and what the base knows of the names in it. */
export interface StrayIn extends Omit<Compared, 'declared'> {
  readonly object: Desired;
  readonly keyOfRecorded: KeyOfRecorded;
  /** Whether ends are carried out in the object: then the items that declare the members are no others. */
  readonly isPaired: boolean;
}

/** Returns the ended members of a declaration that are in other items of its live object than in those that declare them. */
export function strayMembers(of: StrayIn): readonly StrayMembers[] {
  const { object, kind, live, naming } = of;
  const { ended } = object;
  if (!ended || ended.isWhole) return [];
  const there = liveFields(kind, live, naming);
  return ended.members.flatMap(members => {
    const [outer = '', index, inner] = members.list;
    if (index === undefined || inner === undefined) return [];
    const by = keyFields(kind.shape.fields.get(outer)?.shape) ?? [];
    const own = keyInAccount({ ...of, declared: ended.fields }, members.list);
    const declared = itemsOf(canonicalFields(kind.shape, object.fields, 'desired')[outer]);
    return itemsOf(there[outer]).flatMap(item => {
      const key = itemKey(item, by);
      const lasting = declared.filter(one => itemKey(one, by) === key);
      const names =
        of.isPaired && key === own ? [] : endedIn(item, inner, { ...of, members, lasting });
      const { list } = members;
      const warning = warningOf(object, kind, { list, names, item: key });
      return names.length === 0 ? [] : { members: names.map(name => ({ list, name })), warning };
    });
  });
}

interface EndedIn extends StrayIn {
  readonly members: EndedMembers;
  /** The items of that key in the files. */
  readonly lasting: readonly Json[];
}

function endedIn(
  item: Json,
  inner: string,
  { kind, keyOfRecorded, members: { list, names }, lasting }: EndedIn,
): readonly string[] {
  const ref = refIn(kind, list);
  const now = (name: string) => (ref === undefined ? undefined : keyOfRecorded(ref, name)) ?? name;
  const there = new Set(membersOf(item, inner));
  const stays = new Set(lasting.flatMap(one => membersOf(one, inner)));
  return [...names].filter(name => there.has(now(name)) && !stays.has(name));
}

const membersOf = (item: Json, inner: string): readonly Json[] =>
  isObject(item) ? itemsOf(item[inner]) : [];

const itemsOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);

interface Place {
  readonly list: Path;
  readonly names: readonly string[];
  /** The key of the item in the account. */
  readonly item: string;
}

function warningOf({ kind: name, key, at }: Desired, kind: Kind, place: Place): Diagnostic {
  const { list, names, item } = place;
  const [outer = '', , inner = ''] = list;
  const ref = refIn(kind, list);
  const who = names.map(one => (ref === undefined ? quoted(one) : addressOf(ref, one as Key)));
  const [has, stays, it] = who.length === 1 ? ['has', 'stays', 'it'] : ['have', 'stay', 'them'];
  return {
    code: 'END_HELD',
    severity: 'warning',
    message: `${who.join(', ')} ${has} ended in ${addressOf(name, key)} and ${stays} there: the account has ${it} in ${quoted(`${outer}/${item}/${inner}`)}, where the files do not declare ${it}`,
    at,
    hint: `somebody may have renamed that item, or added ${it} to it: take ${it} out of it in the account`,
  };
}
