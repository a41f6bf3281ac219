// A world is an account state whose groups and rules are compiled to sets over one roster. Every
// question about reach is answered from a world.
import { understandsRanges } from '../posture/agentVersion.ts';
import { type Bits, bitsOf, has, isEmpty, minus, or } from '../sets/bits.ts';
import type {
  AccessState,
  Facts,
  InternetPort,
  Machine,
  Policy,
  Resource,
} from '../state/accessState.ts';
import type { Assumption } from './assumption.ts';
import { withCallers } from './callers.ts';
import { type CallerFacts, callersOf } from './callingMachines.ts';
import { type CompiledPolicy, compiledPolicies } from './compiledPolicies.ts';
import { servingIn } from './destinationNames.ts';
import { internetRules } from './internetRules.ts';
import { indexesWhere, isToCome, membersOfGroups } from './membership.ts';
import { type Names, namesOfStates, type ServedState } from './nameTargets.ts';
import { type Verdicts, verdictsIn } from './postureVerdicts.ts';
import { resourcePoliciesIn } from './resourcePolicies.ts';
import { type Member, type Positions, positionsAmong, rosterOf } from './roster.ts';
import { type Sides, sidesOf } from './rulesOfMember.ts';
import { type SiteOf, sitesBetween, sitesOf } from './sites.ts';

export interface World {
  readonly state: AccessState;
  readonly members: readonly Member[];
  readonly positions: Positions;
  readonly siteOf: SiteOf;
  readonly names: Names;
  readonly size: number;
  /** The members that exist in this state. The others exist only in another state of the comparison. */
  readonly present: Bits;
  /** The current machines. */
  readonly today: Bits;
  /** Current machines that are approved, and all future members. */
  readonly approved: Bits;
  readonly awaiting: Bits;
  /** The machines whose login has expired. They reach nothing, and nobody reaches them. */
  readonly loggedOut: Bits;
  /** Current machines that are approved and logged in, and all future members. */
  readonly connected: Bits;
  /** The internet and other outsiders, which are neither machines nor future members; empty if no port is open to them. */
  readonly internet: Bits;
  /** The members that can receive port ranges. */
  readonly takesRanges: Bits;
  /** The current machine with this index. */
  readonly machineAt: (index: number) => Machine | undefined;
  /** The facts about a member; undefined for future members. */
  readonly factsAt: (index: number) => Facts;
  /** The index of a current machine. */
  readonly machineOf: (key: string) => number | undefined;
  /** The members of groups, including future members. */
  readonly inGroups: (groups: readonly string[]) => Bits;
  /** All policies, including disabled ones. */
  readonly policies: readonly CompiledPolicy[];
  /** The ports that are open to the internet, as rules outside policies. */
  readonly internetRules: readonly CompiledPolicy[];
  readonly sides: Sides;
  /** The policies that concern a network resource. */
  readonly resourcePolicies: (resource: Resource) => readonly CompiledPolicy[];
  readonly verdicts: Verdicts;
}

/** Compiles a single state. */
export function worldOf(state: AccessState): World {
  const [world] = worldsOf([state]);
  return world as World;
}

/** Compiles states that are compared with each other. */
export function worldsOf(given: readonly AccessState[]): readonly World[] {
  const states = given.map(withCallers(given));
  const roster = rosterOf(states);
  const sites = sitesOf(states);
  const served = states.map((state, at) => servedIn(state, sites[at] as SiteOf));
  const namesIn = namesOfStates([served[0], served.at(-1)] as [ServedState, ServedState]);
  return states.map((state, at) => ({
    ...compiled(state, roster.members, roster.positions[at] as Positions),
    siteOf: sites[at] as SiteOf,
    names: namesIn(served[at] as ServedState),
  }));
}

const servedIn = (state: AccessState, siteOf: SiteOf): ServedState => ({
  state,
  servingOf: servingIn(state, siteOf),
});

/**
 * Compiles intermediate states. Each object of an intermediate state exists, by id, in the first or
 * the last state.
 */
export interface Frame {
  readonly first: World;
  readonly last: World;
  readonly between: (state: AccessState) => World;
}

/**
 * Compiles two states, and prepares the compilation of all intermediate states. `isOpen`: whether
 * one of these may be open to the internet.
 */
export function frameOf(first: AccessState, last: AccessState, isOpen = false): Frame {
  const called = withCallers([first, last]);
  const ends = [called(first), called(last)] as const;
  const roster = rosterOf(ends, isOpen);
  const sites = sitesOf(ends);
  const served = ends.map((state, at) => servedIn(state, sites[at] as SiteOf));
  const namesIn = namesOfStates(served as [ServedState, ServedState]);
  const [one, other] = ends.map((state, at) => ({
    ...compiled(state, roster.members, roster.positions[at] as Positions),
    siteOf: sites[at] as SiteOf,
    names: namesIn(served[at] as ServedState),
  }));
  const siteOf = sitesBetween(first, last);
  return {
    first: one as World,
    last: other as World,
    between: given => {
      const state = called(given);
      return {
        ...compiled(state, roster.members, positionsAmong(roster.positions, state)),
        siteOf,
        names: namesIn(servedIn(state, siteOf)),
      };
    },
  };
}

