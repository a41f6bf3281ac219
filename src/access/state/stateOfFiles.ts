// Converts declared objects to the state that the files alone describe. An object to which files
// refer without declaring it exists in the account, so the state contains it too: as a group
// without known machines, a machine without known facts, or a check that cannot be judged.
import type { Desired } from '../../model/object.ts';
import type { AccessState, Group, PostureCheck } from './accessState.ts';
import { ALL } from './groups.ts';
import type { StateObject } from './stateObject.ts';
import { stateOf, unseenMachine } from './stateOf.ts';
import { referencesOf } from './stateReferences.ts';

/** Converts declared objects to the form of the server. The server stores some objects in parts. */
export type AsServerStores = (objects: readonly Desired[]) => readonly Desired[];

const known = new WeakMap<AsServerStores, WeakMap<readonly Desired[], AccessState>>();

/** The state that these files describe, without an account. Cached, because lints, tests and comparisons need the same state. */
export function stateOfFiles(desired: readonly Desired[], asKept: AsServerStores): AccessState {
  const ofForm = known.get(asKept) ?? new WeakMap<readonly Desired[], AccessState>();
  known.set(asKept, ofForm);
  const found = ofForm.get(desired) ?? withReferenced(stateOf(objectsOfFiles(asKept(desired))));
  ofForm.set(desired, found);
  return found;
}

/**
 * For each declared policy, two states of the files: without the policy, and with the policy
 * disabled.
 */
export function* withoutEachPolicy(
  desired: readonly Desired[],
  asKept: AsServerStores,
): Generator<{ readonly policy: string; readonly states: readonly AccessState[] }> {
  for (const policy of desired.filter(({ kind }) => kind === 'policy')) {
    const others = desired.filter(object => object !== policy);
    const disabled = { ...policy, fields: { ...policy.fields, enabled: false } };
    const states = [others, [...others, disabled]].map(objects => stateOfFiles(objects, asKept));
    yield { policy: policy.key, states };
  }
}

/** Declared objects as objects of the state. Objects that the files only delete are left out. */
function objectsOfFiles(desired: readonly Desired[]): readonly StateObject[] {
  return desired
    .filter(({ lifecycle }) => lifecycle.delete !== true)
    .map(({ kind, key, parent, fields, lifecycle: { id } }) => ({
      kind,
      key,
      fields,
      ...(id !== undefined && { id }),
      ...(parent !== undefined && { parent }),
    }));
}

function withReferenced(state: AccessState): AccessState {
  const named = referencesOf(state);
  const machines = [...state.machines, ...missing(named.machines, state.machines, unseenMachine)];
  const everybody = machines.map(({ key }) => key);
  const groups = [
    ...state.groups,
    ...missing(new Set([...named.groups, ALL]), state.groups, unseenGroup),
  ];
  return {
    ...state,
    areRoutersAssumed: true,
    machines,
    groups: groups.map(group => (group.isAll ? { ...group, machines: everybody } : group)),
    checks: [...state.checks, ...missing(named.checks, state.checks, unseenCheck)],
  };
}

function missing<T>(
  named: ReadonlySet<string>,
  known: readonly { readonly key: string }[],
  make: (key: string) => T,
): T[] {
  const keys = new Set(known.map(({ key }) => key));
  return [...named].filter(key => !keys.has(key)).map(make);
}

const unseenGroup = (key: string): Group => ({ key, machines: [], isAll: key === ALL });
const unseenCheck = (key: string): PostureCheck => ({ key, checks: null });
