// Handles members of shared sets that somebody deleted between the plan and the write. The server
// leaves them out of the set, and they cannot be added again.
import type { Kind } from '../../../kinds/kind.ts';
import { type FoundRef, refsIn } from '../../../kinds/values/refs.ts';
import { addressOf, idKey } from '../../../model/key.ts';
import type { Address, Key, KindName, RemoteId } from '../../../model/names.ts';
import type { Action } from '../../../model/plan.ts';
import { type Fields, isList, type Json, type JsonObject } from '../../../model/value.ts';
import type { TurnContext } from './context.ts';
import { fieldsNotStored } from './storedFields.ts';

/** The parts of an object that the server did not store. */
export interface NotStored {
  readonly lost: readonly string[];
  /** Members that no longer exist in the account. All other members were stored. */
  readonly gone: readonly Address[];
}

/**
 * The parts of an object that were not stored. Members of shared sets that no longer exist in the
 * account are not counted.
 */
export async function withoutGone(
  wanted: { readonly fields: Fields; readonly removed: Fields },
  body: JsonObject,
  { action, lost }: { readonly action: Action; readonly lost: readonly string[] },
  context: TurnContext,
): Promise<NotStored> {
  const { kind, names } = context;
  const isGone = goneIn(context);
  const declared = declaredIn(action, kind);
  const nameOf = (ref: KindName, id: RemoteId): Key => {
    const one = declared.find(found => found.kind === ref && names.find(ref, found.key) === id);
    return (one?.key ?? idKey(id)) as Key;
  };
  const gone: Address[] = [];
  const fields: Record<string, Json> = { ...wanted.fields };
  for (const name of lost) {
    const field = kind.shape.fields.get(name);
    const members = wanted.fields[name];
    if (!field?.shared || !isList(members)) return { lost, gone: [] };
    const kept: Json[] = [];
    for (const member of members) {
      const [ref] = refsIn(field.shape, [member]);
      if (ref && (await isGone(ref.kind, names.idOf(ref.kind, ref.key))))
        gone.push(addressOf(ref.kind, nameOf(ref.kind, names.idOf(ref.kind, ref.key))));
      else kept.push(member);
    }
    fields[name] = kept;
  }
  if (gone.length === 0) return { lost, gone };
  const left = fieldsNotStored(kind, { fields, removed: wanted.removed }, body, names);
  return left.length === 0 ? { lost: [], gone } : { lost, gone: [] };
}

function declaredIn(action: Action, { shape }: Kind): readonly FoundRef[] {
  if (action.verb === 'delete') return [];
  const members = action.verb === 'update' ? action.members : {};
  const added = Object.entries(members).flatMap(([name, { add, keep }]) => {
    const field = shape.fields.get(name);
    return field ? refsIn(field.shape, [...add, ...keep]) : [];
  });
  return [...refsIn(shape, action.fields), ...added];
}

/**
 * Returns a function that checks, with a new list of each kind, whether an object no longer exists
 * in the account.
 */
function goneIn({ kinds, port }: TurnContext): (name: KindName, id: string) => Promise<boolean> {
  const lists = new Map<KindName, Promise<ReadonlySet<string>>>();
  return async (name, id) => {
    const kind = kinds.get(name);
    // For objects with a parent, the result is false, because without the parent it is unknown
    // where they would be listed.
    if (kind === undefined || kind.parent !== undefined) return false;
    const ids = lists.get(name) ?? port.list(kind).then(all => new Set(all.map(one => one.id)));
    lists.set(name, ids);
    return !(await ids).has(id);
  };
}

/** The note about deleted members. */
export const goneNote = (gone: readonly Address[]): string =>
  `no longer in the account, and left out: ${gone.join(', ')}`;
