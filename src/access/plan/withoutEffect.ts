// Explains why a change of a policy or route changes no access: another rule already allows the
// same access, the object is disabled, or something is missing. `idleChanges.ts` explains the
// changes of other objects.
import type { Address } from '../../model/names.ts';
import { jsonString } from '../../model/text/visible.ts';
import { isPossible } from '../ask/answerNames.ts';
import { flowsBetween } from '../ask/flows.ts';
import type { Reaches } from '../flows/reaches.ts';
import { itselfIn, routedTargets, type Target } from '../flows/targets.ts';
import { once } from '../routed/computedOnce.ts';
import { and, type Bits, indexesIn, isEmpty, or } from '../sets/bits.ts';
import { ALL_TRAFFIC, type Traffic } from '../sets/traffic.ts';
import type { Named, Route } from '../state/accessState.ts';
import { nearestMiss } from '../why/nearestMiss.ts';
import { ruleName } from '../why/obstacles.ts';
import type { CompiledPolicy, CompiledRule } from '../world/compiledPolicies.ts';
import { namesOf } from '../world/roster.ts';
import type { World } from '../world/world.ts';
import { addressesOf, type Covering, coveringRules } from './coveringRules.ts';

/**
 * The maximum numbers of explained policies and routes, of rules for each policy, and of
 * destinations for each rule.
 */
const OBJECTS = 50;
const RULES = 50;
const TARGETS = 20;

/** The access before and after a plan. */
export interface States {
  readonly before: Reaches;
  readonly after: Reaches;
}

/**
 * Why changed policies and routes have no effect, by the address of the change. `effective`:
 * changes that may affect access, by the names of their objects. `idle`: the changes without
 * effect.
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
      reasonOf: () => reasonFor({ before, after }, was, is),
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
  states: States,
  was: CompiledPolicy | undefined,
  is: CompiledPolicy | undefined,
): string | undefined {
  const isOff = (one: CompiledPolicy) => one.rules.every(({ isActive }) => !isActive);
  const wasOff = was === undefined || isOff(was);
  if (is !== undefined && isOff(is) && wasOff)
    return is.policy.isEnabled ? 'its rules are disabled' : 'it is disabled';
  const shown = is === undefined || isOff(is) ? was : is;
  if (shown === undefined) return undefined;
  const isThere = shown === is;
  const still = isThere ? (wasOff ? 'already' : 'also') : 'still';
  const covered = once(() => {
    const by = coveringRules([states.before, states.after], { was, is });
    return { reason: by && coveredWords(by, still) };
  });
  const active = shown.rules.filter(({ isActive }) => isActive);
  for (const rule of active.slice(0, RULES)) {
    const reason = reasonOf(states.after, rule, { covered: () => covered().reason, isThere });
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** `policy "a", rule "r" already allows it`; `policy "a", rule "r" and policy "b", rule "r" together already allow it`. */
function coveredWords(by: readonly Covering[], still: string): string {
  const [only, ...more] = by.map(coveringWords);
  const last = more.pop();
  if (last === undefined) return `${only} ${still} allows it`;
  return `${[only, ...more].join('; ')} and ${last} together ${still} allow it`;
}

const coveringWords = (one: Covering): string =>
  'number' in one ? ruleName(one) : `route ${jsonString(one.networkId)}`;

function reasonOf(
  after: Reaches,
  compiled: CompiledRule,
  { covered, isThere }: { readonly covered: () => string | undefined; readonly isThere: boolean },
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
  if (flows.length > 0) return covered();
  return isThere ? missReason(after, { sources, targets, traffic }) : undefined;
}

// Why a route has no effect. If a source reaches the route as before, no condition is missing, so
// there is no reason.
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

/** The missing conditions for the first pair of a source and a target. */
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

function targetsOf(world: World, compiled: CompiledRule): readonly Target[] {
  const machines = [...indexesIn(and(compiled.destinations, or(world.today, world.approved)))];
  return [
    ...machines.slice(0, TARGETS).map((index): Target => ({ type: 'machine', index })),
    ...addressesOf(world, compiled).slice(0, TARGETS),
  ];
}
