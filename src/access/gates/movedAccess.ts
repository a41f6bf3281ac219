// Access that some sources gain or lose at some destinations, for any way to evaluate posture.
import { flowText } from '../../model/access/accessFindings.ts';
import type { FindingMembers } from '../../model/access/accessGates.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import {
  addressesOf,
  overlayOf,
  ownTargetsOf,
  placesOf,
  targetsAround,
  targetsOf,
  targetsServing,
} from '../ask/destinations.ts';
import { detoursTo } from '../ask/detours.ts';
import { type MemberSetNamer, memberName, memberSetNamer } from '../ask/memberSetNames.ts';
import { callersAmongToday, callersToday, membersOf } from '../ask/members.ts';
import type { Selector } from '../ask/selector.ts';
import { responsibleRules } from '../diff/responsible.ts';
import { READINGS, targetRows } from '../diff/targetRows.ts';
import type { Reaches } from '../flows/reaches.ts';
import { routedTargets, type Target, wholeTargetsOf } from '../flows/targets.ts';
import {
  add,
  and,
  type Bits,
  count,
  has,
  indexesIn,
  intersect,
  isEmpty,
  minus,
  noBits,
  or,
  orInto,
  textOf,
  withoutOne,
} from '../sets/bits.ts';
import { distanceWithin } from '../world/address.ts';
import type { World } from '../world/world.ts';
import { movedSources } from './movedSources.ts';
import { namesOfOne } from './sameObject.ts';

/** Two states of one account with the same roster. */
export interface States {
  readonly before: Reaches;
  readonly after: Reaches;
  /**
   * Returns the selector with an id, if the object that it denoted when it was applied has another
   * name now.
   */
  readonly meant?: (selector: Selector) => Selector;
}

type Side = 'gained' | 'lost';

/** Access that some sources gain or lose at a destination. */
interface Moved extends Sides, FindingMembers {
  readonly sources: Bits;
  readonly targets: readonly [Target, ...Target[]];
  /**
   * The number of pairs of a current machine and a destination. The internet counts as one machine, and callers of services count
   * as the machines that they have now.
   */
  readonly pairs: number;
  /** Descriptions of how these destinations lead to the queried target. */
  readonly detours: readonly string[];
}

/** The gained or lost access to `to`, limited to sources in `from` if given. */
export function movedAccess(
  states: States,
  side: Side,
  { from, to }: { readonly from?: Selector | undefined; readonly to: Selector },
): readonly Moved[] {
  const { before, after } = states;
  const { world } = side === 'gained' ? after : before;
  const sources = from && either(states, from);
  const found = new Map<
    string,
    {
      readonly sources: Bits;
      readonly passing: Bits;
      readonly targets: [Target, ...Target[]];
      pairs: number;
    }
  >();
  const targets = [...(side === 'gained' ? targetsIn(states, to) : lostTargetsIn(states, to))];
  const movedOf = movedSources(states, side, targets, to.traffic);
  const readings = side === 'lost' && from !== undefined ? CONDITIONAL : READINGS;
  for (const target of targets) {
    if (target.type === 'machine' && responsibleRules(before, after, target.index) === '') continue;
    const rows = targetRows(before, after, target);
    const moved = movedOf(rows, readings);
    const some = sources === undefined ? moved : and(moved, sources);
    if (isEmpty(some)) continue;
    const passing = movedOf(rows, PASSING);
    const isThere = target.type !== 'machine' || has(world.today, target.index);
    const machines = count(and(some, world.today)) + outsidersAmong(world, some, target);
    const pairs = isThere ? machines : 0;
    const name = target.type === 'machine' ? textOf(some) : target.id;
    const same = found.get(name);
    if (same) {
      same.targets.push(target);
      same.pairs += pairs;
      orInto(same.passing, passing);
    } else found.set(name, { sources: some, passing, targets: [target], pairs });
  }
  const namer = memberSetNamer(world);
  const detours = detoursTo([before.world, after.world], to);
  return [...found.values()]
    .map(one => ({
      sources: one.sources,
      targets: one.targets,
      pairs: one.pairs,
      ...sidesOf(namer, one.sources, one.targets),
      ...membersOnBothSides(world, [one]),
      detours: detours(one.targets),
    }))
    .sort((one, other) => compareTexts(flowText(one), flowText(other)));
}

/** The members that stand for machines that enrol later. */
const JOINING: ReadonlySet<string> = new Set(['setup_key', 'user']);

/** The fields of a finding that list its members. */
export const membersIn = ({
  members,
  member_ids,
  joining,
  failing,
}: FindingMembers): FindingMembers => ({
  members,
  member_ids,
  ...(joining && { joining }),
  ...(failing && { failing }),
});

