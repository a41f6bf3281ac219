// Names for the sides of a matrix: a group, a few machines, or the number of machines with their groups.
import { accessName } from '../../model/access/accessName.ts';
import type { MatrixSide } from '../../model/access/accessPicture.ts';
import { lastingId } from '../../model/access/planAccess.ts';
import { objectOf, routedObjects } from '../ask/ids.ts';
import { memberName, memberSetNamer } from '../ask/memberSetNames.ts';
import type { RoutedTarget } from '../flows/targets.ts';
import { type Bits, count, indexesIn, intersect, isSubset, noBits, or } from '../sets/bits.ts';
import type { World } from '../world/world.ts';

/**
 * Names for the classes and routed targets of compared states. An object has its name in the last
 * state that contains it. Names within a list are unique.
 */
export function sidesIn(worlds: readonly World[]): {
  readonly ofClasses: (classes: readonly Bits[]) => readonly MatrixSide[];
  readonly ofRouted: (targets: readonly RoutedTarget[]) => readonly MatrixSide[];
  /** Returns the group whose members are exactly those of several classes; undefined if there is none. */
  readonly ofGroup: (classes: readonly Bits[]) => MatrixSide | undefined;
} {
  const states = worlds.map(world => ({ world, sideOf: classSideIn(world) })).reverse();
  const ofClass = (bits: Bits): MatrixSide => {
    const having = states.find(({ world }) => intersect(bits, world.present)) ?? states[0];
    return having?.sideOf(bits) ?? NO_SIDE;
  };
  const namers = worlds.map(world => memberSetNamer(world)).reverse();
  const ofTarget = (target: RoutedTarget): MatrixSide => {
    const { name = '', address = '' } = namers[0]?.target([target]) ?? {};
    const held = target.resources.flatMap(({ resource }) => resource.groups);
    const names = [...new Set(held)].map(key => accessName('group', key));
    return { name, members: [], groups: names, address, ids: routedObjects(target).map(lastingId) };
  };
  return {
    ofClasses: classes => distinctNames(classes.map(ofClass)),
    ofRouted: targets => distinctNames(targets.map(ofTarget)),
    ofGroup: classes => {
      const side = ofClass(classes.reduce(or, noBits()));
      return side.ids === undefined ? undefined : side;
    },
  };
}

const NO_SIDE: MatrixSide = { name: '', members: [], groups: [] };

function classSideIn(world: World): (bits: Bits) => MatrixSide {
  const namer = memberSetNamer(world);
  const idOfGroup = new Map(
    world.state.groups.map(group => {
      const object = objectOf('group', group);
      return [object.name, lastingId(object)];
    }),
  );
  const groups = world.state.groups
    .filter(({ isAll }) => !isAll)
    .map(({ key }) => ({ name: accessName('group', key), bits: world.inGroups([key]) }))
    .sort((one, other) => count(one.bits) - count(other.bits));
  return bits => {
    const common = groups.filter(group => isSubset(bits, group.bits)).map(({ name }) => name);
    const { name, machines, members_to_come } = namer.party(bits);
    const isCount = /^\d+ (?:machines|groups, setup keys or users)$/.test(name);
    const where =
      isCount && common.length > 0 ? `${name} in ${common.slice(0, 2).join(', ')}` : name;
    const joins = machines.length > 0 && members_to_come.length > 0 ? ' and future members' : '';
    const id = idOfGroup.get(name);
    const side = { members: [...indexesIn(bits)], groups: common };
    return id === undefined ? { name: `${where}${joins}`, ...side } : { name, ...side, ids: [id] };
  };
}

/** The maximum number of names that are joined into one. */
const NAMED = 3;

/**
 * Returns a function that merges several equal sides into one. The sides are given by their
 * positions. `groupAt` returns the group with exactly their members.
 */
export const mergedSide =
  (sides: readonly MatrixSide[], groupAt: (places: readonly number[]) => MatrixSide | undefined) =>
  (places: readonly number[]): MatrixSide => {
    const [one, ...others] = places.flatMap(at => sides[at] ?? []);
    if (one === undefined) return NO_SIDE;
    if (others.length === 0) return one;
    // A group and its future members are separate classes, although most rules treat them alike.
    const group = groupAt(places);
    if (group !== undefined) return group;
    const all = [one, ...others];
    const names = all.slice(0, NAMED).map(({ name }) => name);
    const more = all.length > NAMED ? ` and ${all.length - NAMED} more` : '';
    return {
      name: `${names.join(', ')}${more}`,
      members: all.flatMap(({ members }) => members),
      groups: one.groups.filter(group => others.every(({ groups }) => groups.includes(group))),
      ...idsOfAll(all),
    };
  };

// The ids of several groups, machines or addresses that share a side. If some of them have no id,
// the side has no ids and stands for its members.
function idsOfAll(sides: readonly MatrixSide[]): Pick<MatrixSide, 'ids'> {
  const ids = sides.flatMap(side => side.ids ?? []);
  return sides.every(side => side.ids !== undefined) ? { ids: [...new Set(ids)] } : {};
}

/** The names of all members, by index. */
export function memberNames(world: World): readonly string[] {
  return world.members.map((_, index) => memberName(world, index));
}

function distinctNames(sides: readonly MatrixSide[]): readonly MatrixSide[] {
  const seen = new Map<string, number>();
  return sides.map(side => {
    const label = `${side.name}\n${side.address ?? ''}`;
    const number = (seen.get(label) ?? 0) + 1;
    seen.set(label, number);
    return number === 1 ? side : { ...side, name: `${side.name} #${number}` };
  });
}
