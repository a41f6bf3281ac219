// Which members of an account the callers of its services are, in states that are compared: a group of one name may have other
// members, and one of another name the same.
import { and, type Bits, bitsOf, minus, or, withoutOne } from '../sets/bits.ts';
import type { AccessState, InternetPort, Machine, Outsiders } from '../state/accessState.ts';
import { callersOf } from './callingMachines.ts';
import { groupsThere } from './groupsThere.ts';
import { indexesWhere, isToCome, membersOfGroups } from './membership.ts';

import { type Member, namesOf, type Positions, positionsAmong, rosterOf } from './roster.ts';

/** The members that callers may be, in states of one account. */
export interface CallerSets {
  readonly members: readonly Member[];
  /** Finds the members that callers of a port are in a state; undefined if they are not members, or all users, or unknown. */
  readonly of: (state: AccessState) => (port: Called) => Bits | undefined;
}

/** A port, by the machine that it is of. */
type Called = Pick<InternetPort, 'machine' | 'to'>;

/** The callers of states that are compared, and of states between them. */
export function callerSets(states: readonly AccessState[]): CallerSets {
  const { members, positions } = rosterOf(states);
  const known = new Map<AccessState, (port: Called) => Bits | undefined>();
  return {
    members,
    of: state => {
      const found =
        known.get(state) ??
        callersIn(
          state,
          positions[states.indexOf(state)] ?? positionsAmong(positions, state),
          members,
        );
      if (states.includes(state)) known.set(state, found);
      return found;
    },
  };
}

// What callers depend on, of a world whose policies are not compiled yet.
function callingWorld(state: AccessState, positions: Positions, members: readonly Member[]) {
  const machines = new Map<number, Machine>();
  for (const machine of state.machines) {
    const index = positions.machine.get(machine.key);
    if (index !== undefined) machines.set(index, machine);
  }
  const today = bitsOf(machines.keys());
  const awaiting = bitsOf(
    [...machines].flatMap(([index, { awaitsApproval }]) => (awaitsApproval ? [index] : [])),
  );
  const toCome = bitsOf(indexesWhere(members, isToCome));
  return {
    state,
    today,
    approved: or(toCome, minus(today, awaiting)),
    machineAt: (index: number) => machines.get(index),
    inGroups: membersOfGroups(state, positions, members),
  };
}

function callersIn(
  state: AccessState,
  positions: Positions,
  members: readonly Member[],
): (port: Called) => Bits | undefined {
  const world = callingWorld(state, positions, members);
  // Users sign in themselves: their machines and setup keys do not.
  const people = bitsOf(indexesWhere(members, ({ type }) => type === 'group' || type === 'user'));
  // A machine that a state does not have is of those that will join, and these are in every list of all machines.
  const absent = minus(
    bitsOf(indexesWhere(members, ({ type }) => type === 'machine')),
    world.today,
  );
  const all = new Set(state.groups.filter(({ isAll }) => isAll).flatMap(namesOf));
  const found = (to: Outsiders): Bits | undefined => {
    const { are, groups } = to;
    if (groups !== undefined && state.unread.has('groups')) return undefined;
    if (are === 'users')
      return groups === undefined
        ? undefined
        : and(world.inGroups(groupsThere(groups, state)), people);
    if (are !== 'machines') return undefined;
    const callers = callersOf(world, to);
    return groups === undefined || groups.some(group => all.has(group))
      ? or(callers, absent)
      : callers;
  };
  // Many services have the same callers.
  const known = new Map<string, Bits | undefined>();
  const membersFor = (to: Outsiders): Bits | undefined => {
    const name = JSON.stringify([to.are, to.groups ?? null, to.refusesBlocked ?? false]);
    if (!known.has(name)) known.set(name, found(to));
    return known.get(name);
  };
  return ({ machine, to }) => {
    const who = membersFor(to);
    const itself = positions.machine.get(machine);
    // A machine needs no service to reach itself.
    return who === undefined || itself === undefined ? who : withoutOne(who, itself);
  };
}
