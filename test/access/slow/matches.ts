// What a routing machine knows: the groups that the server sends it, and whose failed checks the server has found by then.
import type { Network, Policy, Resource, Route } from './account.ts';
import type { Someone } from './everyone.ts';
import { passesAs, verdictsOn } from './posture.ts';
import {
  everServing,
  fateOf,
  ids,
  isDestination,
  isInAny,
  isSource,
  isThe,
  passesPosture,
  type World,
} from './world.ts';

/** The enabled policies with an enabled rule about a resource. */
export function concerned(world: World, resource: Resource): Policy[] {
  const holders = ids(resource.groups);
  return world.enabledPolicies.filter(policy =>
    policy.rules.some(rule => {
      if (!rule.enabled) return false;
      if (rule.destinationResource) return rule.destinationResource.id === resource.id;
      return ids(rule.destinations).some(id => holders.includes(id));
    }),
  );
}

/** Whether a policy distributes resources to somebody, posture aside. */
export function isMeant(one: Someone, { rules }: Policy): boolean {
  const first = rules[0]?.sourceResource;
  if (first?.type === 'peer') return isThe(one, first);
  return rules.some(rule => isInAny(one, ids(rule.sources)));
}

/** The routes that the server sends a machine. */
function routesNear(world: World, via: Someone): Route[] {
  return world.account.routes.filter(route => {
    if (everServing(world, route).some(({ name }) => name === via.name)) return true;
    return route.enabled && isInAny(via, route.groups);
  });
}

/** The access-control groups that the server sends a machine. */
export function controlNear(world: World, via: Someone): string[] {
  return routesNear(world, via)
    .filter(({ enabled }) => enabled)
    .flatMap(route => route.access_control_groups ?? []);
}

/** Whether the server sends a machine the members of a group. `action`: of the rule for which that is asked. */
export function isTold(world: World, via: Someone, group: string, action: string): boolean {
  if (via.groups.has(group)) return true;
  const near = routesNear(world, via);
  if (near.some(one => [...(one.peer_groups ?? []), ...one.groups].includes(group))) return true;
  const control = controlNear(world, via);
  if (control.includes(group)) return true;
  const byRule = world.enabledRules.some(one => {
    const { rule } = one;
    const sources = ids(rule.sources);
    const destinations = ids(rule.destinations);
    const isNamed = !rule.destinationResource && destinations.some(id => control.includes(id));
    const atSource = isNamed || isSource(world, via, one, action);
    const atDestination = isNamed || isDestination(via, rule);
    return (
      (atSource && destinations.includes(group) && !rule.destinationResource) ||
      (atDestination && sources.includes(group) && !rule.sourceResource)
    );
  });
  if (byRule) return true;
  return resourceVisits(world, via, action).some(
    ({ policy, isSent }) =>
      isSent &&
      policy.rules.some(rule => [...ids(rule.sources), ...ids(rule.destinations)].includes(group)),
  );
}

/** Whether a single source has a rule at a routing machine: none of its checks is known to have failed. */
export function countsAsSingle(
  world: World,
  one: Someone,
  via: Someone,
  { policy, action }: { readonly policy: Policy; readonly action: string },
): boolean {
  const against = action === 'drop' ? 'accept' : 'drop';
  const looked = [
    ...world.enabledRules
      .filter(({ rule }) => !rule.sourceResource && isInAny(one, ids(rule.sources)))
      .map(each => each.policy),
    ...resourceVisits(world, via, against)
      .filter(({ policy: visited, isOfAll }) =>
        isOfAll ? isMeant(one, visited) : one.name === via.name,
      )
      .map(each => each.policy),
  ];
  const failed = looked.flatMap(each => failedFirst(world, one, each, action));
  return !policy.source_posture_checks.some(id => failed.includes(id));
}

interface Visit {
  readonly policy: Policy;
  readonly isSent: boolean;
  /** Whether all sources of the policy are looked at, or the machine only. */
  readonly isOfAll: boolean;
}

function resourceVisits(world: World, via: Someone, action: string): Visit[] {
  const visits: Visit[] = [];
  for (const network of world.account.networks)
    for (const resource of network.resources.filter(({ enabled }) => enabled)) {
      let isSent = routes(world, via, network);
      for (const policy of concerned(world, resource)) {
        const isOfAll = isSent;
        if (!isSent && !isMeant(via, policy)) continue;
        if (passesPosture(world, via, policy, action)) isSent = true;
        visits.push({ policy, isSent, isOfAll });
      }
    }
  return visits;
}

function routes(world: World, via: Someone, { routers }: Network): boolean {
  return routers.some(
    router => router.enabled && everServing(world, router).some(({ name }) => name === via.name),
  );
}

// The server notes the first check that somebody fails, and looks no further.
function failedFirst({ account, reading }: World, one: Someone, policy: Policy, action: string) {
  const failed: string[] = [];
  for (const id of policy.source_posture_checks) {
    const check = account.posture_checks.find(each => each.id === id);
    if (check && typeof reading === 'object') {
      if (!passesAs(fateOf(reading, one), one.peer, check.checks)) return [...failed, id];
      continue;
    }
    if (!check || !one.peer) continue;
    const found = verdictsOn(one.peer, check.checks);
    const isSeen = found.every(({ seen }) => seen);
    const isFailed = found.some(({ verdict }) => verdict === 'fail');
    const isPassed = found.every(({ verdict }) => verdict === 'pass');
    const isAccept = action === 'accept';
    if (reading === 'seen') {
      if (!isSeen) return [...failed, id];
    } else if (reading === 'unconditional' || reading === 'granted') {
      if ((reading === 'unconditional') === isAccept) failed.push(id);
    } else if ((reading === 'certain') === isAccept) {
      if (!isPassed) failed.push(id);
      if (isFailed) return failed;
    } else {
      if (isFailed) failed.push(id);
      if (!isPassed) return failed;
    }
  }
  return failed;
}
