// Names for the sides of a matrix: a group, a few machines, or their number and their groups.
import { accessName } from '../../model/access/accessName.ts';
import type { MatrixSide } from '../../model/access/accessPicture.ts';
import { memberName, namerOf } from '../ask/party.ts';
import type { RoutedTarget } from '../flows/targets.ts';
import { type Bits, count, indexesIn, isSubset } from '../sets/bits.ts';
import type { World } from '../world/world.ts';

/** Names for the classes and routed targets of a world. Names within a list are unique. */
export function sidesIn(world: World): {
  readonly ofClasses: (classes: readonly Bits[]) => readonly MatrixSide[];
  readonly ofRouted: (targets: readonly RoutedTarget[]) => readonly MatrixSide[];
} {
  const namer = namerOf(world);
  const groups = world.state.groups
    .filter(({ isAll }) => !isAll)
    .map(({ key }) => ({ name: accessName('group', key), bits: world.inGroups([key]) }))
    .sort((one, other) => count(one.bits) - count(other.bits));
  const classSide = (bits: Bits): MatrixSide => {
    const common = groups.filter(group => isSubset(bits, group.bits)).map(({ name }) => name);
    const { name, machines, members_to_come } = namer.party(bits);
    const isCount = /^\d+ (?:machines|groups, setup keys or users)$/.test(name);
    const where =
      isCount && common.length > 0 ? `${name} in ${common.slice(0, 2).join(', ')}` : name;
    const joins = machines.length > 0 && members_to_come.length > 0 ? ' and future members' : '';
    return { name: `${where}${joins}`, members: [...indexesIn(bits)], groups: common };
  };
  return {
    ofClasses: classes => distinctNames(classes.map(classSide)),
    ofRouted: targets =>
      distinctNames(
        targets.map(target => {
          const { name, address = '' } = namer.target([target]);
          const held = target.resources.flatMap(({ resource }) => resource.groups);
          const names = [...new Set(held)].map(key => accessName('group', key));
          return { name, members: [], groups: names, address };
        }),
      ),
  };
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
