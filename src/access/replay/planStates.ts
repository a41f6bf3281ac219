// The states of an account while a plan is applied, one action after another. Objects are identified by id, because names change
// during the apply. Objects that the plan creates have a generated id.
import type { KindTable } from '../../kinds/kind.ts';
import { idInKey, idKey } from '../../model/key.ts';
import { type KindName, kindName, remoteId } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Plan, ShownAction } from '../../model/plan.ts';
import { changesBetween, type StateChange } from '../diff/stateChanges.ts';
import type { Draft } from '../plan/draft.ts';
import { draftsOf, type MapReferences } from '../plan/drafts.ts';
import type { AccessState, Named } from '../state/accessState.ts';
import { withRenewedLogins } from '../state/logins.ts';
import type { StateObject } from '../state/stateObject.ts';
import { stateOf } from '../state/stateOf.ts';
import { type Family, familyOf, STATE_KINDS, unreadParts } from '../state/stateOfLive.ts';
import { type ObjectTrees, objectTreesOf } from './objectTrees.ts';

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

/**
 * The states for `actions`, which are the plan's actions in any order. An action that does not
 * change access yields no state.
 */
export function planStates(
  { kinds, live, unavailable, plan }: Replayed,
  actions: readonly ShownAction[],
): PlanStates {
  const { all, mapped, carryOut, takeTouched } = draftsOf(kinds, live, plan);
  const created = new Set(
    actions.flatMap(({ verb, kind, key }) => (verb === 'create' ? [`${kind} ${key}`] : [])),
  );
  const toId = (kind: string, key: string) =>
    idInKey(key) === null && created.has(`${kind} ${key}`) ? newKey(key) : key;
  const objectOf = stateObjects(kinds, { mapped, toId });
  const unread = unreadParts(unavailable);
  const objects = (family: ReadonlySet<string>) =>
    [...all.values()].filter(({ object }) => family.has(object.kind)).map(objectOf);
  const states: [AccessState, ...AccessState[]] = [plannedState(objects(STATE_KINDS), unread)];
  const steps: Step[] = [];
  const trees = objectTreesOf(all, objectOf);
  for (const [at, action] of actions.entries()) {
    const last = states.at(-1) ?? states[0];
    const kindsTouched = touchedBy(plan, action).filter(kind => STATE_KINDS.has(kind));
    carryOut(action);
    const keys = trees.touch(takeTouched());
    const families = new Set(kindsTouched.map(familyOf));
    const { state, changes } = next(last, families, { keys, trees, objects, unread });
    if (changes.length === 0) continue;
    states.push(state);
    steps.push({ position: at + 1, changes });
  }
  return { states, steps };
}

const plannedState = (
  objects: readonly StateObject[],
  unread: AccessState['unread'],
): AccessState => withRenewedLogins(stateOf(objects, unread));

interface References {
  readonly mapped: MapReferences;
  /**
   * Returns the key of a referenced object: the key as written, or the generated key if the plan
   * creates the object.
   */
  readonly toId: (kind: string, key: string) => string;
}

/**
 * Returns a function that converts a draft to its object, with ids as references. Each object is
 * created only once.
 */
function stateObjects(
  kinds: KindTable,
  { mapped, toId }: References,
): (draft: Draft) => StateObject {
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
      kind,
      key: own,
      id: idInKey(own) ?? own,
      fields: mapped(kind, fields, toId),
      ...(serverFields && { serverFields }),
      ...(home !== undefined && { parent: home }),
    };
  };
  const known = new Map<Draft, StateObject>();
  return draft => {
    const object = known.get(draft) ?? withIds(draft);
    known.set(draft, object);
    return object;
  };
}

/** The objects of an account after an action. */
interface Account {
  readonly objects: (kinds: ReadonlySet<string>) => readonly StateObject[];
  readonly trees: ObjectTrees;
  readonly unread: AccessState['unread'];
  /** The keys of the trees that the action touched. */
  readonly keys: ReadonlySet<string>;
}

// The next state. The lists of these families are computed again from the account. The differences
// from the previous state are returned too. Objects in other trees are the same objects, so they
// are not compared.
function next(
  last: AccessState,
  families: Iterable<Family>,
  { objects, trees, keys, unread }: Account,
): { readonly state: AccessState; readonly changes: readonly StateChange[] } {
  const state = { ...last };
  const was = { ...last };
  const is = { ...last };
  for (const { kinds, lists, nested } of families) {
    if (nested === undefined) {
      const fresh = lists(plannedState(objects(kinds), unread));
      for (const one of [state, is]) Object.assign(one, fresh);
    } else {
      const part = stateOf(
        trees.objectsIn(keys).filter(({ kind }) => kinds.has(kind)),
        unread,
      );
      Object.assign(state, { [nested]: replaced<Named>(last[nested], keys, part[nested]) });
      Object.assign(was, { [nested]: last[nested].filter(({ key }) => keys.has(key)) });
      Object.assign(is, { [nested]: part[nested] });
    }
  }
  return { state, changes: changesBetween(was, is) };
}

// The list, with fresh objects in place of the objects with these keys. New objects are appended.
function replaced<T extends Named>(
  list: readonly T[],
  keys: ReadonlySet<string>,
  fresh: readonly T[],
): readonly T[] {
  const left = new Map(fresh.map(one => [one.key, one]));
  const kept = list.flatMap(one => {
    if (!keys.has(one.key)) return [one];
    const now = left.get(one.key);
    left.delete(one.key);
    return now ?? [];
  });
  return [...kept, ...left.values()];
}

function touchedBy({ changes }: Plan, { verb, kind, address }: ShownAction): readonly string[] {
  if (verb !== 'delete') return kind === RENAMING ? [kind, 'peer'] : [kind];
  const along = changes.filter(change => change.with === address).map(change => change.kind);
  return [...new Set([kind, ...along])];
}

/** The kind whose settings determine the DNS name and the address of every machine. */
const RENAMING = 'account_settings';

const newKey = (key: string): string => idKey(remoteId(`new ${key}`));
