// Policies as a picture shows them: what each rule says, with the number of machines on its sides.
import type { PolicyPicture, RulePicture, RuleSide } from '../../model/access/accessPicture.ts';
import { and, count } from '../sets/bits.ts';
import { trafficWords } from '../sets/trafficText.ts';
import type { Side } from '../state/accessState.ts';
import type { CompiledPolicy, CompiledRule } from '../world/policies.ts';
import type { World } from '../world/world.ts';

/** Every policy of a world, by name: a server gives them in any order. */
export function policyPictures(world: World): readonly PolicyPicture[] {
  return world.policies.toSorted(byKey).map(({ policy, rules }) => ({
    name: policy.key,
    isEnabled: policy.isEnabled,
    isTemporary: policy.isTemporary,
    checks: policy.checks,
    rules: rules.map(compiled => rulePicture(world, compiled)),
  }));
}

function byKey({ policy: one }: CompiledPolicy, { policy: other }: CompiledPolicy): number {
  return one.key < other.key ? -1 : Number(one.key > other.key);
}

function rulePicture(world: World, { rule, traffic }: CompiledRule): RulePicture {
  const { name, isEnabled, isDrop, isBidirectional, protocol, source, destination } = rule;
  return {
    ...{ name, isEnabled, isDrop, isBidirectional },
    ports: protocol === 'netbird-ssh' ? [protocol] : trafficWords(traffic),
    from: sidesOf(world, source),
    to: sidesOf(world, destination),
  };
}

function sidesOf(world: World, side: Side): readonly RuleSide[] {
  if (side.type === 'resource') return [{ name: `network_resource/${side.resource}`, machines: 0 }];
  if (side.type === 'machine')
    return [
      { name: `peer/${side.machine}`, machines: Number(world.places.machine.has(side.machine)) },
    ];
  return side.groups.toSorted().map(key => ({
    name: `group/${key}`,
    machines: count(and(world.inGroups([key]), world.today)),
  }));
}