/** The current machines on both sides of gained or lost access, and the users and machines that may call through services. */
export function membersOnBothSides(
  world: World,
  moved: readonly {
    readonly sources: Bits;
    readonly targets: readonly Target[];
    /** The sources that certainly or possibly pass the posture checks; by default all sources. */
    readonly passing?: Bits;
  }[],
): FindingMembers {
  const found = noBits();
  const joining = noBits();
  const failing = noBits();
  for (const { sources, targets, passing = sources } of moved) {
    orInto(found, and(sources, world.today));
    orInto(joining, minus(sources, world.today));
    orInto(failing, minus(and(sources, world.today), passing));
    if (intersect(sources, world.internet)) orInto(found, callersAmongToday(world, sources));
    for (const target of targets)
      if (target.type === 'machine' && has(world.today, target.index)) add(found, target.index);
  }
  const named = [...indexesIn(found)]
    .map(index => ({ name: memberName(world, index), id: world.members[index]?.id }))
    .sort((one, other) => compareTexts(one.name, other.name));
  const isJoining = (index: number) => JOINING.has(world.members[index]?.type ?? '');
  const later = [...indexesIn(joining)].filter(isJoining);
  const namesOf = (indexes: Iterable<number>) =>
    [...indexes].map(index => memberName(world, index)).sort(compareTexts);
  return {
    ...(later.length > 0 && { joining: namesOf(later) }),
    ...(!isEmpty(failing) && { failing: namesOf(indexesIn(failing)) }),
    members: named.map(({ name }) => name),
    member_ids: Object.fromEntries(
      named.flatMap(({ name, id }) => (id === undefined ? [] : [[name, id]])),
    ),
  };
}

// Callers of services count as the current machines that may call. Accepting a gain therefore does
// not accept it for machines that join later.
function outsidersAmong(world: World, sources: Bits, target: Target): number {
  if (!intersect(sources, world.internet)) return 0;
  const callers = callersToday(world, sources);
  const others = target.type === 'machine' ? withoutOne(callers, target.index) : callers;
  return Math.max(1, count(others));
}

// A source that certainly passes a check keeps its access when the check is added. The comparison
// leaves out `unconditional`, which would show a loss.
const CONDITIONAL = READINGS.filter(reading => reading !== 'unconditional');

// The `Reading`s in which a posture check gives nothing to a source that fails it.
const PASSING = READINGS.filter(reading => reading !== 'granted');

function either(states: States, selector: Selector): Bits {
  const names = namesOfOne(states, selector);
  return [states.before, states.after]
    .flatMap(({ world }) => names.map(one => membersOf(world, one) ?? noBits()))
    .reduce(or);
}

// The targets in both states. The plan may change the members of a group, and an object may exist,
// or have its address, in only one of the states.
function targetsIn({ before, after }: States, selector: Selector): Iterable<Target> {
  const names = namesOfOne({ before, after }, selector);
  const worlds = [before.world, after.world];
  const addresses = worlds.flatMap(world => names.flatMap(one => addressesOf(world, one) ?? []));
  const named = worlds.map(world => names.flatMap(one => targetsOf(world, one) ?? []));
  const overlay = worlds.flatMap((world, at) => overlayOf(world, named[at] ?? []));
  return distinct(
    [before.world, after.world],
    worlds.flatMap((world, at) => [
      ...(named[at] ?? []),
      ...targetsAround(world, overlay),
      ...targetsServing(world, addresses),
      ...targetsInside(world, selector),
    ]),
  );
}

// The targets that a source can lose. A source that loses an exit node but still reaches the
// database behind it does not lose the database.
function lostTargetsIn(states: States, selector: Selector): Iterable<Target> {
  if (selector.type === 'address') return targetsIn(states, selector);
  const names = namesOfOne(states, selector);
  const worlds = [states.before.world, states.after.world] as const;
  return distinct(
    worlds,
    worlds.flatMap(world => names.flatMap(one => ownTargetsOf(world, one) ?? [])),
  );
}

function distinct(worlds: readonly [World, World], targets: readonly Target[]): Iterable<Target> {
  const routed = new Set(wholeTargetsOf(worlds).map(({ id }) => id));
  const named = targets
    .filter(one => one.type === 'machine' || routed.has(one.id))
    .map(one => [one.type === 'machine' ? one.index : one.id, one] as const);
  return new Map(named).values();
}

// A range in a guard includes everything inside it, even if it is a default route.
function targetsInside(world: World, { type, name }: Selector): readonly Target[] {
  if (type !== 'address') return [];
  return routedTargets(world).filter(target =>
    placesOf(target).some(place => distanceWithin(place, name) !== undefined),
  );
}

/** The names of sources and of their destination. */
interface Sides {
  readonly who: string;
  readonly where: string;
}

/**
 * The names of both sides, such as `group/on-call` and `network_resource/production/orders-db`, and
 * the future sources.
 */
export function sidesOf(
  namer: MemberSetNamer,
  sources: Bits,
  targets: readonly [Target, ...Target[]],
): Sides {
  const { name, machines, members_to_come: toCome } = namer.party(sources);
  const joins = machines.length === 0 && toCome.length > 0 ? ' (future members)' : '';
  return { who: `${name}${joins}`, where: namer.destination(targets).name };
}
