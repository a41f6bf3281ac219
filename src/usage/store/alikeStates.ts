// States of an account that are the same for a flow: an account changes whenever a machine joins, but hardly any flow has to do with that
// machine. Of states that are the same for it, a flow is put to the first, so that flows of many states are few.
import { groupsOf } from '../../access/admitted/groupsOf.ts';
import type { AccessState, Group, Policy, Servers } from '../../access/state/accessState.ts';
import type { Endpoint } from '../observed.ts';

/** The first of the states that are the same for flows between two ends, by the position of a state. */
export type FirstAlike = (source: Endpoint, destination: Endpoint, place: number) => number;

/** Compares states, oldest first, whose equal parts are the same objects. */
export function alikeStates(states: readonly AccessState[]): FirstAlike {
  /** Where something changed that may matter to every flow. */
  const wholes: number[] = [];
  /** Where members of a group that routes or routers name changed: who stands behind an address. */
  const routers: number[] = [];
  /** By the id of a machine, where it, its groups or policies about it changed. */
  const machines = new Map<string, number[]>();
  for (const [place, state] of states.entries()) {
    const before = states[place - 1];
    if (before === undefined) continue;
    const concerned = differs(before, state) ? 'all' : concernedByPolicies(before, state);
    if (concerned === 'all') {
      wholes.push(place);
      continue;
    }
    for (const id of changedMachines(before, state).union(concerned)) {
      const places = machines.get(id);
      if (places) places.push(place);
      else machines.set(id, [place]);
    }
    if (hasChangedServers(before, state)) routers.push(place);
  }
  const none: readonly number[] = [];
  const of = (end: Endpoint): readonly number[] =>
    end.type === 'machine' ? (machines.get(end.id) ?? none) : routers;
  return (source, destination, place) =>
    Math.max(
      lastUpTo(wholes, place),
      lastUpTo(of(source), place),
      lastUpTo(of(destination), place),
    );
}

// The last of these positions that is not after a position; 0 if there is none.
function lastUpTo(places: readonly number[], place: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return places[low - 1] ?? 0;
}

function differs(one: AccessState, other: AccessState): boolean {
  const isSame =
    one.networks === other.networks &&
    one.routes === other.routes &&
    one.zones === other.zones &&
    one.internetPorts === other.internetPorts &&
    one.blockedUsers === other.blockedUsers &&
    one.unread.size === other.unread.size &&
    one.groups.length === other.groups.length;
  return !isSame || one.groups.some((group, at) => !isSameGroup(group, other.groups[at]));
}

const isSameGroup = (one: Group, other: Group | undefined): boolean =>
  one === other || (one.key === other?.key && one.id === other.id && one.isAll === other.isAll);

/**
 * The ids of the machines that policies which changed are about. A policy admits or refuses nothing of other machines, unless it is about
 * a routing machine: that may get groups by it, and apply rules of other policies to these.
 */
function concernedByPolicies(one: AccessState, other: AccessState): ReadonlySet<string> | 'all' {
  const policies = changedPolicies(one, other);
  const concerned = new Set<string>();
  if (policies.length === 0) return concerned;
  for (const state of [one, other]) {
    const groups = new Map(state.groups.map(group => [group.key, group]));
    const ids = new Map(state.machines.map(({ key, id }) => [key, id ?? key]));
    const membersOf = (some: readonly string[]) =>
      some.flatMap(name => groups.get(name)?.machines ?? []);
    const sides = policies.flatMap(({ rules }) =>
      rules.flatMap(({ source, destination }) => [source, destination]),
    );
    const named = sides.flatMap(groupsOf);
    if (named.some(name => groups.get(name)?.isAll)) return 'all';
    const single = sides.flatMap(side => (side.type === 'machine' ? side.machine : []));
    const routing = new Set(
      serversIn(state).flatMap(({ machine, groups: by }) => [
        ...membersOf(by),
        ...(machine === undefined ? [] : [machine]),
      ]),
    );
    for (const key of [...membersOf([...new Set(named)]), ...single]) {
      if (routing.has(key)) return 'all';
      concerned.add(ids.get(key) ?? key);
    }
  }
  return concerned;
}

// Both versions of the policies that are not the same, or whose posture checks are not.
function changedPolicies(one: AccessState, other: AccessState): readonly Policy[] {
  if (one.policies === other.policies && one.checks === other.checks) return [];
  const checks = new Set(one.checks).symmetricDifference(new Set(other.checks));
  const names = new Set([...checks].map(({ key }) => key));
  const isKept = new Set(one.policies).intersection(new Set(other.policies));
  return [...new Set([...one.policies, ...other.policies])].filter(
    policy => !isKept.has(policy) || policy.checks.some(check => names.has(check)),
  );
}

const serversIn = ({ routes, networks }: AccessState): readonly Servers[] => [
  ...routes.map(({ servers }) => servers),
  ...networks.flatMap(({ routers }) => routers.map(({ servers }) => servers)),
];

function changedMachines(one: AccessState, other: AccessState): ReadonlySet<string> {
  const changed = new Set<string>();
  if (one.machines === other.machines && one.groups === other.groups) return changed;
  const ids = new Map([...one.machines, ...other.machines].map(({ key, id }) => [key, id ?? key]));
  const before = new Set(one.machines);
  const after = new Set(other.machines);
  for (const machine of one.machines)
    if (!after.has(machine)) changed.add(machine.id ?? machine.key);
  for (const machine of other.machines)
    if (!before.has(machine)) changed.add(machine.id ?? machine.key);
  for (const [at, group] of one.groups.entries()) {
    const next = other.groups[at];
    if (next === undefined || next === group) continue;
    for (const key of new Set(group.machines).symmetricDifference(new Set(next.machines)))
      changed.add(ids.get(key) ?? key);
  }
  return changed;
}

function hasChangedServers(one: AccessState, other: AccessState): boolean {
  if (one.groups === other.groups && one.machines === other.machines) return false;
  const servers = serversIn(other);
  const groups = new Set(servers.flatMap(server => server.groups));
  const machines = new Set(servers.flatMap(({ machine }) => machine ?? []));
  const isChanged = <T extends { readonly key: string }>(
    before: readonly T[],
    after: readonly T[],
    among: ReadonlySet<string>,
  ): boolean => {
    const known = new Set(before);
    return after.some(object => among.has(object.key) && !known.has(object));
  };
  return (
    isChanged(one.groups, other.groups, groups) ||
    isChanged(one.machines, other.machines, machines) ||
    isChanged(other.machines, one.machines, machines)
  );
}
