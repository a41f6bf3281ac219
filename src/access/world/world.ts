// A state whose groups and rules are sets over one roster: what every question about reach is answered from.
import { understandsRanges } from '../posture/agentVersion.ts';
import { add, type Bits, bitsOf, has, minus, noBits, or, orInto } from '../sets/bits.ts';
import type { AccessState, Facts, Machine, Resource } from '../state/accessState.ts';
import type { Assumption } from './assumption.ts';
import { concerningIn } from './concerning.ts';
import { type CompiledPolicy, compiledPolicies } from './policies.ts';
import { type Member, matched, namesOf, type Places, placesAmong, rosterOf } from './roster.ts';
import { type Sides, sidesOf } from './sides.ts';
import { type Verdicts, verdictsIn } from './verdicts.ts';

export interface World {
  readonly state: AccessState;
  readonly members: readonly Member[];
  readonly places: Places;
  /** A number for each network, by its key: the same number in all states that are compared. */
  readonly sites: ReadonlyMap<string, number>;
  readonly size: number;
  /** The machines that exist today. */
  readonly today: Bits;
  /** Machines of today that are approved, and all members to come. */
  readonly approved: Bits;
  readonly awaiting: Bits;
  /** Whoever can be sent port ranges. */
  readonly takesRanges: Bits;
  /** The machine of today with this index. */
  readonly machineAt: (index: number) => Machine | undefined;
  /** What is known about a member; nothing about members to come. */
  readonly factsAt: (index: number) => Facts;
  /** The index of a machine of today. */
  readonly machineOf: (key: string) => number | undefined;
  /** The members of groups, those to come too. */
  readonly inGroups: (groups: readonly string[]) => Bits;
  /** All policies, disabled ones too. */
  readonly policies: readonly CompiledPolicy[];
  readonly sides: Sides;
  /** The policies that concern a network resource. */
  readonly concerning: (resource: Resource) => readonly CompiledPolicy[];
  readonly verdicts: Verdicts;
}

/** The world of a state on its own. */
export function worldOf(state: AccessState, assumption?: Assumption): World {
  const [world] = worldsOf([state], assumption);
  return world as World;
}

/** The worlds of states that are compared with each other. */
export function worldsOf(
  states: readonly AccessState[],
  assumption?: Assumption,
): readonly World[] {
  const roster = rosterOf(states);
  const sites = matched(states.map(({ networks }) => networks)).indexes;
  return states.map((state, at) => ({
    ...compiled(state, roster.members, roster.places[at] as Places, assumption),
    sites: new Map(sites[at]),
  }));
}

/** Worlds of states in between: every object of theirs is one of the first or of the last state, by its id. */
export interface Frame {
  readonly first: World;
  readonly last: World;
  readonly between: (state: AccessState) => World;
}

/** The worlds of two states, and of all states on the way from one to the other. */
export function frameOf(first: AccessState, last: AccessState): Frame {
  const ends = [first, last];
  const roster = rosterOf(ends);
  const sites = matched(ends.map(({ networks }) => networks)).indexes.map(list => new Map(list));
  const [one, other] = ends.map((state, at) => ({
    ...compiled(state, roster.members, roster.places[at] as Places, undefined),
    sites: sites[at] ?? new Map<string, number>(),
  }));
  const known = new Map(sites.flatMap(map => [...map]));
  return {
    first: one as World,
    last: other as World,
    between: state => ({
      ...compiled(state, roster.members, placesAmong(roster.places, state), undefined),
      sites: known,
    }),
  };
}

function compiled(
  state: AccessState,
  members: readonly Member[],
  places: Places,
  assumption: Assumption | undefined,
): Omit<World, 'sites'> {
  const size = members.length;
  const machines = machinesByIndex(state, places, size);
  const membership = membershipOf(state, places, members, size);
  const isAwaiting = (index: number) => machines[index]?.awaitsApproval === true;
  const today = bitsOf(
    size,
    indexesWhere(machines, machine => machine !== undefined),
  );
  const awaiting = bitsOf(size, [...machines.keys()].filter(isAwaiting));
  const toCome = bitsOf(
    size,
    indexesWhere(members, ({ type }) => type !== 'machine'),
  );
  const factsAt = (index: number): Facts => ({
    ...machines[index]?.facts,
    ...(assumption?.facts && has(assumption.members, index) && assumption.facts),
  });
  const base = {
    ...{ state, members, places, size, today, awaiting, factsAt },
    approved: or(toCome, minus(today, awaiting)),
    takesRanges: bitsOf(
      size,
      indexesWhere(members, (_, index) => understandsRanges(machines[index]?.facts ?? {})),
    ),
    machineAt: (index: number) => machines[index],
    machineOf: (key: string) => places.machine.get(key),
    inGroups: unions(membership, size),
  };
  const policies = compiledPolicies(state.policies, base);
  return {
    ...base,
    policies,
    sides: sidesOf(policies, size),
    concerning: concerningIn(policies),
    verdicts: verdictsIn(base, assumption),
  };
}

function machinesByIndex(
  state: AccessState,
  places: Places,
  size: number,
): readonly (Machine | undefined)[] {
  const machines: (Machine | undefined)[] = new Array<Machine | undefined>(size).fill(undefined);
  for (const machine of state.machines) {
    const index = places.machine.get(machine.key);
    if (index !== undefined) machines[index] = machine;
  }
  return machines;
}

// Each group with its machines of today, whoever joins it alone, and whoever enrols into it. Everyone to come is in All, also
// those whose group, key or user another state has and this one has not.
function membershipOf(
  state: AccessState,
  places: Places,
  members: readonly Member[],
  size: number,
): ReadonlyMap<string, Bits> {
  const groups = new Map<string, Bits>();
  for (const group of state.groups) {
    const bits = noBits(size);
    for (const key of group.machines) addKnown(bits, places.machine.get(key));
    addKnown(bits, places.group.get(group.key));
    if (group.isAll) for (const at of indexesWhere(members, isToCome)) add(bits, at);
    for (const name of namesOf(group)) groups.set(name, bits);
  }
  for (const { by, key, groups: joined } of state.enrolments)
    for (const group of joined) {
      const bits = groups.get(group);
      if (bits) addKnown(bits, places[by].get(key));
    }
  return groups;
}

// Rules name the same few groups again and again.
function unions(
  groups: ReadonlyMap<string, Bits>,
  size: number,
): (keys: readonly string[]) => Bits {
  const known = new Map<string, Bits>();
  return keys => {
    const name = keys.toSorted().join('\n');
    const found = known.get(name);
    if (found) return found;
    const bits = noBits(size);
    for (const key of keys) {
      const group = groups.get(key);
      if (group) orInto(bits, group);
    }
    known.set(name, bits);
    return bits;
  };
}

const isToCome = ({ type }: Member): boolean => type !== 'machine';

function addKnown(bits: Bits, index: number | undefined): void {
  if (index !== undefined) add(bits, index);
}

function* indexesWhere<T>(
  list: readonly T[],
  holds: (item: T, index: number) => boolean,
): Generator<number> {
  for (const [index, item] of list.entries()) if (holds(item, index)) yield index;
}
