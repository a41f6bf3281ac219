// Simulates the objects of an account after a plan.
import type { KindTable } from '../../kinds/kind.ts';
import { idInKey, idKey, keyOf, segmentsOf } from '../../model/key.ts';
import { kindName } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import type { StateObject } from '../state/stateObject.ts';
import type { Draft, Move, MovedSet } from './draft.ts';
import { draftsOf, type MapReferences } from './drafts.ts';

/** An account after a plan. */
interface AccountAfter {
  readonly objects: readonly StateObject[];
  /** The sets whose members the server moves, even if the sets have the same members afterwards. */
  readonly moved: readonly MovedSet[];
}

/** The account after the actions of a plan. References are keys in the state after the plan. */
export function accountAfter(
  kinds: KindTable,
  live: readonly Live[],
  plan: Pick<Plan, 'actions' | 'changes' | 'pins'>,
): AccountAfter {
  const { all, mapped, carryOut } = draftsOf(kinds, live, plan);
  const moves = plan.actions.flatMap(action => carryOut(action));
  const objects = settled(kinds, [...all.values()], mapped);
  return { objects, moved: moves.map(move => movedSet(move, all)) };
}

function movedSet({ mover, set, at }: Move, drafts: ReadonlyMap<string, Draft>): MovedSet {
  const { kind } = at.object;
  const keys = [at, drafts.get(set) ?? at].map(({ object }) => object.key);
  const names = at.id === undefined ? keys : [...keys, idKey(at.id)];
  return { mover, names: [...new Set(names)].map(name => `${kind} ${name}`) };
}

// The drafts as objects of a state. Keys of nested objects contain the names of their parents.
// Every reference is a key.
function settled(
  kinds: KindTable,
  drafts: readonly Draft[],
  mapped: MapReferences,
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
