// Finds the rules and routes by which one state of the account admits a flow. The result names
// rules and routes of the current state.
import type { Admission, Admissions, Carriage } from '../../access/admitted/admission.ts';
import {
  groupsOf,
  groupsToward,
  type Membership,
  membershipsOf,
} from '../../access/admitted/groupsOf.ts';
import type { PossibleUse } from '../../access/admitted/possibleUse.ts';
import type { World } from '../../access/world/world.ts';
import type { ObservedFlow } from '../observed.ts';
import type { Translation } from './sameObjects.ts';
import { isOnlyBySource } from './usedDays.ts';

/** A rule that admits a flow. */
export interface FoundRule {
  /** The number of the rule among all rules of the current state. */
  readonly at: number;
  readonly isReverse: boolean;
  readonly sourceGroups: readonly string[];
  readonly destinationGroups: readonly string[];
}

/** A route that carries the flow. */
export interface FoundRoute {
  readonly at: number;
  readonly accessControl: readonly string[];
}

export interface AdmittedBy {
  readonly isSourceKnown: boolean;
  readonly isDestinationKnown: boolean;
  /** The rules that admit the flow, even if the current state no longer has them. */
  readonly admissions: readonly Admission[];
  readonly rules: readonly FoundRule[];
  readonly routes: readonly FoundRoute[];
  /**
   * The rules and routes that the flow may have used, by their numbers in the current state. They
   * are given if nothing admits the flow, or if one of its reporters routes domains.
   */
  readonly possible: { readonly rules: readonly number[]; readonly routes: readonly number[] };
}

const NOTHING: PossibleUse = { rules: [], routes: [] };

/** Returns a function that finds what a state shows about flows. */
export function finderIn(
  { world, admissionsOf, possibleUseOf, domainUseOf }: Admissions,
  translation: Translation,
): (flow: ObservedFlow) => AdmittedBy {
  const sidesOf = sidesIn(world, translation);
  const ruleOf = (admission: Admission, source: number): FoundRule | readonly [] => {
    const sides = sidesOf(admission);
    if (sides === null) return [];
    const { isReverse } = admission;
    const { at, near, far } = sides;
    const atSource = near(source);
    return isReverse
      ? { at, isReverse, sourceGroups: far, destinationGroups: atSource }
      : { at, isReverse, sourceGroups: atSource, destinationGroups: far };
  };
  const possibleFor = (flow: ObservedFlow, isAdmitted: boolean): AdmittedBy['possible'] => {
    const byName = domainUseOf(flow, isAdmitted ? 'source' : 'anyone');
    const other = isAdmitted ? NOTHING : possibleUseOf(flow, isOnlyBySource(flow));
    const rules = new Set(byName.rules.concat(other.rules));
    const routes = new Set(byName.routes.concat(other.routes));
    return {
      rules: [...rules].flatMap(({ policy, rule }) => translation.rule(policy, rule) ?? []),
      routes: [...routes].flatMap(({ key }) => translation.route(key) ?? []),
    };
  };
  return flow => {
    const { source, isDestinationKnown, admissions, carriages } = admissionsOf(flow);
    return {
      isSourceKnown: source !== undefined,
      isDestinationKnown,
      admissions,
      rules: source === undefined ? [] : admissions.flatMap(one => ruleOf(one, source)),
      routes: carriages.flatMap(carriage => routeOf(carriage, translation)),
      possible: possibleFor(flow, admissions.length > 0),
    };
  };
}

/** The ids of the policies that admit a flow, or the keys of policies without an id. */
export const policiesIn = (found: readonly AdmittedBy[]): ReadonlySet<string> =>
  new Set(
    found.flatMap(({ admissions }) =>
      admissions.flatMap(({ compiled }) => compiled?.policy.id ?? []),
    ),
  );

function routeOf({ route, rules }: Carriage, translation: Translation): readonly FoundRoute[] {
  const at = translation.route(route.key);
  if (at === undefined) return [];
  const named = new Set(rules.flatMap(({ rule }) => groupsOf(rule.destination)));
  const used = route.accessControl.filter(group => named.has(group));
  return [{ at, accessControl: used.flatMap(group => translation.group(group) ?? []) }];
}

/** The groups on the two sides of an admission: those of the flow's source and those of its destination. */
interface Sides {
  readonly at: number;
  readonly near: Membership;
  readonly far: readonly string[];
}

// A state has few rules and targets but many flows, so values that flows share are computed once.
function sidesIn(world: World, translation: Translation): (admission: Admission) => Sides | null {
  const known = new WeakMap<Admission, Sides | { readonly none: true }>();
  const memberships = membershipsOf(world, group => translation.group(group));
  const lists = new Map<string, readonly string[]>();
  const interned = (list: readonly string[]): readonly string[] => {
    const name = JSON.stringify(list);
    const found = lists.get(name) ?? list;
    lists.set(name, found);
    return found;
  };
  const compute = ({ compiled, isReverse, targets }: Admission): Sides | null => {
    const at = compiled && translation.rule(compiled.policy, compiled.rule);
    if (at === undefined || compiled === undefined) return null;
    const { source, destination } = compiled.rule;
    const [near, far] = isReverse ? [destination, source] : [source, destination];
    const toward = groupsToward(world, far, targets);
    return {
      at,
      near: memberships(near),
      far: interned(toward.flatMap(group => translation.group(group) ?? [])),
    };
  };
  return admission => {
    const found = known.get(admission);
    if (found !== undefined) return 'none' in found ? null : found;
    const sides = compute(admission);
    known.set(admission, sides ?? { none: true });
    return sides;
  };
}
