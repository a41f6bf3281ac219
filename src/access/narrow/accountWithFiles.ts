// An account whose policies and routes are replaced by those of files.
import equal from 'fast-deep-equal';
import { idInKey } from '../../model/key.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import type { AccessState, Named, Policy, Route, Rule, Side } from '../state/accessState.ts';
import type { IgnoredFields } from '../state/ignoredFields.ts';

/** An account with the policies and routes of some version of the files. */
export interface AccountWithFiles {
  /** The account with these files. */
  readonly whole: (files: AccessState) => AccessState;
  /** The account without undeclared policies and routes, because an apply may delete them; undefined if the account has none. */
  readonly declared: ((files: AccessState) => AccessState) | undefined;
}

/**
 * The account with the policies and routes of a version of the files. `before`: the current files;
 * policies and routes that they declare are not copied from the account. If the account identifies
 * machines only by id, rules and routes with the same names show which machine is meant. The fields
 * in `ignored` keep their values in the account.
 */
export function accountWithFiles(
  account: AccessState,
  before: AccessState,
  ignored: IgnoredFields,
): AccountWithFiles {
  const policyOf = liveOf(account.policies, before.policies, []);
  const routeOf = liveOf(account.routes, before.routes, sameRoutes(account));
  const leftPolicies = account.policies.filter(isUndeclared(before.policies, policyOf));
  const leftRoutes = account.routes.filter(isUndeclared(before.routes, routeOf));
  const declared = ({ policies, routes }: AccessState): AccessState => ({
    ...account,
    policies: policies.map(policy =>
      withLive(policy, policyOf(policy.key), (own, live) => ({
        ...withMachines(own, live),
        ...ignored.ofPolicy(own.key, live),
      })),
    ),
    routes: routes.map(route =>
      withLive(route, routeOf(route.key), (own, live) => ({
        ...withServer(own, live),
        ...ignored.ofRoute(own.key, live),
      })),
    ),
  });
  const isWhole = leftPolicies.length + leftRoutes.length === 0;
  return {
    whole: files => {
      const { policies, routes, ...rest } = declared(files);
      return {
        ...rest,
        policies: [...leftPolicies, ...policies],
        routes: [...leftRoutes, ...routes],
      };
    },
    declared: isWhole ? undefined : declared,
  };
}

/**
 * The live object of each declared object, by the key of the declared object. Objects are paired
 * first by id, then by key, then by each test in order. Each live object is paired only once.
 */
function liveOf<T extends Named>(
  live: readonly T[],
  declared: readonly T[],
  tests: readonly ((declared: T, live: T) => boolean)[],
): (key: string) => T | undefined {
  const found = new Map<string, T>();
  const free = new Set(live);
  for (const isSame of [hasSameId, hasSameKey, ...tests])
    for (const one of declared) {
      const same = found.has(one.key) ? undefined : [...free].find(other => isSame(one, other));
      if (same === undefined) continue;
      found.set(one.key, same);
      free.delete(same);
    }
  return key => found.get(key);
}

const hasSameId = (one: Named, other: Named): boolean =>
  one.id !== undefined && one.id === other.id;
const hasSameKey = (one: Named, other: Named): boolean => one.key === other.key;

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

// Files and API responses identify routes by different keys. In files, the key consists of the
// network id, the range and the routing machines.
function sameRoutes({ groups }: AccessState): readonly ((one: Route, other: Route) => boolean)[] {
  const names = new Map(groups.map(({ key, id }) => [`id:${id}`, key]));
  const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
    equal(sortedNames(one, names), sortedNames(other, names));
  const leadsToSame = (one: Route, other: Route): boolean =>
    one.networkId === other.networkId && isSameList(one.addresses, other.addresses);
  return [
    (one, other) =>
      leadsToSame(one, other) &&
      one.servers.machine === other.servers.machine &&
      isSameList(one.servers.groups, other.servers.groups),
    // The account may not show the name of the routing machine.
    (one, other) =>
      leadsToSame(one, other) &&
      one.servers.machine !== undefined &&
      idInKey(other.servers.machine ?? '') !== null &&
      isSameList(one.distribution, other.distribution),
  ];
}

const sortedNames = (
  list: readonly string[],
  names: ReadonlyMap<string, string>,
): readonly string[] => list.map(one => names.get(one) ?? one).sort(compareTexts);
