// The nearest miss between two machines.
import type { Reaches } from '../flows/reaches.ts';
import { has } from '../sets/bits.ts';
import type { CompiledRule } from '../world/compiledPolicies.ts';
import type { World } from '../world/world.ts';
import { dropsAmong } from './drops.ts';
import {
  byRule,
  disabled,
  disconnected,
  failedPosture,
  type Obstacle,
  otherPorts,
  ruleName,
  type Wanted,
} from './obstacles.ts';

/** For each rule that could grant the access, its missing conditions, in the order of the rules. */
export function machineMisses(
  reaches: Reaches,
  source: number,
  target: number,
  wanted: Wanted,
): readonly (readonly Obstacle[])[] {
  const { world } = reaches;
  const rules = world.policies.flatMap(policy => policy.rules).filter(({ rule }) => !rule.isDrop);
  const found = rules.flatMap(compiled => {
    const missing = missingIn(world, compiled, { source, target, wanted });
    return missing === undefined ? [] : [missing];
  });
  if (found.length > 0 && found.every(missing => missing.length > 0)) return found;
  const { inboundAt } = reaches.under(wanted.reading ?? 'certain').machines;
  const drops = dropsAmong(inboundAt(target), source, wanted);
  if (drops.length > 0) return [drops];
  const nothing = {
    code: 'NO_RULE',
    message: 'no rule has the source and the destination on its sides',
  } as const;
  return [[nothing, ...disconnected(world, [source, target])]];
}

interface Pair {
  readonly source: number;
  readonly target: number;
  readonly wanted: Wanted;
}

// The missing conditions of a rule for access between two machines; undefined if the rule does not
// concern the machines.
function missingIn(
  world: World,
  compiled: CompiledRule,
  { source, target, wanted }: Pair,
): readonly Obstacle[] | undefined {
  const { sources, destinations, rule } = compiled;
  const isForward = has(sources, source) && has(destinations, target);
  const isBackward = has(sources, target) && has(destinations, source);
  if (!isForward && !isBackward) return undefined;
  // The checks of a rule apply to its source side, even for traffic in the reverse direction.
  const [judged, who] = isForward
    ? ([source, 'source'] as const)
    : ([target, 'destination'] as const);
  return [
    ...disabled(compiled),
    ...disconnected(world, [source, target]),
    ...(isForward || rule.isBidirectional ? [] : [opposite(compiled)]),
    ...otherPorts(compiled, wanted, { isRouted: false, isOld: !has(world.takesRanges, target) }),
    ...(rule.source.type === 'groups' ? failedPosture(world, compiled, judged, wanted, who) : []),
  ];
}

function opposite(compiled: CompiledRule): Obstacle {
  const message = `${ruleName(compiled)} grants the opposite direction only: it is not bidirectional`;
  return { code: 'DIRECTION', message, ...byRule(compiled) };
}
