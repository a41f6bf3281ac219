// The states of an account while a plan is applied, one action after another. Objects are identified by id, those that the plan
// creates by a generated id, because names change during the apply.
import type { KindTable } from '../../kinds/kind.ts';
import { idInKey, idKey } from '../../model/key.ts';
import { type KindName, kindName, remoteId } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Plan, ShownAction } from '../../model/plan.ts';
import type { Draft } from '../plan/draft.ts';
import { draftsOf } from '../plan/drafts.ts';
import type { AccessState } from '../state/accessState.ts';
import { ACCESS_KINDS, familyOf, unreadParts } from '../state/ofLive.ts';
import type { StateObject } from '../state/stateObject.ts';
import { stateOf } from '../state/stateOf.ts';
import { changesBetween, type StateChange } from './stateChanges.ts';

/** A step that changes the state. */
export interface Step {
  /** The position of its action in the plan, counted from 1. */
  readonly position: number;
  readonly changes: readonly StateChange[];
}

/** The sequence of states of a plan, and the steps between them. */
export interface PlanStates {
  readonly states: readonly [AccessState, ...AccessState[]];
  readonly steps: readonly Step[];
}

/** The input of a replay. */
export interface Replayed {
  readonly kinds: KindTable;
  readonly live: readonly Live[];
  readonly unavailable: ReadonlyMap<KindName, string>;
  readonly plan: Plan;
}

/** The states of `actions`, which are the plan's actions in any order. Actions that change no access yield no state. */
export function planStates(
  { kinds, live, unavailable, plan }: Replayed,
  actions: readonly ShownAction[],
): PlanStates {
  const { all, mapped, carryOut } = draftsOf(kinds, live, plan);
  const created = new Set(
    actions.flatMap(({ verb, kind, key }) => (verb === 'create' ? [`${kind} ${key}`] : [])),
  );
  const toId = (kind: string, key: string) =>
    idInKey(key) === null && created.has(`${kind} ${key}`) ? newKey(key) : key;
  const known = new Map<Draft, StateObject>();
  const objectOf = (draft: Draft): StateObject => {
    const object = known.get(draft) ?? withIds(draft);
    known.set(draft, object);
    return object;
  };
  const withIds = ({ object, id, parentId }: Draft): StateObject => {
    const { kind, key, parent, fields, serverFields } = object;
    const own = id === undefined ? newKey(key) : idKey(id);
    const above = kinds.get(kindName(kind))?.parent;
    const home =
      parentId !== undefined
        ? idKey(parentId)
        : above && parent !== undefined
          ? toId(above, parent)
          : undefined;
    return {
      ...{ kind, key: own, id: idInKey(own) ?? own, fields: mapped(kind, fields, toId) },
      ...(serverFields && { serverFields }),
      ...(home !== undefined && { parent: home }),
    };
  };
  const unread = unreadParts(unavailable);
  const objects = (family: ReadonlySet<string>) =>
    [...all.values()].filter(({ object }) => family.has(object.kind)).map(objectOf);
  const states: [AccessState, ...AccessState[]] = [stateOf(objects(ACCESS_KINDS), unread)];
  const steps: Step[] = [];
  for (const [at, action] of actions.entries()) {
    const last = states.at(-1) ?? states[0];
    const kindsTouched = touchedBy(plan, action).filter(kind => ACCESS_KINDS.has(kind));
    carryOut(action);
    const state = { ...last };
    for (const kind of kindsTouched) {
      const family = familyOf(kind);
      Object.assign(state, family.lists(stateOf(objects(family.kinds))));
    }
    const changes = changesBetween(last, state);
    if (changes.length === 0) continue;
    states.push(state);
    steps.push({ position: at + 1, changes });
  }
  return { states, steps };
}

function touchedBy({ changes }: Plan, { verb, kind, address }: ShownAction): readonly string[] {
  if (verb !== 'delete') return [kind];
  const along = changes.filter(change => change.with === address).map(change => change.kind);
  return [...new Set([kind, ...along])];
}

const newKey = (key: string): string => idKey(remoteId(`new ${key}`));
