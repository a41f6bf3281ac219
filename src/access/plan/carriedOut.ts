// The objects of an account as they are once a plan is carried out, on paper.
import type { KindTable } from '../../kinds/kind.ts';
import { idInKey, keyOf, segmentsOf } from '../../model/key.ts';
import { kindName } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import type { StateObject } from '../state/stateObject.ts';
import { type Draft, draftsOf, type MapPointers } from './drafts.ts';

/** The account after the actions of a plan. Pointers are keys of that state. */
export function objectsAfter(
  kinds: KindTable,
  live: readonly Live[],
  plan: Pick<Plan, 'actions' | 'changes' | 'pins'>,
): readonly StateObject[] {
  const { all, mapped, carryOut } = draftsOf(kinds, live, plan);
  for (const action of plan.actions) carryOut(action);
  return settled(kinds, [...all.values()], mapped);
}

// Names of parents are part of the keys of what nests in them, and every pointer to an object is its key.
function settled(
  kinds: KindTable,
  drafts: readonly Draft[],
  mapped: MapPointers,
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
