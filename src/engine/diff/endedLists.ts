// The lists of an object that contain ended members. An item of a keyed list is identified by its
// key, whatever its position.
import type { Field, Kind, Shape } from '../../kinds/kind.ts';
import { itemKey, keyFields } from '../../kinds/values/items.ts';
import type { Ended } from '../../model/ending.ts';
import type { KindName } from '../../model/names.ts';
import {
  type Fields,
  isList,
  isObject,
  type Json,
  type JsonObject,
  type Path,
} from '../../model/value.ts';
import type { Pair } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';

/** A list of an object that contains an ended member. */
interface EndedList {
  readonly ended: Ended;
  readonly list: Path;
}

/** The members of the same list in another version of the fields. */
export function membersAt(kind: Kind, of: EndedList, fields: Fields): readonly Json[] {
  const { outer, inner, isItem } = placeOf(kind, of);
  const value = fields[outer];
  if (!isList(value)) return [];
  if (inner === undefined) return value;
  return value.flatMap(item => {
    const found = isItem(item) ? item[inner] : undefined;
    return isList(found) ? found : [];
  });
}

/** The kind of the members of a list. The list is given by its path in declared fields. */
export function refIn({ shape }: Kind, [outer = '', , inner]: Path): KindName | undefined {
  const field = shape.fields.get(outer);
  const items = field?.shape.type === 'list' ? field.shape.items : undefined;
  if (inner === undefined) return refOf(field);
  return items?.type === 'object' ? refOf(items.fields.get(inner)) : undefined;
}

/**
 * The interpretations of a base after members ended. If a member has ended and the account no
 * longer has it, it is removed from the base too, because both sides made this change. Otherwise,
 * the files would seem to have changed every list that they declare as a whole.
 */
export function sinceEnds(
  meanings: readonly Fields[],
  pair: Pair,
  context: PlanContext,
): readonly Fields[] {
  const { ended, kind: name } = pair.desired;
  if (!ended) return meanings;
  const kind = context.kind(name);
  const live = context.fieldsOf(pair.live);
  return context.ownMembers(ended, pair).own.reduce((left, { list, names }) => {
    const of = { ended, list };
    const ref = refIn(kind, list);
    const there = new Set(membersAt(kind, of, live));
    const gone = [...names].flatMap(member => {
      const now = ref === undefined ? member : (context.keyOfRecorded(ref, member) ?? member);
      return there.has(member) || there.has(now) ? [] : [member, now];
    });
    const over = new Set<Json>(gone);
    return left.map(fields =>
      changedAt(kind, of, fields, members => members.filter(member => !over.has(member))),
    );
  }, meanings);
}

function changedAt(
  kind: Kind,
  of: EndedList,
  fields: Fields,
  change: (members: readonly Json[]) => readonly Json[],
): Fields {
  const { outer, inner, isItem } = placeOf(kind, of);
  const value = fields[outer];
  if (!isList(value)) return fields;
  if (inner === undefined) return { ...fields, [outer]: change(value) };
  const items = value.map(item => {
    const members = isItem(item) ? item[inner] : undefined;
    return isItem(item) && isList(members) ? { ...item, [inner]: change(members) } : item;
  });
  return { ...fields, [outer]: items };
}

function placeOf({ shape }: Kind, { ended, list: [outer = '', index, inner] }: EndedList) {
  const by = keyFields(shape.fields.get(outer)?.shape) ?? [];
  const declared = ended.fields[outer];
  const key = itemKey(isList(declared) ? declared[Number(index)] : undefined, by);
  const isItem = (item: Json): item is JsonObject => isObject(item) && itemKey(item, by) === key;
  return { outer, inner, isItem };
}

function refOf(field: Field | undefined): KindName | undefined {
  const shape: Shape | undefined = field?.shape;
  return shape?.type === 'list' && shape.items.type === 'scalar' ? shape.items.ref : undefined;
}
