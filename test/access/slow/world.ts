// What every part of the slow evaluator asks: who is in which groups, which rules count, who passes which checks.
import type { Account, Policy, Rule, Served, Single } from './account.ts';
import { everyoneIn, type Someone } from './everyone.ts';
import { type Fate, passesAs, verdictsOn } from './posture.ts';

export type Protocol = 'tcp' | 'udp' | 'icmp';

/** How posture is read where it cannot be known. */
export type Reading = 'seen' | 'certain' | 'possible' | 'unconditional' | 'granted' | Fates;

/** What those are like of whom it is not known. */
export interface Fates {
  /** Who is asked about as a source. */
  source: string;
  readonly of: (name: string, isSource: boolean) => Fate;
  /** Whether somebody who is asked about is like that also to others. */
  readonly isConcrete: boolean;
}

/** The fate of one member of the world. */
export const fateOf = (fates: Fates, { name }: Someone): Fate =>
  fates.of(name, name === fates.source);

export interface World {
  readonly account: Account;
  readonly reading: Reading;
  readonly everyone: readonly Someone[];
  /** The accounts that it is compared with, in their order. */
  readonly compared: readonly Account[];
  readonly enabledPolicies: readonly Policy[];
  readonly enabledRules: readonly { readonly policy: Policy; readonly rule: Rule }[];
}

export function worldOf(
  account: Account,
  reading: Reading,
  compared: readonly Account[] = [account],
): World {
  const enabledPolicies = account.policies.filter(policy => policy.enabled);
  return {
    account,
    reading,
    enabledPolicies,
    compared,
    everyone: everyoneIn(account, compared),
    enabledRules: enabledPolicies.flatMap(policy =>
      policy.rules.filter(rule => rule.enabled).map(rule => ({ policy, rule })),
    ),
  };
}

export function isInAny(one: Someone, groups: readonly string[]): boolean {
  return groups.some(id => one.groups.has(id));
}

export function isThe(one: Someone, single: Single): boolean {
  return single.type === 'peer' && one.peer !== null && one.peer.id === single.id;
}

/** Whether somebody passes the checks of a policy, for a rule that accepts or one that drops. */
export function passesPosture(
  { account, reading }: World,
  one: Someone,
  policy: Policy,
  action: string,
): boolean {
  const checks = account.posture_checks.filter(check =>
    policy.source_posture_checks.includes(check.id),
  );
  if (checks.length === 0) return true;
  if (typeof reading === 'object')
    return checks.every(({ checks: parts }) => passesAs(fateOf(reading, one), one.peer, parts));
  const drops = action === 'drop';
  if (reading === 'unconditional') return drops;
  if (reading === 'granted') return !drops;
  // What is unknown is taken as it gives less access (`certain`) or more (`possible`).
  const taken = reading === 'certain' ? drops : !drops;
  return checks.every(({ checks: parts }) => {
    if (!one.peer) return reading === 'seen' ? false : taken;
    return verdictsOn(one.peer, parts).every(({ verdict, seen }) => {
      if (verdict !== 'unknown') return verdict === 'pass';
      return reading === 'seen' ? seen : taken;
    });
  });
}

export function isSource(
  world: World,
  one: Someone,
  { policy, rule }: { policy: Policy; rule: Rule },
  action = rule.action,
): boolean {
  if (rule.sourceResource) return isThe(one, rule.sourceResource);
  // Whoever knows a machine that awaits approval takes its posture for passed.
  const isFit = !one.isApproved || passesPosture(world, one, policy, action);
  return isInAny(one, ids(rule.sources)) && isFit;
}

export function isDestination(one: Someone, rule: Rule): boolean {
  if (rule.destinationResource) return isThe(one, rule.destinationResource);
  return isInAny(one, ids(rule.destinations));
}

/** Whether a rule speaks of a port. `takesRanges`: whether whoever enforces it understands ranges. */
export function isAbout(rule: Rule, protocol: Protocol, port: number, takesRanges: boolean) {
  const spoken = rule.protocol === 'netbird-ssh' ? 'tcp' : rule.protocol;
  if (spoken !== 'all' && spoken !== protocol) return false;
  if (protocol === 'icmp') return true;
  if (rule.ports && rule.ports.length > 0) return rule.ports.includes(String(port));
  if (rule.port_ranges && rule.port_ranges.length > 0)
    return rule.port_ranges.some(
      ({ start, end }) => start <= port && port <= end && (takesRanges || start === end),
    );
  return true;
}

/** Everyone who would serve it, those to come too. */
export function everServing({ everyone }: World, { peer, peer_groups = [] }: Served): Someone[] {
  return everyone.filter(
    one => (one.peer !== null && one.peer.id === peer) || isInAny(one, peer_groups),
  );
}

/** Who could serve it if it is a network: a login that has ended takes nothing from those behind it. */
export const mayServeNetwork = (one: Someone): boolean => one.isApproved;

/** Who could serve it if it is a route. */
export const mayServeRoute = (one: Someone): boolean => one.isApproved && one.isLoggedIn;

/**
 * Who serves it now, of those who may. If the account is taken as routed, a group without a machine that may is served by its future
 * members.
 */
export function servingNow(
  { everyone, account }: World,
  { peer, peer_groups = [] }: Served,
  mayServe: (one: Someone) => boolean,
): Someone[] {
  const able = everyone.filter(mayServe);
  const single = able.filter(one => one.peer !== null && one.peer.id === peer);
  const members = peer_groups.flatMap(group => {
    const inside = able.filter(one => one.groups.has(group));
    const today = inside.filter(one => one.peer);
    if (today.length > 0 || account.isRouted !== true) return today;
    return inside.filter(({ name }) => name === `group ${group}`);
  });
  return [...new Set([...single, ...members])];
}

export function ids(list: readonly { readonly id: string }[] | null | undefined): string[] {
  return (list ?? []).map(one => one.id);
}
