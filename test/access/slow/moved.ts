// What somebody reaches in one of two accounts only, under the same fates of everybody.
import type { Account } from './account.ts';
import { drawnWorlds, fatesIn, pairsOf, worldsOf } from './fates.ts';
import { type Limits, type Reached, slowReach } from './rows.ts';
import { everServing, type Fates, type Reading, worldOf } from './world.ts';

/** The readings of one account. */
export const BOUNDS = ['unconditional', 'certain', 'possible', 'granted'] as const;

export type Bound = (typeof BOUNDS)[number];

/** By source, destination and protocol: what the second account allows and the first does not, and the opposite. */
export interface Moved {
  opened: Map<string, Set<number>>;
  closed: Map<string, Set<number>>;
}

/** Under so many pairs of fates, and in so many worlds in which everybody has one of their own. */
export function movedUnder(before: Account, after: Account, most: number): Moved {
  const both = [before, after];
  const fates = fatesIn(both);
  const worlds = fates.length > 1 ? drawnWorlds(fates, most) : [];
  return movedIn(both, [...pairsOf(fates, most), ...worlds]);
}

/** Between one source and one destination, under everything that matters to them. */
export function movedExactly(
  before: Account,
  after: Account,
  [source, target]: readonly [string, string],
): Moved {
  const both = [before, after];
  const fates = fatesIn(both);
  const names = [...new Set([source, ...serversOf(both, target)])];
  const limits = {
    isSource: (name: string) => name === source,
    isTarget: (name: string) => withoutPart(name) === withoutPart(target),
  };
  return movedIn(
    both,
    [...pairsOf(fates, Infinity), ...worldsOf(fates, names, MOST_WORLDS)],
    limits,
  );
}

/** A destination for all machines, of one for a part of them: `route r0 192.0.2.9`, of `route r0 192.0.2.9#hidden-open`. */
export const withoutPart = (name: string): string => name.replace(/#\w+-\w+/, '');

const MOST_WORLDS = 4_096;

function movedIn(both: readonly Account[], all: readonly Fates[], limits?: Limits): Moved {
  const moved: Moved = { opened: new Map(), closed: new Map() };
  for (const fates of all) {
    const [was, is] = both.map(account => slowReach(account, fates, both, limits));
    if (!was || !is) continue;
    addBeyond(moved.opened, is, was);
    addBeyond(moved.closed, was, is);
  }
  return moved;
}

function addBeyond(found: Map<string, Set<number>>, one: Reached, other: Reached): void {
  for (const [name, ports] of one)
    for (const port of ports.difference(other.get(name) ?? new Set()))
      found.set(name, (found.get(name) ?? new Set()).add(port));
}

/** Everybody who serves what is at a destination, in any of some accounts. */
export function serversOf(accounts: readonly Account[], target: string): string[] {
  const [, name = '', address = ''] = target.split(' ');
  return accounts.flatMap(account => {
    const world = worldOf(account, 'seen', accounts);
    const served = target.startsWith('route')
      ? account.routes.filter(({ network_id }) => network_id === name)
      : account.networks.filter(({ id }) => id === name).flatMap(({ routers }) => routers);
    return address === ''
      ? []
      : served.flatMap(one => everServing(world, one).map(who => who.name));
  });
}

/** The bounds that are about rules: what they allow counts also where nobody routes yet. */
const OF_RULES: ReadonlySet<Bound> = new Set(['unconditional', 'granted']);

/** Who reaches what under a bound of a comparison, beside another account. */
export const comparedIn = (account: Account, bound: Bound, both: readonly Account[]): Reached =>
  boundIn(OF_RULES.has(bound) ? { ...account, isRouted: true } : account, bound, both);

/**
 * Who reaches what under a bound, beside another account. The posture of a machine that awaits approval counts as passed: where only
 * one of the accounts has it awaiting, nothing is free of conditions that is not certain.
 */
export function boundIn(account: Account, bound: Bound, both: readonly Account[]): Reached {
  const reach = slowReach(account, bound as Reading, both);
  if (bound !== 'unconditional') return reach;
  const awaiting = (one: Account | undefined) =>
    new Set((one?.peers ?? []).filter(peer => peer.approval_required).map(({ id }) => id));
  const [one, other] = both.map(awaiting);
  const flipped = (one ?? new Set()).symmetricDifference(other ?? new Set());
  if (flipped.size === 0) return reach;
  const certain = slowReach(account, 'certain', both);
  const isFlipped = (name: string) =>
    flipped.has(name.replace(/^machine (\S+) > .*$/, '$1')) && name.startsWith('machine ');
  const names = new Set([...reach.keys(), ...certain.keys()]);
  return new Map(
    [...names].map(name => [name, (isFlipped(name) ? certain : reach).get(name) ?? new Set()]),
  );
}
