// Policies in a picture: the content of each rule, with the number of machines on each side.
import { accessName } from '../../model/access/accessName.ts';
import type { PolicyPicture, RulePicture, RuleSide } from '../../model/access/accessPicture.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { and, count, hashOf } from '../sets/bits.ts';
import { trafficWords } from '../sets/trafficText.ts';
import type { Side } from '../state/accessState.ts';
import type { CompiledRule } from '../world/compiledPolicies.ts';
import type { World } from '../world/world.ts';
import { waysToMachines } from './addressPictures.ts';

/** Every policy of a state, sorted by name, because servers return policies in any order. */
export function policyPictures(world: World): readonly PolicyPicture[] {
  const sidesOf = sidesIn(world);
  return world.policies
    .toSorted((one, other) => compareTexts(one.policy.key, other.policy.key))
    .map(({ policy, rules }) => ({
      name: policy.key,
      object: accessName('policy', policy.key),
      isEnabled: policy.isEnabled,
      isTemporary: policy.isTemporary,
      // Sorted, because the order of checks has no meaning.
      checks: policy.checks.toSorted(compareTexts),
      rules: rules.map(compiled => rulePicture(compiled, sidesOf)),
    }));
}

function rulePicture({ rule, traffic }: CompiledRule, sidesOf: SidesOf): RulePicture {
  const { name, isEnabled, isDrop, isBidirectional, protocol, source, destination } = rule;
  return {
    name,
    isEnabled,
    isDrop,
    isBidirectional,
    ports: protocol === 'netbird-ssh' ? [protocol] : trafficWords(traffic),
    from: sidesOf(source),
    to: sidesOf(destination),
  };
}

type SidesOf = (side: Side) => readonly RuleSide[];

// Each group is examined only once, because many rules name the same group.
function sidesIn(world: World): SidesOf {
  const ways = waysToMachines(world);
  const groups = new Map<string, RuleSide>();
  const groupSide = (key: string): RuleSide => {
    const found = groups.get(key) ?? {
      ...membersOfGroup(world, key),
      ...ways({ type: 'groups', groups: [key] }),
    };
    groups.set(key, found);
    return found;
  };
  return side => {
    const { type } = side;
    if (type === 'resource')
      return [{ type, name: accessName('network_resource', side.resource), machines: 0 }];
    if (type === 'groups') return side.groups.toSorted().map(groupSide);
    const machines = Number(world.positions.machine.has(side.machine));
    return [{ type, name: accessName('peer', side.machine), machines, ...ways(side) }];
  };
}

/** A group as the side of a rule. */
export function membersOfGroup(world: World, key: string): RuleSide {
  const machines = and(world.inGroups([key]), world.today);
  return {
    type: 'members',
    name: accessName('group', key),
    machines: count(machines),
    members: hashOf(machines).toString(36),
  };
}
