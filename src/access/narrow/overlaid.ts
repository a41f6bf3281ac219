// An account with the policies and routes of files in place of its own.
import equal from 'fast-deep-equal';
import type { AccessState, Named, Policy, Route, Rule, Side } from '../state/accessState.ts';

/**
 * The account with the policies and routes of a version of the files. `before`: the files as they are: what they declare is not kept as the account
 * has it. An account may know its machines by id only: then rules and routes of the same names tell which machine is meant.
 */
export function overlaid(
  account: AccessState,
  before: AccessState,
): (files: AccessState) => AccessState {
  const policyOf = liveOf(account.policies, before.policies, () => false);
  const routeOf = liveOf(account.routes, before.routes, isSameRoute);
  const isPolicyLeft = isUndeclared(before.policies, policyOf);
  const isRouteLeft = isUndeclared(before.routes, routeOf);
  return ({ policies, routes }) => ({
    ...account,
    policies: [
      ...account.policies.filter(isPolicyLeft),
      ...policies.map(policy => withLive(policy, policyOf(policy.key), withMachines)),
    ],
    routes: [
      ...account.routes.filter(isRouteLeft),
      ...routes.map(route => withLive(route, routeOf(route.key), withServer)),
    ],
  });
}

/** The live object of a declared one, by key. */
function liveOf<T extends Named>(
  live: readonly T[],
  declared: readonly T[],
  isSame: (one: T, other: T) => boolean,
): (key: string) => T | undefined {
  const byKey = new Map(live.map(one => [one.key, one]));
  const found = new Map(
    declared.map(one => [one.key, byKey.get(one.key) ?? live.find(other => isSame(one, other))]),
  );
  return key => found.get(key);
}

function isUndeclared<T extends Named>(
  declared: readonly T[],
  of: (key: string) => T | undefined,
): (live: T) => boolean {
  const taken = new Set(declared.map(({ key }) => of(key)));
  return live => !taken.has(live);
}

function withLive<T extends Named>(
  declared: T,
  live: T | undefined,
  translated: (declared: T, live: T) => T,
): T {
  if (!live) return declared;
  const id = declared.id ?? live.id;
  return { ...translated(declared, live), ...(id !== undefined && { id }) };
}

function withMachines(declared: Policy, live: Policy): Policy {
  const rules = declared.rules.map((rule): Rule => {
    const same =
      live.rules.find(({ name }) => name === rule.name) ??
      (declared.rules.length === 1 && live.rules.length === 1 ? live.rules[0] : undefined);
    if (!same) return rule;
    return {
      ...rule,
      ...(same.id !== undefined && { id: same.id }),
      source: sideOf(rule.source, same.source),
      destination: sideOf(rule.destination, same.destination),
    };
  });
  return { ...declared, rules };
}

const sideOf = (declared: Side, live: Side): Side =>
  declared.type === 'machine' && live.type === 'machine' ? live : declared;

function withServer(declared: Route, live: Route): Route {
  const isMachine = declared.servers.machine !== undefined && live.servers.machine !== undefined;
  return isMachine ? { ...declared, servers: live.servers } : declared;
}

// The key of a route has the name of its routing machine, which the account may not show.
const isSameRoute = (one: Route, other: Route): boolean =>
  one.networkId === other.networkId &&
  equal(one.addresses, other.addresses) &&
  one.servers.machine !== undefined &&
  other.servers.machine !== undefined &&
  equal(one.distribution, other.distribution);
