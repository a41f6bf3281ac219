// The objects of an account as they are once a plan is carried out, on paper.
import type { KindTable } from '../../kinds/kind.ts';
import { mapFieldRefs } from '../../kinds/values/refs.ts';
import { idInKey, idKey, keyOf, segmentsOf } from '../../model/key.ts';
import { type Address, kindName, type RemoteId } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Action, Members, Plan, UpdateAction } from '../../model/plan.ts';
import { type Fields, isList, type Json } from '../../model/value.ts';
import type { StateObject } from '../state/stateObject.ts';
import { carryMembers } from './carriedMembers.ts';
import { type Draft, draftName, newDraftName, withFields } from './draft.ts';
import { type Pointers, pointersOf } from './pointers.ts';

/** A set whose members the server moves with the change of another object. */
export interface MovedSet {
  /** `<kind> <name>` for each name of the set: its keys before and after the plan, and its id as `id:<value>`. */
  readonly names: readonly string[];
  /** The address of the object whose change moves them. */
  readonly mover: Address;
}

/** An account after a plan. */
export interface AccountAfter {
  readonly objects: readonly StateObject[];
  /** What the server moves by itself, whether or not the sets have a change of their own. */
  readonly moved: readonly MovedSet[];
}

/** The account after the actions of a plan. Pointers are keys of that state. */
export function accountAfter(
  kinds: KindTable,
  live: readonly Live[],
  plan: Pick<Plan, 'actions' | 'changes' | 'pins'>,
): AccountAfter {
  const pointers = pointersOf(live, plan);
  const mapped = (kind: string, fields: Fields, change: (name: string, key: string) => string) => {
    const known = kinds.get(kindName(kind));
    return known ? mapFieldRefs(known, fields, change) : fields;
  };
  const drafts = new Map<string, Draft>(
    live.map(one => [
      draftName(one.kind, one.id),
      liveDraft(one, mapped(one.kind, one.fields, pointers.ofLive)),
    ]),
  );
  const moves = plan.actions.flatMap(action => {
    const above = kinds.get(action.kind)?.parent;
    const parentId =
      above && action.parent !== undefined ? idInKey(pointers.ofPlan(above, action.parent)) : null;
    const turn = { kinds, live, mapped, pointers, parentId: parentId ?? undefined };
    return carryOut(drafts, action, turn);
  });
  // What a cascade deletes has no action of its own.
  for (const { type, kind, id, with: cause } of plan.changes)
    if (type === 'delete' && cause !== undefined && id !== undefined)
      drafts.delete(draftName(kind, id));
  const objects = settled(kinds, [...drafts.values()], mapped);
  return { objects, moved: moves.map(move => movedSet(move, drafts)) };
}

/** A set at the moment when the server moves members of it. */
interface Move {
  readonly mover: Address;
  readonly set: string;
  readonly at: Draft;
}

function movedSet({ mover, set, at }: Move, drafts: ReadonlyMap<string, Draft>): MovedSet {
  const { kind } = at.object;
  const keys = [at, drafts.get(set) ?? at].map(({ object }) => object.key);
  const names = at.id === undefined ? keys : [...keys, idKey(at.id)];
  return { mover, names: [...new Set(names)].map(name => `${kind} ${name}`) };
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
  readonly kinds: KindTable;
  readonly live: readonly Live[];
  readonly mapped: (
    kind: string,
    fields: Fields,
    change: (name: string, key: string) => string,
  ) => Fields;
  readonly pointers: Pointers;
  /** The id of the object that the action's object nests in, where it has one already. */
  readonly parentId: RemoteId | undefined;
}

// Returns what the server moves along with the action.
function carryOut(drafts: Map<string, Draft>, action: Action, turn: Turn): readonly Move[] {
  const { kind, key } = action;
  const { mapped, pointers, parentId } = turn;
  if (action.verb === 'delete') {
    remove(drafts, kind, action.remoteId);
    return [];
  }
  if (action.verb === 'update') return update(drafts, action, turn);
  const written = mapped(kind, action.fields, pointers.ofPlan);
  const { parent } = action;
  const object = { kind, key, fields: written, ...(parent !== undefined && { parent }) };
  drafts.set(newDraftName(kind, key, parent), { object, parentId });
  return [];
}

function update(
  drafts: Map<string, Draft>,
  action: UpdateAction,
  { kinds, live, mapped, pointers, parentId }: Turn,
): readonly Move[] {
  const { address, kind: name, key, remoteId: id, restores = [] } = action;
  const before = drafts.get(draftName(name, id));
  const kind = kinds.get(name);
  if (before === undefined || kind === undefined) return [];
  const written = mapped(name, action.fields, pointers.ofPlan);
  const sets = Object.entries(action.members).map(([field, change]) => [
    field,
    changedSet(before.object.fields[field], change, pointers),
  ]);
  const after = withFields(before, { ...written, ...Object.fromEntries(sets) });
  drafts.set(draftName(name, id), {
    ...{ ...after, object: { ...after.object, key } },
    parentId: parentId ?? before.parentId,
  });
  const done = { kind, id, before: before.object.fields, after: after.object.fields };
  const moves = carryMembers(drafts, done, { kinds, live });
  for (const { kind: of, key: set, field, members } of restores) {
    const draft = drafts.get(newDraftName(of, set));
    const fields = mapped(of, { [field]: members }, pointers.ofPlan);
    if (draft) drafts.set(newDraftName(of, set), withFields(draft, fields));
  }
  return moves.flatMap(set => {
    const at = drafts.get(set);
    return at ? [{ mover: address, set, at }] : [];
  });
}

function liveDraft({ kind, key, id, parentId, serverFields }: Live, fields: Fields): Draft {
  return { object: { kind, key, id, fields, serverFields }, id, parentId };
}

// The server deletes what nests in an object along with it.
function remove(drafts: Map<string, Draft>, kind: string, id: RemoteId): void {
  drafts.delete(draftName(kind, id));
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
