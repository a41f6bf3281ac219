// Whether the same members reach a target in two states, whatever the results of posture checks. This is decided without
// computing who reaches it.
import type { Reaches } from '../flows/reaches.ts';
import type { RoutedTarget, Target } from '../flows/targets.ts';
import { perWorld } from '../routed/computedOnce.ts';
import { routingOf } from '../routed/networkRouting.ts';
import { decidingAt } from '../routed/policiesAt.ts';
import { servedRoutes } from '../routed/servedRoutes.ts';
import { type Bits, bitsOf } from '../sets/bits.ts';
import { NO_TRAFFIC } from '../sets/traffic.ts';
import type { CompiledRule } from '../world/compiledPolicies.ts';
import { namesOf } from '../world/roster.ts';
import type { World } from '../world/world.ts';
import { conditionNames } from './machineOutcomes.ts';
import { textOf } from './outcomes.ts';

/** True only if everybody reaches the target in the same way in both states. False proves nothing. */
export function isSameReachAt(one: Reaches, other: Reaches, target: Target): boolean {
  if (one === other) return true;
  if (!haveSameMachines(one.world, other.world)) return false;
  if (target.type === 'machine') {
    const names = conditionNames(one, target);
    const others = conditionNames(other, target);
    return names.size === others.size && names.isSubsetOf(others);
  }
  if (isLedIn(one.world, target) !== isLedIn(other.world, target)) return false;
  const text = textAt(one, target);
  return text !== undefined && text === textAt(other, target);
}

// Whether the name of a target leads to the target in this state. If it does so only in the other
// state, no source reaches the target here.
const isLedIn = ({ names }: World, { served, leadingTarget }: RoutedTarget): boolean =>
  leadingTarget === undefined ||
  names.movedOf(served, leadingTarget.by).some(({ id }) => id === leadingTarget.place);

// Cached, because this runs for each target, and the strings of thousands of machines are long.
function haveSameMachines(one: World, other: World): boolean {
  const ofOne = compared(one);
  const found = ofOne.get(other) ?? machinesIn(one).text === machinesIn(other).text;
  ofOne.set(other, found);
  return found;
}

const compared = perWorld((_: World) => new WeakMap<World, boolean>());

// The known facts of machines. Plans rarely change any of them.
const machinesIn = perWorld(({ state, size, machineAt }: World) => ({
  text: JSON.stringify([
    size,
    ...Array.from({ length: size }, (_, index) => {
      const { facts, awaitsApproval, isLoginExpired } = machineAt(index) ?? {};
      return [facts, awaitsApproval, isLoginExpired];
    }),
    state.checks.some(({ checks }) => checks === null),
  ]),
}));

const known = new WeakMap<Reaches, Map<string, string | undefined>>();

/**
 * A string that is the same for states in which an address is reached in the same way; undefined if
 * this depends on too many facts.
 */
function textAt(reaches: Reaches, { served: address }: RoutedTarget): string | undefined {
  const texts = known.get(reaches) ?? new Map<string, string | undefined>();
  known.set(reaches, texts);
  if (!texts.has(address)) texts.set(address, textIn(reaches, address));
  return texts.get(address);
}

function textIn({ world, pool }: Reaches, address: string): string | undefined {
  const { policies, isByCheck } = decidingAt(world, address);
  const numberOf = (bits: Bits) => pool.entry(false, NO_TRAFFIC, bits).id;
  const resources = world.state.networks.flatMap(network =>
    network.resources
      .filter(one => one.address === address && one.isEnabled)
      .map(() => {
        const { routing, servers } = routingOf(world, network);
        return [world.siteOf(network, address), numberOf(routing), numberOf(bitsOf(servers))];
      }),
  );
  const all = servedRoutes(world);
  const routes = all.filter(({ route }) => route.addresses.includes(address));
  // Undefined, because the policies that the server sends to the routing machines of such a route depend on too many other
  // objects.
  if (isByCheck || routes.some(({ route }) => route.accessControl.length > 0)) return undefined;
  const rules = [...policies].map(({ policy, rules: own }) => [
    textOf(world.verdicts.requiredBy(policy)),
    own.map(({ rule, isActive, traffic, sources, destinations }) => [
      isActive,
      rule.source.type,
      rule.protocol,
      pool.entry(rule.isDrop, traffic, sources).id,
      numberOf(destinations),
    ]),
  ]);
  return JSON.stringify([
    rules,
    resources,
    openedAt(world, address).map(({ traffic, sources, internetPort }) => [
      internetPort?.resource,
      internetPort?.isCalledDirectly,
      pool.entry(false, traffic, sources).id,
    ]),
    routes.map(({ route, servers, serving, distribution }) => [
      route.networkId,
      route.isEnabled,
      route.addresses,
      numberOf(bitsOf(servers)),
      numberOf(serving),
      numberOf(distribution),
    ]),
  ]);
}

// The rules for ports that services open at network resources with this address. These ports do not depend on policies.
function openedAt({ state, internetRules }: World, address: string): readonly CompiledRule[] {
  const names = new Set(
    state.networks.flatMap(({ resources }) =>
      resources.filter(one => one.address === address && one.isEnabled).flatMap(namesOf),
    ),
  );
  return internetRules
    .flatMap(({ rules }) => rules)
    .filter(({ internetPort }) => names.has(internetPort?.resource ?? ''));
}
