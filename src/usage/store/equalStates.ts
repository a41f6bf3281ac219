// Finds states of an account that are the same for a flow: an account changes whenever a machine joins, but that machine hardly matters to
// other flows. Only the first of these states is examined for the flow, so that few flows have many states.
import { groupsOf } from '../../access/admitted/groupsOf.ts';
import type { AccessState, Group, Policy, Servers, Side } from '../../access/state/accessState.ts';
import type { Endpoint } from '../observed.ts';

/** The first of the states that are the same for flows between two ends, given the position of a state. */
export type FirstEqual = (source: Endpoint, destination: Endpoint, place: number) => number;

/** Compares states, oldest first. Parts of states are equal only if they are the same object. */
export function equalStates(states: readonly AccessState[]): FirstEqual {
  /** The positions of changes that may matter to every flow. */
  const wholes: number[] = [];
  /** The positions of changes to the members of groups that routes or routers name: the machines behind an address. */
  const routers: number[] = [];
  /** By the id of a machine, the positions of changes to it or its groups. */
  const machines = new Places();
  const policies = new ChangedPolicies();
  for (const [place, state] of states.entries()) {
    const before = states[place - 1];
    if (before === undefined) continue;
    const changed = differs(before, state) ? 'all' : policyChanges(before, state);
    if (changed === 'all') {
      wholes.push(place);
      continue;
    }
    for (const id of changedMachines(before, state)) machines.add(id, place);
    for (const change of changed) policies.add(change, place);
    if (hasChangedServers(before, state)) routers.push(place);
  }
  const of = (end: Endpoint): readonly number[] =>
    end.type === 'machine' ? machines.of(end.id) : routers;
  return (source, destination, place) =>
    Math.max(
      lastUpTo(wholes, place),
      lastUpTo(of(source), place),
      lastUpTo(of(destination), place),
      policies.lastUpTo(source, destination, place),
    );
}

/** Lists of positions in ascending order, by a text. */
class Places {
  readonly #all = new Map<string, number[]>();

  add(name: string, place: number): void {
    const places = this.#all.get(name);
    if (places === undefined) this.#all.set(name, [place]);
    else if (places.at(-1) !== place) places.push(place);
  }

  of(name: string): readonly number[] {
    return this.#all.get(name) ?? NOWHERE;
  }
}

const NOWHERE: readonly number[] = [];

/** The machines on the two sides of a rule of a policy that changed, by their ids. */
interface RuleSides {
  readonly sources: ReadonlySet<string>;
  readonly destinations: ReadonlySet<string>;
}

/** The positions of policy changes that matter to two machines: a rule admits or refuses traffic only between its two sides. */
class ChangedPolicies {
  readonly #places: number[] = [];
  readonly #asSource = new Map<string, Set<number>>();
  readonly #asDestination = new Map<string, Set<number>>();
  readonly #ofMachine = new Places();
  readonly #pairs = new Map<string, Map<string, readonly number[]>>();

  add({ sources, destinations }: RuleSides, place: number): void {
    const number = this.#places.push(place) - 1;
    for (const id of sources) note(this.#asSource, id, number);
    for (const id of destinations) note(this.#asDestination, id, number);
    for (const id of sources.union(destinations)) this.#ofMachine.add(id, place);
  }

  /** The last change up to a position; 0 if there is none. */
  lastUpTo(source: Endpoint, destination: Endpoint, place: number): number {
    if (source.type === 'machine' && destination.type === 'machine')
      return lastUpTo(this.#ofPair(source.id, destination.id), place);
    // The groups that a rule names for addresses behind a routing machine are not considered.
    const ofEnd = (end: Endpoint): number =>
      end.type === 'machine' ? lastUpTo(this.#ofMachine.of(end.id), place) : 0;
    return Math.max(ofEnd(source), ofEnd(destination));
  }

  #ofPair(source: string, destination: string): readonly number[] {
    const known = this.#pairs.get(source) ?? new Map<string, readonly number[]>();
    this.#pairs.set(source, known);
    const found =
      known.get(destination) ??
      [
        ...new Set([...this.#between(source, destination), ...this.#between(destination, source)]),
      ].sort((one, other) => one - other);
    known.set(destination, found);
    return found;
  }

  #between(source: string, destination: string): readonly number[] {
    const others = this.#asDestination.get(destination);
    const own = this.#asSource.get(source);
    if (own === undefined || others === undefined) return NOWHERE;
    return [...own].flatMap(number => (others.has(number) ? (this.#places[number] ?? []) : []));
  }
}

function note(all: Map<string, Set<number>>, id: string, number: number): void {
  const numbers = all.get(id);
  if (numbers) numbers.add(number);
  else all.set(id, new Set([number]));
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
 * The rules of the policies that changed, by the machines on their sides. A policy affects no other
 * machines, unless it concerns a routing machine: the policy may give that machine groups, to which
 * rules of other policies apply.
 */
function policyChanges(one: AccessState, other: AccessState): readonly RuleSides[] | 'all' {
  const rules = changedPolicies(one, other).flatMap(policy => policy.rules);
  if (rules.length === 0) return [];
  const found: RuleSides[] = [];
  for (const state of [one, other]) {
    const { isAbout, idsOf } = sidesIn(state);
    for (const { source, destination } of rules) {
      if (isAbout(source) || isAbout(destination)) return 'all';
      found.push({ sources: idsOf(source), destinations: idsOf(destination) });
    }
  }
  return found;
}

function sidesIn(state: AccessState) {
  const groups = new Map(state.groups.map(group => [group.key, group]));
  const ids = new Map(state.machines.map(({ key, id }) => [key, id ?? key]));
  const membersOf = (some: readonly string[]) =>
    some.flatMap(name => groups.get(name)?.machines ?? []);
  const machinesOf = (side: Side): readonly string[] => [
    ...membersOf(groupsOf(side)),
    ...(side.type === 'machine' ? [side.machine] : []),
  ];
  const routing = new Set(
    serversIn(state).flatMap(({ machine, groups: by }) => [
      ...membersOf(by),
      ...(machine === undefined ? [] : [machine]),
    ]),
  );
  return {
    /** Whether a side includes all machines, or a routing machine. */
    isAbout: (side: Side): boolean =>
      groupsOf(side).some(name => groups.get(name)?.isAll) ||
      machinesOf(side).some(key => routing.has(key)),
    idsOf: (side: Side): ReadonlySet<string> =>
      new Set(machinesOf(side).map(key => ids.get(key) ?? key)),
  };
}

// Both versions of the policies that changed, or whose posture checks changed.
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
