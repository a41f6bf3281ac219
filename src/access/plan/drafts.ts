// Simulates actions on the objects of an account, one after another.
import type { KindTable } from '../../kinds/kind.ts';
import { withHeldParts } from '../../kinds/values/keptInside.ts';
import { mapFieldRefs } from '../../kinds/values/refs.ts';
import { idInKey } from '../../model/key.ts';
import { type Address, kindName, type RemoteId } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Action, Members, Plan, UpdateAction } from '../../model/plan.ts';
import { type Fields, isList, type Json } from '../../model/value.ts';
import { type Draft, draftName, type Move, newDraftName, withFields } from './draft.ts';
import { ipv6Follower } from './ipv6Addresses.ts';
import { renameMachines } from './machineNames.ts';
import { type ReferenceIds, referenceIdsOf } from './referenceIds.ts';
import { renumber } from './renumbered.ts';
import { applyServerMoves } from './serverMoves.ts';

/** Returns the fields, with every reference replaced. */
export type MapReferences = (
  kind: string,
  fields: Fields,
  change: (name: string, key: string) => string,
) => Fields;

/** The simulated objects. The name of a draft never changes. */
export interface Drafts {
  readonly all: ReadonlyMap<string, Draft>;
  readonly mapped: MapReferences;
  /** Carries out an action. Returns the members that the server moves as a result. */
  readonly carryOut: (action: Action) => readonly Move[];
  /** The names of drafts that were written or removed since the last call. */
  readonly takeTouched: () => ReadonlySet<string>;
}

/** The objects of an account, before any action of a plan. */
export function draftsOf(
  kinds: KindTable,
  live: readonly Live[],
  plan: Pick<Plan, 'actions' | 'changes' | 'pins'>,
): Drafts {
  const pointers = referenceIdsOf(live, plan);
  const mapped: MapReferences = (kind, fields, change) => {
    const known = kinds.get(kindName(kind));
    return known ? mapFieldRefs(known, fields, change) : fields;
  };
  let touched = new Set<string>();
  const all = watched(
    new Map(
      live.map(one => [
        draftName(one.kind, one.id),
        liveDraft(one, mapped(one.kind, one.fields, pointers.ofLive)),
      ]),
    ),
    name => touched.add(name),
  );
  const followIpv6 = ipv6Follower(kinds, all);
  const along = Map.groupBy(
    plan.changes.filter(({ type }) => type === 'delete'),
    change => change.with,
  );
  const carry = (action: Action) => {
    const above = kinds.get(action.kind)?.parent;
    const parentId =
      above && action.parent !== undefined ? idInKey(pointers.ofPlan(above, action.parent)) : null;
    const turn = { kinds, live, mapped, pointers, parentId: parentId ?? undefined };
    const moves = carryOut(all, action, turn);
    // An object that the server deletes in a cascade has no separate action.
    if (action.verb === 'delete')
      for (const { kind, id } of along.get(action.address) ?? []) all.delete(`${kind} ${id}`);
    return [...moves, ...movesOf(all, action.address, followIpv6())];
  };
  const takeTouched = () => {
    const names = touched;
    touched = new Set();
    return names;
  };
  return { all, mapped, carryOut: carry, takeTouched };
}

// Returns a map that also reports every name that is written or removed.
function watched(drafts: Map<string, Draft>, onTouch: (name: string) => void): Map<string, Draft> {
  const set = drafts.set.bind(drafts);
  const remove = drafts.delete.bind(drafts);
  drafts.set = (name, draft) => {
    onTouch(name);
    set(name, draft);
    return drafts;
  };
  drafts.delete = name => {
    onTouch(name);
    return remove(name);
  };
  return drafts;
}

interface Turn {
  readonly kinds: KindTable;
  readonly live: readonly Live[];
  readonly mapped: MapReferences;
  readonly pointers: ReferenceIds;
  /** The id of the parent of the action's object, if the parent exists already. */
  readonly parentId: RemoteId | undefined;
}

// Applies the action to the drafts. Returns the sets whose members the server moves as a result.
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
  // A field that is missing inside a declared object may keep its value in the account.
  const written = withHeldParts(
    kind.shape,
    mapped(name, action.fields, pointers.ofPlan),
    before.object.fields,
  );
  const sets = Object.entries(action.members).map(([field, change]) => [
    field,
    changedSet(before.object.fields[field], change, pointers),
  ]);
  const after = withFields(before, { ...written, ...Object.fromEntries(sets) });
  drafts.set(draftName(name, id), {
    ...after,
    // A new parent that the plan creates has no id yet. The object still leaves its former parent.
    object: { ...after.object, key, ...(action.parent !== undefined && { parent: action.parent }) },
    parentId: action.parent === undefined ? before.parentId : parentId,
  });
  const done = { kind, id, before: before.object.fields, after: after.object.fields };
  const moves = [
    ...applyServerMoves(drafts, done, { kinds, live }),
    ...renameMachines(drafts, { ...done, kind: name, name: draftName(name, id) }),
    ...renumber(drafts, done),
  ];
  for (const { kind: of, key: set, field, members } of restores) {
    const draft = drafts.get(newDraftName(of, set));
    const fields = mapped(of, { [field]: members }, pointers.ofPlan);
    if (draft) drafts.set(newDraftName(of, set), withFields(draft, fields));
  }
  return movesOf(drafts, address, moves);
}

function movesOf(
  drafts: ReadonlyMap<string, Draft>,
  mover: Address,
  names: readonly string[],
): readonly Move[] {
  return names.flatMap(set => {
    const at = drafts.get(set);
    return at ? [{ mover, set, at }] : [];
  });
}

function liveDraft({ kind, key, id, parentId, serverFields }: Live, fields: Fields): Draft {
  return { object: { kind, key, id, fields, serverFields }, id, parentId };
}

// The server deletes nested objects together with their parent.
function remove(drafts: Map<string, Draft>, kind: string, id: RemoteId): void {
  drafts.delete(`${kind} ${id}`);
  for (const [name, draft] of drafts) if (draft.parentId === id) drafts.delete(name);
}

// The new members of a shared set. These members are machines.
function changedSet(
  value: Json | undefined,
  { add, remove: gone }: Members,
  { ofPlan }: ReferenceIds,
): readonly Json[] {
  const members = (keys: readonly string[]) => keys.map(key => ofPlan('peer', key));
  const removed = new Set(members(gone));
  const kept = (isList(value) ? value : []).filter(
    item => typeof item !== 'string' || !removed.has(item),
  );
  return [...new Set([...kept, ...members(add)])];
}
