// The obstacles between a rule and a flow that it could grant.
import type { Deciding, MissCode } from '../../model/access/planAccess.ts';
import { jsonString } from '../../model/text/visible.ts';
import { sourcesAtRouters } from '../routed/sourcesAtRouters.ts';
import { has } from '../sets/bits.ts';
import { overlap, type Traffic, without } from '../sets/traffic.ts';
import { trafficText } from '../sets/trafficText.ts';
import { type CompiledRule, routedTraffic } from '../world/compiledPolicies.ts';
import type { World } from '../world/world.ts';

/** A missing condition, in words that complete a sentence. */
export interface Obstacle {
  readonly code: MissCode;
  readonly message: string;
  /** The object that would have to change to allow the access. */
  readonly by?: Deciding;
}

/** The requested traffic. Without ports, any part of the traffic is enough. */
export interface Wanted {
  readonly traffic: Traffic;
  readonly hasPorts: boolean;
  /** `unconditional`: access that depends on a posture check counts as missing, whatever the result of the check. */
  readonly reading?: 'certain' | 'unconditional';
}

export function isCovered({ traffic, hasPorts }: Wanted, by: Traffic): boolean {
  return hasPorts ? without(traffic, by).length === 0 : overlap(traffic, by);
}

/** `policy "ssh", rule "ssh"`. */
export function ruleName({ policy, rule }: CompiledRule): string {
  return `policy ${jsonString(policy.key)}, rule ${jsonString(rule.name)}`;
}

/** The `by` of an obstacle that is caused by a rule. */
export const byRule = ({ policy, rule }: CompiledRule): Pick<Obstacle, 'by'> => ({
  by: { kind: 'policy', key: policy.key, rule: rule.name },
});

export function disabled(compiled: CompiledRule): readonly Obstacle[] {
  const { policy, rule } = compiled;
  if (!policy.isEnabled) {
    const message = `policy ${jsonString(policy.key)} is disabled`;
    return [{ code: 'DISABLED', message, by: { kind: 'policy', key: policy.key } }];
  }
  if (rule.isEnabled) return [];
  return [
    {
      code: 'DISABLED',
      message: `rule ${jsonString(rule.name)} of policy ${jsonString(policy.key)} is disabled`,
      ...byRule(compiled),
    },
  ];
}

/**
 * The obstacle that a rule does not cover the requested ports. `isOld`: whether the agent of the admitting machine is too old to
 * receive port ranges.
 */
export function otherPorts(
  compiled: CompiledRule,
  wanted: Wanted,
  { isRouted, isOld }: { readonly isRouted: boolean; readonly isOld: boolean },
): readonly Obstacle[] {
  const machines = isOld ? compiled.trafficOfOldAgents : compiled.traffic;
  const traffic = isRouted ? routedTraffic(compiled) : machines;
  if (isCovered(wanted, traffic)) return [];
  if (traffic.length > 0) {
    const message = `${ruleName(compiled)} allows ${trafficText(traffic)} only`;
    return [{ code: 'PORT', message, ...byRule(compiled) }];
  }
  const reason = isRouted
    ? 'has protocol netbird-ssh, which a router refuses'
    : 'has port ranges, which the agent of the destination is too old for';
  const message = `${ruleName(compiled)} ${reason}`;
  return [{ code: 'PORT', message, ...byRule(compiled) }];
}

/** The obstacles from posture checks. `index`: the member whose posture counts. `who`: its role in the flow. */
export function failedPosture(
  { verdicts }: World,
  compiled: CompiledRule,
  index: number,
  { reading }: Wanted,
  who: 'source' | 'destination' = 'source',
): readonly Obstacle[] {
  const judged = verdicts
    .checksOf(compiled.policy)
    .map(check => ({ check, judged: verdicts.judge(check, index) }))
    .filter(({ judged: { verdict } }) => verdict !== 'pass' || reading === 'unconditional');
  const deciding =
    judged.find(one => one.judged.verdict === 'fail') ??
    judged.find(one => one.judged.verdict === 'unknown') ??
    judged[0];
  if (deciding === undefined) return [];
  const { check, judged: found } = deciding;
  const verb = { pass: 'depends on', fail: 'fails', unknown: 'may fail' }[found.verdict];
  const message = `the ${who} ${verb} posture check ${jsonString(check.key)} of ${ruleName(compiled)}: ${found.because}`;
  return [{ code: 'POSTURE', message, ...byRule(compiled) }];
}

/**
 * The obstacles from posture checks at routing machines. A single source may count there, whatever
 * its posture.
 */
export function failedAtRouters(
  world: World,
  compiled: CompiledRule,
  index: number,
  { wanted, routers }: { readonly wanted: Wanted; readonly routers: readonly number[] },
): readonly Obstacle[] {
  const sourcesAt = sourcesAtRouters(world, wanted.reading ?? 'certain');
  const isSingle = compiled.rule.source.type === 'machine';
  if (isSingle && routers.some(router => has(sourcesAt(router)(compiled), index))) return [];
  return failedPosture(world, compiled, index, wanted);
}

/**
 * The obstacles of members that are not connected to the network, because they await approval or
 * are logged out.
 */
export function disconnected(world: World, indexes: readonly number[]): readonly Obstacle[] {
  return indexes.flatMap((index): readonly Obstacle[] => {
    const peer = `peer ${jsonString(world.members[index]?.key ?? '')}`;
    if (has(world.awaiting, index))
      return [{ code: 'NOT_APPROVED', message: `${peer} awaits approval` }];
    if (!has(world.loggedOut, index)) return [];
    const { user = '' } = world.machineAt(index) ?? {};
    const message = world.state.blockedUsers.includes(user)
      ? `the user of ${peer} is blocked`
      : `the login of ${peer} has expired`;
    return [{ code: 'LOGIN_EXPIRED', message }];
  });
}
