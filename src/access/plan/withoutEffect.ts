// Explains why a change of a policy or route changes no access: another rule allows the same, the object is disabled, or
// something is missing. `idleChanges.ts` explains the changes of other objects.
import type { Address } from '../../model/names.ts';
import { jsonString } from '../../model/text/visible.ts';
import { isPossible } from '../ask/answerNames.ts';
import { flowsBetween } from '../ask/flows.ts';
import type { Grant } from '../ask/grants.ts';
import type { Reaches } from '../flows/reaches.ts';
import { itselfIn, routedTargets, type Target } from '../flows/targets.ts';
import { and, type Bits, indexesIn, isEmpty, or } from '../sets/bits.ts';
import { ALL_TRAFFIC, type Traffic } from '../sets/traffic.ts';
import type { Named, Policy, Route } from '../state/accessState.ts';
import { nearestMiss } from '../why/nearestMiss.ts';
import { ruleName } from '../why/obstacles.ts';
import type { CompiledPolicy, CompiledRule } from '../world/compiledPolicies.ts';
import { namesOf } from '../world/roster.ts';
import type { World } from '../world/world.ts';

/** The largest numbers of policies and routes that are explained, of rules per policy, and of destinations per rule. */
const OBJECTS = 50;
const RULES = 50;
const TARGETS = 20;

/** The access before and after a plan. */
export interface States {
  readonly before: Reaches;
  readonly after: Reaches;
}

/**
 * Why changed policies and routes have no effect, by the address of the change. `effective`: the changes by the names of their
 * objects; `idle`: the changes without effect.
 */
export function reasonsOfGrants(
  { before, after }: States,
  effective: ReadonlyMap<string, readonly Address[]>,
  idle: ReadonlySet<string>,
): ReadonlyMap<Address, string> {
  const found = new Map<Address, string>();
  const explain = (kind: string, all: readonly Versioned[]) => {
    const silent = all.flatMap(({ versions, reasonOf }) => {
      const names = versions.flatMap(namesOf);
      const addresses = [...new Set(names.flatMap(name => effective.get(`${kind} ${name}`) ?? []))];
      const isIdle = addresses.length > 0 && addresses.every(address => idle.has(address));
      return isIdle ? { addresses, reasonOf } : [];
    });
    for (const { addresses, reasonOf } of silent.slice(0, OBJECTS)) {
      const reason = reasonOf();
      if (reason === undefined) continue;
      for (const address of addresses) if (!found.has(address)) found.set(address, reason);
    }
  };
  explain(
    'policy',
    pairsOf(before.world, after.world).map(({ was, is }) => ({
      versions: [was, is].flatMap(one => one?.policy ?? []),
      reasonOf: () => reasonFor(after, was, is),
    })),
  );
  explain(
    'route',
    after.world.state.routes.map(route => ({
      versions: [route],
      reasonOf: () => routeReason(before.world, after, route),
    })),
  );
  return found;
}

/** An object before and after a plan, and a function that explains why its change may have no effect. */
interface Versioned {
  readonly versions: readonly Named[];
  readonly reasonOf: () => string | undefined;
}

interface Versions {
  readonly was?: CompiledPolicy;
  readonly is?: CompiledPolicy;
}

function pairsOf(before: World, after: World): readonly Versions[] {
  const former = new Map(
    before.policies.flatMap(one => namesOf(one.policy).map(name => [name, one] as const)),
  );
  const pairs = after.policies.map((is): Versions => {
    const was = namesOf(is.policy)
      .toReversed()
      .map(name => former.get(name))
      .find(one => one !== undefined);
    return was ? { was, is } : { is };
  });
  const kept = new Set(pairs.map(({ was }) => was));
  return [...pairs, ...before.policies.filter(one => !kept.has(one)).map(was => ({ was }))];
}

