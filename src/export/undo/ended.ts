// Access that had already expired when a run removed it. An undo restores what people changed, but not expired access.
import type { BeforeImage } from '../../model/journal.ts';
import type { RemoteId } from '../../model/names.ts';
import type { DeleteAction, Plan, ShownAction, UpdateAction } from '../../model/plan.ts';
import { type Fields, isList, type Json } from '../../model/value.ts';
import type { UndoAccount } from './undoAccount.ts';

/** What a plan removed only because it had expired, by the ids of the objects. */
export interface EndedByPlan {
  /** When a deleted object had expired, in words; undefined if it had not expired. */
  readonly endOf: (action: DeleteAction) => string | undefined;
  /** The former state of an updated object without its expired access. */
  readonly imageOf: (
    action: UpdateAction,
    before: BeforeImage<Fields>,
  ) => { readonly before: BeforeImage<Fields>; readonly isEnded: boolean };
}

/** Reads from a plan what it removed only because it had expired. */
export function endedBy({ endings }: Pick<Plan, 'endings'>, account: UndoAccount): EndedByPlan {
  const alone = new Map<RemoteId, ShownAction>(
    (endings?.alone?.actions ?? []).flatMap(action =>
      action.verb === 'create' ? [] : [[action.remoteId, action]],
    ),
  );
  return {
    endOf: ({ remoteId, kind, key }) => {
      const own = endings?.overdue.filter(one => one.kind === kind && one.key === key) ?? [];
      const isEnded = alone.get(remoteId)?.verb === 'delete' || own.some(one => !one.member);
      if (!isEnded) return undefined;
      // Somebody may have swapped names in the account, so the name alone does not show which expiry belongs to the object.
      const ends = endings?.overdue.filter(one => one.kind === kind).map(({ until }) => until);
      const [end, ...others] = new Set(ends);
      return end !== undefined && others.length === 0
        ? `it ended at ${end}`
        : `it had ended by ${endings?.clock}`;
    },
    imageOf: ({ remoteId }, before) => {
      const ended = alone.get(remoteId);
      if (ended?.verb !== 'update') return { before, isEnded: false };
      return { before: withoutEnded(ended, before, account), isEnded: true };
    },
  };
}

// The fields without expired access: a set keeps the members that had not expired; any other list has the value that the plan
// would have written for the expiries alone.
function withoutEnded(
  { kind: name, fields: written, members }: Extract<ShownAction, { readonly verb: 'update' }>,
  before: BeforeImage<Fields>,
  account: UndoAccount,
): BeforeImage<Fields> {
  const kind = account.kind(name);
  const after = account.inIds(kind, written);
  const left = (field: string, value: Json): Json => {
    const gone = members[field]?.remove;
    if (gone === undefined) return after[field] ?? value;
    const items = kind.shape.fields.get(field)?.shape;
    const ref =
      items?.type === 'list' && items.items.type === 'scalar' ? items.items.ref : undefined;
    const ids = new Set(gone.map(key => (ref === undefined ? key : account.idKeyOf(ref, key))));
    return isList(value) ? value.filter(item => !ids.has(String(item))) : value;
  };
  const fields = Object.entries(before.fields).map(([field, value]): [string, Json] => [
    field,
    field in written || field in members ? left(field, value) : value,
  ]);
  return { ...before, fields: Object.fromEntries(fields) };
}
