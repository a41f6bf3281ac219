// The end times that the files of a plan give to members. Without a base, only the plan keeps them: an undo of the plan, and an
// undo of this undo, take them from its journal.
import { keyedPath } from '../../kinds/values/items.ts';
import type { IdOf } from '../../model/comparedAccount.ts';
import { endTime, timeText } from '../../model/ending.ts';
import { addressOf } from '../../model/key.ts';
import type { Key, KindName } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { FormerEnd, Plan } from '../../model/plan.ts';
import { refIn } from '../diff/endedLists.ts';
import type { PlanInput } from '../scope/planInput.ts';

/** The live ids of objects, by their names in the files or the base. */
interface EndIds extends Pick<PlanInput, 'kinds' | 'recordedIds'> {
  readonly idOf: IdOf;
}

/** The end times of members of an object, in the form of plans. */
export function memberEnds(object: Desired, ids: EndIds): readonly FormerEnd[] {
  const { kind: name, key, ends = [], fields, ended } = object;
  const kind = ids.kinds.get(name);
  if (!kind) return [];
  const id = idIn(ids, name, key);
  return ends.flatMap(({ list, member, until: text }): FormerEnd[] => {
    const time = endTime(text);
    if (time === undefined) return [];
    const ref = refIn(kind, list);
    const memberId = ref && idIn(ids, ref, member);
    return [
      {
        kind: name,
        key,
        ...(id !== undefined && { id }),
        member,
        ...(memberId && { member_id: memberId }),
        list: keyedPath(kind.shape, ended?.fields ?? fields, list),
        until: timeText(time),
      },
    ];
  });
}

const idIn = ({ recordedIds, idOf }: EndIds, kind: KindName, key: string) =>
  recordedIds?.get(addressOf(kind, key as Key)) ?? idOf(kind, key);

/** The end times that the files give to members of the objects that a plan writes. */
export function givenEnds(
  { desired, ...ids }: EndIds & Pick<PlanInput, 'desired'>,
  { actions }: Pick<Plan, 'actions'>,
): readonly FormerEnd[] {
  const withEnds = desired.filter(({ ends }) => ends !== undefined && ends.length > 0);
  if (withEnds.length === 0) return [];
  const written = new Set(
    actions.flatMap(({ verb, kind, key, partOf = key }) =>
      verb === 'delete' ? [] : [addressOf(kind, partOf)],
    ),
  );
  const own = withEnds.filter(({ kind, key }) => written.has(addressOf(kind, key)));
  return own.flatMap(object => memberEnds(object, ids));
}

/** The end times without those of an object or member that an earlier one of the list is about. */
export function firstEnds(ends: readonly FormerEnd[]): readonly FormerEnd[] {
  const first = new Map<string, FormerEnd>();
  for (const end of ends) {
    const { kind, key, id = key, member = null, member_id: memberId = member, list = [] } = end;
    const text = JSON.stringify([kind, id, memberId, list]);
    if (!first.has(text)) first.set(text, end);
  }
  return [...first.values()];
}
