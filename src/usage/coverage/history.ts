// The history of one state in a window: the time since which each of its objects has been as it is now.
import { gaveTraffic, groupsSince, type PlacedRule } from '../../access/admitted/existence.ts';
import type { AccessState, Named } from '../../access/state/accessState.ts';
import { sameObjects, samePosition } from '../attribution/sameObjects.ts';
import type { Observed, Time } from '../observed.ts';

/**
 * The time since which an object has existed without a break: null if the last state does not have it, undefined if it existed
 * throughout.
 */
export type Since = Time | null | undefined;

export interface History {
  readonly ruleSince: (rule: PlacedRule) => Since;
  readonly groupSince: (rule: PlacedRule, group: string) => Since;
  readonly machineSince: (id: string) => Since;
  readonly resourceSince: (id: string) => Since;
  readonly routeSince: (id: string) => Since;
}

/** The history of a state in a window. */
export function historyOf(observed: Observed, current: AccessState): History {
  const versions = statesWithin(observed).map(({ from, state }) => ({
    from,
    ...versionOf(state, current),
  }));
  const since = (holds: (version: (typeof versions)[number]) => boolean): Since => {
    const last = versions.findLastIndex(one => !holds(one));
    if (last < 0) return undefined;
    return versions[last + 1]?.from ?? null;
  };
  const known = <T>(of: (key: T) => Since) => remembered(of);
  return {
    ruleSince: known(rule =>
      since(({ formerOf }) => {
        const former = formerOf(rule);
        return former !== undefined && gaveTraffic(rule, former);
      }),
    ),
    groupSince: (rule, group) =>
      since(({ formerOf, groupThere }) => {
        const former = formerOf(rule);
        return former === undefined || !groupsSince(rule, former, groupThere).includes(group);
      }),
    machineSince: known(id => since(({ machines }) => machines.has(id))),
    resourceSince: known(id => since(({ resources }) => resources.has(id))),
    routeSince: known(id => since(({ routes }) => routes.has(id))),
  };
}

/** The states of the account at any time in the window. Earlier states are left out. */
export const statesWithin = ({ window, states }: Observed): Observed['states'] =>
  states.filter((_, at) => (states[at + 1]?.from ?? Infinity) > window.from);

function remembered<K>(of: (key: K) => Since): (key: K) => Since {
  const known = new Map<K, Since>();
  return key => {
    if (!known.has(key)) known.set(key, of(key));
    return known.get(key);
  };
}

/** Finds the objects of an earlier state that are the same as objects of the current state. */
export interface Former {
  /** The same group, by its key. */
  readonly groupThere: (group: string) => string | undefined;
  /** The same rule in its policy; undefined if the state did not have it. */
  readonly formerOf: (rule: PlacedRule) => PlacedRule | undefined;
}

/** Finds the rules and groups of `current` in an earlier state. */
export function formerIn(state: AccessState, current: AccessState): Former {
  const policies = sameObjects(current.policies, state.policies);
  const groups = sameObjects(current.groups, state.groups);
  return {
    groupThere: group => groups.get(group)?.key,
    formerOf: ({ policy, rule }) => {
      const former = policies.get(policy.key);
      const position = former && samePosition(rule, policy, former);
      const same = position === undefined ? undefined : former?.rules[position];
      return former && same ? { policy: former, rule: same } : undefined;
    },
  };
}

const versionOf = (state: AccessState, current: AccessState) => ({
  ...formerIn(state, current),
  machines: idsIn(state.machines),
  resources: idsIn(state.networks.flatMap(({ resources }) => resources)),
  routes: idsIn(state.routes),
});

const idsIn = (list: readonly Named[]): ReadonlySet<string> =>
  new Set(list.map(({ id, key }) => id ?? key));
