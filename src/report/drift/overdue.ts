// Reports expired objects that are still in the account as differences. They are also drift with a base, and cannot be
// acknowledged.
import type { FieldChange, ShownChange } from '../../model/change.ts';
import { addressOf } from '../../model/key.ts';
import type { Plan, ShownEnding } from '../../model/plan.ts';
import type { Shown, ShownText } from '../../model/secrets/shown.ts';
import { stableText } from '../../model/text/stableText.ts';
import { quoted } from '../../model/text/visible.ts';

/** The differences of overdue objects; for each object, only the overdue part. */
export function overdueChanges({ changes, endings }: Plan): readonly ShownChange[] {
  const ends = Map.groupBy(endings?.overdue ?? [], ({ kind, key }) => `${kind} ${key}`);
  return [...ends.values()].flatMap(own => {
    const [first] = own;
    if (first === undefined) return [];
    const planned = changes.filter(
      ({ kind, key, partOf, ended }) =>
        kind === first.kind && (ended?.key ?? partOf ?? key) === first.key,
    );
    const found = planned.flatMap(change => ofEnds(asDeclared(change), own));
    return found.length > 0 ? found : [held(own, first)];
  });
}

// The change under the declared name of its object, which may have another name in the account.
function asDeclared(change: ShownChange): ShownChange {
  const { kind, key, ended } = change;
  if (!ended) return change;
  if (!ended.isRenamed) return { ...change, notes: ended.notes };
  const notes = [`the account calls it ${quoted(key)}`, ...ended.notes];
  return { ...change, key: ended.key, address: addressOf(kind, ended.key), notes };
}

function ofEnds(change: ShownChange, ends: readonly ShownEnding[]): readonly ShownChange[] {
  if (change.type === 'delete') return [change];
  const named = change.fields.filter(field => ends.some(end => takesOut(field, end)));
  // The account may use another name for the same member.
  const fields =
    named.length > 0
      ? named
      : change.fields.filter(field => ends.some(({ list }) => losesMembers(field, list)));
  return fields.length > 0 ? [{ ...change, fields }] : [];
}

// Whether a change of a field removes the member: from a list, or with an item that contains it.
function takesOut(field: FieldChange<Shown>, { member }: ShownEnding): boolean {
  if (member === undefined) return true;
  const lost = field.type === 'members' ? field.removed : field.before;
  return stableText(lost ?? null).includes(stableText(member));
}

const losesMembers = (field: FieldChange<Shown>, list: ShownEnding['list']): boolean =>
  field.type === 'members' && field.removed.length > 0 && field.path.at(-1) === list;

// The difference for an expired object that the plan does not delete, because another object refers to it or because it cannot be
// written.
function held(ends: readonly ShownEnding[], { kind, key, at }: ShownEnding): ShownChange {
  const own = { address: addressOf(kind, key), kind, key, ...(at && { at }), notes: [] };
  const lists = Map.groupBy(
    ends.filter(({ member }) => member !== undefined),
    ({ list }) => list ?? '',
  );
  const isWhole = ends.some(({ member }) => member === undefined);
  if (isWhole || lists.size === 0) return { ...own, type: 'delete', before: {}, fields: [] };
  const fields = [...lists].map(([list, ended]): FieldChange<Shown> => {
    const removed = ended.flatMap(({ member }) =>
      member === undefined ? [] : (member as ShownText),
    );
    return { type: 'members', path: [list], added: [], removed, kept: [], foreign: [] };
  });
  return { ...own, type: 'update', fields };
}
