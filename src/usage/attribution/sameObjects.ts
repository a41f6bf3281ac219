// Finds the same object in two states. Ids decide; an object without an id, or one that somebody deleted and created again, is
// matched by name.
import type { AccessState, Named, Policy, Rule } from '../../access/state/accessState.ts';

/** The objects of a list by the keys of the same objects in another list. */
export function sameObjects<T extends Named>(
  from: readonly Named[],
  to: readonly T[],
): ReadonlyMap<string, T> {
  const byId = new Map(to.flatMap(one => (one.id === undefined ? [] : [[one.id, one] as const])));
  const same = new Map<string, T>();
  const taken = new Set<T>();
  for (const { key, id } of from) {
    const found = id === undefined ? undefined : byId.get(id);
    if (found === undefined) continue;
    same.set(key, found);
    taken.add(found);
  }
  const byKey = new Map(to.filter(one => !taken.has(one)).map(one => [one.key, one]));
  for (const { key } of from) {
    const found = same.has(key) ? undefined : byKey.get(key);
    if (found !== undefined) same.set(key, found);
  }
  return same;
}

/** The position of the same rule in another version of its policy; undefined if it is gone. */
export function samePosition(rule: Rule, from: Policy, to: Policy): number | undefined {
  const byId = rule.id === undefined ? -1 : to.rules.findIndex(({ id }) => id === rule.id);
  if (byId >= 0) return byId;
  const ids = new Set(from.rules.flatMap(({ id }) => id ?? []));
  const isFree = ({ id }: Rule) => id === undefined || rule.id === undefined || !ids.has(id);
  const byName = to.rules.findIndex(one => one.name === rule.name && isFree(one));
  if (byName >= 0) return byName;
  const isOnly = from.rules.length === 1 && to.rules.length === 1;
  return isOnly ? 0 : undefined;
}

/** The positions in another state of the rules, routes and groups of one state. */
export interface Translation {
  /** The number of the rule among all rules of the other state. */
  readonly rule: (policy: Policy, rule: Rule) => number | undefined;
  /** The position of the route. */
  readonly route: (key: string) => number | undefined;
  readonly group: (key: string) => string | undefined;
}

/** Translates from states into one state. */
export function translatingInto(to: AccessState): (from: AccessState) => Translation {
  const starts = new Map<Policy, number>();
  let next = 0;
  for (const policy of to.policies) {
    starts.set(policy, next);
    next += policy.rules.length;
  }
  const routeAt = new Map(to.routes.map((route, at) => [route, at]));
  return from => {
    const policies = sameObjects(from.policies, to.policies);
    const routes = sameObjects(from.routes, to.routes);
    const groups = sameObjects(from.groups, to.groups);
    const rules = new Map<Rule, number | undefined>();
    const ruleIn = (policy: Policy, rule: Rule): number | undefined => {
      const other = policies.get(policy.key);
      const start = other && starts.get(other);
      const position = other && samePosition(rule, policy, other);
      return start === undefined || position === undefined ? undefined : start + position;
    };
    return {
      rule: (policy, rule) => {
        if (!rules.has(rule)) rules.set(rule, ruleIn(policy, rule));
        return rules.get(rule);
      },
      route: key => {
        const route = routes.get(key);
        return route && routeAt.get(route);
      },
      group: key => groups.get(key)?.key,
    };
  };
}