function compiled(
  state: AccessState,
  members: readonly Member[],
  positions: Positions,
): Omit<World, 'siteOf' | 'names'> {
  const size = members.length;
  const machines = machinesByIndex(state, positions, size);
  const isAwaiting = (index: number) => machines[index]?.awaitsApproval === true;
  const today = bitsOf(indexesWhere(machines, machine => machine !== undefined));
  const awaiting = bitsOf([...machines.keys()].filter(isAwaiting));
  const loggedOut = bitsOf(indexesWhere(machines, machine => machine?.isLoginExpired === true));
  const toCome = bitsOf(indexesWhere(members, isToCome));
  const approved = or(toCome, minus(today, awaiting));
  const factsAt = (index: number): Facts => machines[index]?.facts ?? NO_FACTS;
  const base = {
    state,
    members,
    positions,
    size,
    present: bitsOf(Object.values(positions).flatMap(indexes => [...indexes.values()])),
    today,
    awaiting,
    loggedOut,
    factsAt,
    approved,
    connected: minus(approved, loggedOut),
    takesRanges: bitsOf(
      indexesWhere(members, (_, index) => understandsRanges(machines[index]?.facts ?? {})),
    ),
    machineAt: (index: number) => machines[index],
    machineOf: (key: string) => positions.machine.get(key),
    inGroups: membersOfGroups(state, positions, members),
  };
  const policies = compiledPolicies(state.policies, base);
  const ofInternet = internetRulesOf(base, policies);
  return {
    ...base,
    policies,
    internetRules: ofInternet,
    internet: bitsOf(indexesWhere(members, ({ type }) => type === 'internet')),
    sides: sidesOf([...policies, ...ofInternet], size),
    resourcePolicies: resourcePoliciesIn(policies),
    verdicts: verdictsIn(base),
  };
}

function internetRulesOf(
  world: CallerFacts & Pick<World, 'members' | 'machineOf'>,
  policies: World['policies'],
): World['internetRules'] {
  const { state, members } = world;
  const outsiders = new Map(
    members.flatMap(({ type, key }, index) => (type === 'internet' ? [[key, index]] : [])),
  );
  return internetRules(state, {
    machineOf: world.machineOf,
    outsider: (name: string) => outsiders.get(name),
    // Future machines are assumed for every group, unless the limits for callers exclude the
    // addresses of these machines.
    areNobody: to =>
      state.overlay !== undefined && to.are === 'machines' && isEmpty(callersOf(world, to)),
    number: policies.reduce((count, { rules }) => count + rules.length, 0),
  });
}

const NO_FACTS: Facts = {};

/** The same compiled state, under an assumption about some of its members. */
export function assuming(world: World, assumption: Assumption): World {
  const { state, size } = world;
  const { facts, members } = assumption;
  const factsAt = (index: number): Facts => ({
    ...world.factsAt(index),
    ...(facts && has(members, index) && facts),
  });
  return { ...world, factsAt, verdicts: verdictsIn({ state, size, factsAt }, assumption) };
}

/** The same compiled state, without the policies that `isLeftOut` selects. */
export function withoutPolicies(world: World, isLeftOut: (policy: Policy) => boolean): World {
  const policies = world.policies.filter(({ policy }) => !isLeftOut(policy));
  if (policies.length === world.policies.length) return world;
  return {
    ...world,
    state: { ...world.state, policies: policies.map(({ policy }) => policy) },
    policies,
    sides: sidesOf([...policies, ...world.internetRules], world.size),
    resourcePolicies: resourcePoliciesIn(policies),
  };
}

/** The same compiled state, without the access that some of its ports open. */
export function withoutPorts(world: World, isLeftOut: (port: InternetPort) => boolean): World {
  const internet = world.internetRules.filter(({ rules }) =>
    rules.every(({ internetPort }) => internetPort === undefined || !isLeftOut(internetPort)),
  );
  if (internet.length === world.internetRules.length) return world;
  return {
    ...world,
    internetRules: internet,
    sides: sidesOf([...world.policies, ...internet], world.size),
  };
}

function machinesByIndex(
  state: AccessState,
  positions: Positions,
  size: number,
): readonly (Machine | undefined)[] {
  const machines: (Machine | undefined)[] = new Array<Machine | undefined>(size).fill(undefined);
  for (const machine of state.machines) {
    const index = positions.machine.get(machine.key);
    if (index !== undefined) machines[index] = machine;
  }
  return machines;
}
