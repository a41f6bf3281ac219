// The members of an account that call its services, in states that are compared. Groups with the
// same name may have different members, and groups with different names may have the same members.
import { and, type Bits, bitsOf, minus, or, withoutOne } from '../sets/bits.ts';
import type { AccessState, InternetPort, Machine, Outsiders } from '../state/accessState.ts';
import { callersOf } from './callingMachines.ts';
import { existingGroups } from './existingGroups.ts';
import { indexesWhere, isToCome, membersOfGroups } from './membership.ts';

import { type Member, namesOf, type Positions, positionsAmong, rosterOf } from './roster.ts';

/** Finds the members that may be callers, in states of one account. */
export interface CallerSets {
  readonly members: readonly Member[];
  /**
   * Returns, for a state, a function that finds the members that may call a port. Its result is
   * undefined if the callers are not members, are all users, or are unknown.
   */
  readonly callersOf: (state: AccessState) => (port: Called) => Bits | undefined;
}

/** A port with its machine and its callers. */
type Called = Pick<InternetPort, 'machine' | 'to'>;

/** The callers in states that are compared, and in the states between them. */
export function callerSets(states: readonly AccessState[]): CallerSets {
  const { members, positions } = rosterOf(states);
  const known = new Map<AccessState, (port: Called) => Bits | undefined>();
  return {
    members,
    callersOf: state => {
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

// The facts on which callers depend, for a state whose policies are not compiled yet.
function callingWorld(state: AccessState, positions: Positions, members: readonly Member[]) {
  const machines = new Map<number, Machine>();
  for (const machine of state.machines) {
    const index = positions.machine.get(machine.key);
    if (index !== undefined) machines.set(index, machine);
  }
  const today = bitsOf(machines.keys());
  const disconnected = bitsOf(
    [...machines].flatMap(([index, { awaitsApproval, isLoginExpired }]) =>
      awaitsApproval || isLoginExpired ? [index] : [],
    ),
  );
  const toCome = bitsOf(indexesWhere(members, isToCome));
  return {
    state,
    today,
    connected: or(toCome, minus(today, disconnected)),
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
  // Users sign in themselves; machines and setup keys do not sign in.
  const people = bitsOf(indexesWhere(members, ({ type }) => type === 'group' || type === 'user'));
  // A machine that exists only in another state counts as a future machine, so every list of all
  // machines contains it.
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
        : and(world.inGroups(existingGroups(groups, state)), people);
    if (are !== 'machines') return undefined;
    const callers = callersOf(world, to);
    return groups === undefined || groups.some(group => all.has(group))
      ? or(callers, absent)
      : callers;
  };
  // Cached, because many services have the same callers.
  const known = new Map<string, Bits | undefined>();
  const membersFor = (to: Outsiders): Bits | undefined => {
    const name = JSON.stringify([to.are, to.groups ?? null, to.refusesBlocked ?? false]);
    if (!known.has(name)) known.set(name, found(to));
    return known.get(name);
  };
  return ({ machine, to }) => {
    const who = membersFor(to);
    const itself = positions.machine.get(machine);
    // A machine reaches itself without a service.
    return who === undefined || itself === undefined ? who : withoutOne(who, itself);
  };
}
