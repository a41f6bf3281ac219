// The objects of an account as they are once a plan is carried out, on paper.
import type { KindTable } from '../../kinds/kind.ts';
import { mapFieldRefs } from '../../kinds/values/refs.ts';
import { idInKey, keyOf, segmentsOf } from '../../model/key.ts';
import { kindName, type RemoteId } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Action, Members, Plan } from '../../model/plan.ts';
import { type Fields, isList, type Json } from '../../model/value.ts';
import type { StateObject } from '../state/stateObject.ts';
import { type Pointers, pointersOf } from './pointers.ts';

/** An object on its way to the state after the plan. Its pointers are ids, or keys of objects that have no id yet. */
interface Draft {
  readonly object: StateObject;
  readonly id?: RemoteId;
  readonly parentId?: RemoteId | undefined;
}

/** The account after the actions of a plan. Pointers are keys of that state. */
export function objectsAfter(
  kinds: KindTable,
  live: readonly Live[],
  plan: Pick<Plan, 'actions' | 'changes' | 'pins'>,
): readonly StateObject[] {
  const pointers = pointersOf(live, plan);
  const mapped = (kind: string, fields: Fields, change: (name: string, key: string) => string) => {
    const known = kinds.get(kindName(kind));
    return known ? mapFieldRefs(known, fields, change) : fields;
  };
  const drafts = new Map<string, Draft>(
    live.map(one => [
      `${one.kind} ${one.id}`,
      liveDraft(one, mapped(one.kind, one.fields, pointers.ofLive)),
    ]),
  );
  for (const action of plan.actions) {
    const above = kinds.get(action.kind)?.parent;
    const parentId =
      above && action.parent !== undefined ? idInKey(pointers.ofPlan(above, action.parent)) : null;
    carryOut(drafts, action, { mapped, pointers, parentId: parentId ?? undefined });
  }
  // What a cascade deletes has no action of its own.
  for (const { type, kind, id, with: cause } of plan.changes)
    if (type === 'delete' && cause !== undefined) drafts.delete(`${kind} ${id}`);
  return settled(kinds, [...drafts.values()], mapped);
}

// Names of parents are part of the keys of what nests in them, and every pointer to an object is its key.
function settled(
  kinds: KindTable,
  drafts: readonly Draft[],
  mapped: Turn['mapped'],
): readonly StateObject[] {
  const keys = new Map<string, string>();
  const note = ({ id, object: { kind } }: Draft, key: string) => {
    if (id !== undefined) keys.set(`${kind} ${id}`, key);
  };
  for (const draft of drafts) note(draft, draft.object.key);
  const nested = drafts.map(draft => {
    const { object, parentId, id } = draft;
    const above = kinds.get(kindName(object.kind))?.parent;
    const parent = (parentId && keys.get(`${above} ${parentId}`)) ?? object.parent;
    if (parent === undefined) return object;
    const name = id === undefined ? undefined : segmentsOf(object.key, 2)?.at(-1);
    const key = name === undefined ? object.key : keyOf([parent, name]);
    note(draft, key);
    return { ...object, key, parent };
  });
  const current = (kind: string, key: string) => {
    const id = idInKey(key);
    return id === null ? key : (keys.get(`${kind} ${id}`) ?? key);
  };
  return nested.map(object => ({ ...object, fields: mapped(object.kind, object.fields, current) }));
}

interface Turn {
  readonly mapped: (
    kind: string,
    fields: Fields,
    change: (name: string, key: string) => string,
  ) => Fields;
  readonly pointers: Pointers;
  /** The id of the object that the action's object nests in, where it has one already. */
  readonly parentId: RemoteId | undefined;
}

function carryOut(drafts: Map<string, Draft>, action: Action, turn: Turn): void {
  const { kind, key } = action;
  const { mapped, pointers, parentId } = turn;
  if (action.verb === 'delete') {
    remove(drafts, kind, action.remoteId);
    return;
  }
  const written = mapped(kind, action.fields, pointers.ofPlan);
  if (action.verb === 'create') {
    const { parent } = action;
    const object = { kind, key, fields: written, ...(parent !== undefined && { parent }) };
    drafts.set(`${kind} new ${parent} ${key}`, { object, parentId });
    return;
  }
  const name = `${kind} ${action.remoteId}`;
  const before = drafts.get(name);
  if (before === undefined) return;
  const sets = Object.entries(action.members).map(([field, change]) => [
    field,
    changedSet(before.object.fields[field], change, pointers),
  ]);
  const fields = { ...before.object.fields, ...written, ...Object.fromEntries(sets) };
  drafts.set(name, {
    ...before,
    object: { ...before.object, key, fields },
    parentId: parentId ?? before.parentId,
  });
}

function liveDraft({ kind, key, id, parentId, serverFields }: Live, fields: Fields): Draft {
  return { object: { kind, key, id, fields, serverFields }, id, parentId };
}

// The server deletes what nests in an object along with it.
function remove(drafts: Map<string, Draft>, kind: string, id: RemoteId): void {
  drafts.delete(`${kind} ${id}`);
  for (const [name, draft] of drafts) if (draft.parentId === id) drafts.delete(name);
}

// The members of a set that others own too are machines.
function changedSet(
  value: Json | undefined,
  { add, remove: gone }: Members,
  { ofPlan }: Pointers,
): readonly Json[] {
  const members = (keys: readonly string[]) => keys.map(key => ofPlan('peer', key));
  const removed = new Set(members(gone));
  const kept = (isList(value) ? value : []).filter(
    item => typeof item !== 'string' || !removed.has(item),
  );
  return [...new Set([...kept, ...members(add)])];
}
