// Names for sets of members and for targets: the group with exactly these members, the name of a
// machine, or the number of machines.
import { accessName } from '../../model/access/accessName.ts';
import type { AccessParty } from '../../model/access/planAccess.ts';
import type { RoutedTarget, Target } from '../flows/targets.ts';
import {
  and,
  areEqual,
  type Bits,
  bitsOf,
  count,
  indexesIn,
  intersect,
  isEmpty,
  minus,
  noBits,
  or,
} from '../sets/bits.ts';
import type { World } from '../world/world.ts';

/** Names sets of members in one state. */
export interface MemberSetNamer {
  /**
   * The name of a set of members. `asked`: the name to use if the set has exactly its members. `itself`: a member that may be
   * missing from the set because it is the target.
   */
  readonly party: (bits: Bits, asked?: NamedSet, itself?: Bits) => AccessParty;
  readonly target: (targets: readonly [Target, ...Target[]], asked?: NamedSet) => AccessParty;
  /**
   * The name of targets, including their future members. It is for lines that show nothing else
   * about a destination.
   */
  readonly destination: (targets: readonly [Target, ...Target[]]) => AccessParty;
  readonly keys: (bits: Bits) => readonly string[];
}

export interface NamedSet {
  readonly name: string;
  readonly bits: Bits;
}

/** A group with its current machines. */
interface Known extends NamedSet {
  readonly today: Bits;
}

/**
 * A namer for the members of a state who are logged in, or for the members in `among`. It tries the
 * groups in their order, and All last.
 */
export function memberSetNamer(world: World, among?: Bits): MemberSetNamer {
  const groups = world.state.groups
    .toSorted((one, other) => Number(one.isAll) - Number(other.isAll))
    .map(({ key }): Known => {
      // Members who are logged out have no access. So a line that lists all other members of a
      // group uses the name of the group.
      const everyone = minus(world.inGroups([key]), world.loggedOut);
      const bits = among === undefined ? everyone : and(everyone, among);
      return { name: accessName('group', key), bits, today: and(bits, world.today) };
    });
  const party = (bits: Bits, asked?: NamedSet, itself = noBits()): AccessParty =>
    namedParty(bits, asked, itself).party;
  // `unnamed`: the future members that the name does not cover.
  const namedParty = (bits: Bits, asked?: NamedSet, itself = noBits()) => {
    if (intersect(bits, world.internet))
      return { party: withOutsiders(bits, itself), unnamed: noBits() };
    const whole = or(bits, itself);
    const named = [...(asked ? [asked] : []), ...groups].find(
      one => areEqual(one.bits, bits) || areEqual(one.bits, whole),
    );
    const today = and(bits, world.today);
    const toCome = minus(bits, world.today);
    const { name, unnamed } = named
      ? { name: named.name, unnamed: noBits() }
      : nameOf(world, groups, today, toCome);
    const found: AccessParty = {
      name,
      machines: keysIn(world, today),
      members_to_come: namesIn(world, toCome),
    };
    return { party: found, unnamed };
  };
  // The internet is always named separately and never counted as a machine, so that readers notice it.
  const withOutsiders = (bits: Bits, itself: Bits): AccessParty => {
    const outsiders = namesIn(world, and(bits, world.internet)).join(', ');
    const others = minus(bits, world.internet);
    if (isEmpty(others)) return { name: outsiders, machines: [], members_to_come: [] };
    const known = party(others, undefined, itself);
    return { ...known, name: `${known.name}, ${outsiders}` };
  };
  const target: MemberSetNamer['target'] = ([first, ...others], asked) =>
    first.type === 'machine'
      ? party(bitsOf([first, ...others].flatMap(indexOf)), asked)
      : routedParty(first);
  return {
    party,
    target,
    destination: targets => {
      const [first, ...others] = targets;
      if (first.type !== 'machine') return target(targets);
      const { party: found, unnamed } = namedParty(bitsOf([first, ...others].flatMap(indexOf)));
      if (found.machines.length === 0 || isEmpty(unnamed)) return found;
      return { ...found, name: `${found.name}, ${toComeText(world, unnamed)}` };
    },
    keys: bits => namesIn(world, bits),
  };
}

const indexOf = (target: Target): number | readonly number[] =>
  target.type === 'machine' ? target.index : [];

/** `peer/mia` for a machine, `group/on-call` for machines that will join the group. */
export function memberName({ members }: World, index: number): string {
  const { type = 'machine', key = '' } = members[index] ?? {};
  if (type === 'internet') return key;
  return accessName(type === 'machine' ? 'peer' : type, key);
}

function keysIn(world: World, bits: Bits): readonly string[] {
  return [...indexesIn(bits)].map(index => world.members[index]?.key ?? '').sort();
}

function namesIn(world: World, bits: Bits): readonly string[] {
  return [...indexesIn(bits)].map(index => memberName(world, index)).sort();
}

// The name of the current machines: their group, a short list, or their number. The name of a group
// covers its future members too, so only other future members are named separately.
function nameOf(world: World, groups: readonly Known[], today: Bits, toCome: Bits) {
  const machines = count(today);
  if (machines === 0) return { name: toComeText(world, toCome), unnamed: noBits() };
  const group = groups.find(one => areEqual(one.today, today));
  if (group && machines > 1) {
    const others = minus(toCome, group.bits);
    const name = isEmpty(others) ? group.name : `${group.name}, ${toComeText(world, others)}`;
    return { name, unnamed: noBits() };
  }
  const names = namesIn(world, today);
  const name = machines <= 3 ? names.join(', ') : `${machines} machines`;
  return { name, unnamed: toCome };
}

const toComeText = (world: World, toCome: Bits): string =>
  `machines that enrol with ${keysToCome(world, toCome).join(', ')}`;

function keysToCome(world: World, toCome: Bits): readonly string[] {
  const names = namesIn(world, toCome);
  return names.length <= 3 ? names : [`${names.length} groups, setup keys or users`];
}

function routedParty({ type, resources, routes, address }: RoutedTarget): AccessParty {
  const names =
    type === 'route'
      ? routes.map(({ networkId }) => networkId)
      : resources.map(({ resource }) => resource.key);
  const name = [...new Set(names)].map(one => accessName(type, one)).join(', ');
  return { name, machines: [], members_to_come: [], address };
}