function reasonFor(
  after: Reaches,
  was: CompiledPolicy | undefined,
  is: CompiledPolicy | undefined,
) {
  const isOff = (one: CompiledPolicy) => one.rules.every(({ isActive }) => !isActive);
  const wasOff = was === undefined || isOff(was);
  if (is !== undefined && isOff(is) && wasOff)
    return is.policy.isEnabled ? 'its rules are disabled' : 'it is disabled';
  const shown = is === undefined || isOff(is) ? was : is;
  if (shown === undefined) return undefined;
  const still =
    shown === is ? (wasOff ? 'already allows it' : 'also allows it') : 'still allows it';
  const active = shown.rules.filter(({ isActive }) => isActive);
  for (const rule of active.slice(0, RULES)) {
    const reason = reasonOf(after, rule, { still, isThere: shown === is });
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function reasonOf(
  after: Reaches,
  compiled: CompiledRule,
  { still, isThere }: { readonly still: string; readonly isThere: boolean },
): string | undefined {
  const { world } = after;
  const sources = and(compiled.sources, or(world.today, world.approved));
  const targets = targetsOf(world, compiled);
  const missing = [
    ...(isEmpty(sources) ? ['sources'] : []),
    ...(targets.length === 0 ? ['destinations'] : []),
  ];
  if (missing.length > 0)
    return `rule ${jsonString(compiled.rule.name)} has no ${missing.join(' and no ')}`;
  const { traffic } = compiled;
  const flows = flowsBetween(after, { sources, targets, traffic }).filter(isPossible);
  if (compiled.rule.isDrop) return flows.length === 0 ? 'no rule allows what it drops' : undefined;
  const others = flows.flatMap(({ grants }) => grants.filter(one => !isOf(one, compiled.policy)));
  const [grant] = others;
  if (grant) return `${grantWords(grant)} ${still}`;
  return flows.length > 0 || !isThere
    ? undefined
    : missReason(after, { sources, targets, traffic });
}

// If a source reaches the route as before, nothing is missing.
function routeReason(before: World, after: Reaches, route: Route): string | undefined {
  const { world } = after;
  const wasOn = before.state.routes.some(
    one => one.isEnabled && namesOf(one).some(name => namesOf(route).includes(name)),
  );
  if (!route.isEnabled) return wasOn ? undefined : 'it is disabled';
  const sources = and(world.inGroups(route.distribution), or(world.today, world.approved));
  const targets = routedTargets(world).filter(({ routes }) => routes.includes(route));
  const asked = { sources, targets, traffic: ALL_TRAFFIC };
  return flowsBetween(after, asked).some(isPossible) ? undefined : missReason(after, asked);
}

interface Asked {
  readonly sources: Bits;
  readonly targets: readonly Target[];
  readonly traffic: Traffic;
}

/** The missing conditions of the first pair of a source and a target. */
function missReason(after: Reaches, { sources, targets, traffic }: Asked): string | undefined {
  for (const target of targets)
    for (const source of indexesIn(sources))
      if (source !== itselfIn(after.world, target))
        return nearestMiss(after, source, target, {
          traffic,
          hasPorts: false,
          reading: 'certain',
        }).message;
  return undefined;
}

const isOf = ({ compiled }: Grant, policy: Policy): boolean =>
  compiled !== undefined && namesOf(compiled.policy).some(name => namesOf(policy).includes(name));

function grantWords({ compiled, openRoute }: Grant): string {
  if (openRoute) return `route ${jsonString(openRoute.networkId)}`;
  if (compiled === undefined) return 'another rule';
  const { internetPort } = compiled;
  if (internetPort?.service !== undefined) return `service ${jsonString(internetPort.service)}`;
  return internetPort ? `ingress port ${jsonString(internetPort.key)}` : ruleName(compiled);
}

function targetsOf(world: World, { rule, destinations }: CompiledRule): readonly Target[] {
  const { destination } = rule;
  const machines = [...indexesIn(and(destinations, or(world.today, world.approved)))];
  const isIn = ({ resources }: Target & { readonly type: 'network_resource' | 'route' }) =>
    resources.some(({ resource }) =>
      destination.type === 'groups'
        ? resource.groups.some(group => destination.groups.includes(group))
        : destination.type === 'resource' && namesOf(resource).includes(destination.resource),
    );
  return [
    ...machines.slice(0, TARGETS).map((index): Target => ({ type: 'machine', index })),
    ...routedTargets(world).filter(isIn).slice(0, TARGETS),
  ];
}
