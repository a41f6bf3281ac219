// Policies in a picture: the content of each rule, with the number of machines on each side.
import { accessName } from '../../model/access/accessName.ts';
import type { PolicyPicture, RulePicture, RuleSide } from '../../model/access/accessPicture.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { countCommon } from '../sets/bits.ts';
import { trafficWords } from '../sets/trafficText.ts';
import type { Side } from '../state/accessState.ts';
import type { CompiledRule } from '../world/compiledPolicies.ts';
import type { World } from '../world/world.ts';

/** Every policy of a world, sorted by name, because a server lists them in any order. */
export function policyPictures(world: World): readonly PolicyPicture[] {
  return world.policies
    .toSorted((one, other) => compareTexts(one.policy.key, other.policy.key))
    .map(({ policy, rules }) => ({
      name: policy.key,
      object: accessName('policy', policy.key),
      isEnabled: policy.isEnabled,
      isTemporary: policy.isTemporary,
      // Their order has no meaning.
      checks: policy.checks.toSorted(compareTexts),
      rules: rules.map(compiled => rulePicture(world, compiled)),
    }));
}

function rulePicture(world: World, { rule, traffic }: CompiledRule): RulePicture {
  const { name, isEnabled, isDrop, isBidirectional, protocol, source, destination } = rule;
  return {
    name,
    isEnabled,
    isDrop,
    isBidirectional,
    ports: protocol === 'netbird-ssh' ? [protocol] : trafficWords(traffic),
    from: sidesOf(world, source),
    to: sidesOf(world, destination),
  };
}

function sidesOf(world: World, side: Side): readonly RuleSide[] {
  const { type } = side;
  if (type === 'resource')
    return [{ type, name: accessName('network_resource', side.resource), machines: 0 }];
  if (type === 'machine') {
    const machines = Number(world.positions.machine.has(side.machine));
    return [{ type, name: accessName('peer', side.machine), machines }];
  }
  return side.groups.toSorted().map(key => membersOfGroup(world, key));
}

/** A group as the side of a rule. */
export const membersOfGroup = (world: World, key: string): RuleSide => ({
  type: 'members',
  name: accessName('group', key),
  machines: countCommon(world.inGroups([key]), world.today),
});
