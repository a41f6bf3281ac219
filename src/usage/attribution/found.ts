// What one state says of a flow, in the terms of the state whose rules and routes get the uses.
import type { Admission, Admissions, Carriage } from '../../access/admitted/admission.ts';
import { groupsOf, groupsToward, groupsWith } from '../../access/admitted/groupsOf.ts';
import { namesOf } from '../../access/world/roster.ts';
import type { World } from '../../access/world/world.ts';
import type { ObservedFlow } from '../observed.ts';
import type { Translation } from './identity.ts';

/** A rule that admits a flow. */
export interface FoundRule {
  /** Its number among all rules of the current state. */
  readonly at: number;
  readonly isReverse: boolean;
  readonly sourceGroups: readonly string[];
  readonly destinationGroups: readonly string[];
}

/** A route that carries it. */
export interface FoundRoute {
  readonly at: number;
  readonly accessControl: readonly string[];
}

export interface Found {
  readonly isSourceKnown: boolean;
  readonly isDestinationKnown: boolean;
  /** Whether anything admits the flow, also what is gone from the current state. */
  readonly isAdmitted: boolean;
  readonly rules: readonly FoundRule[];
  readonly routes: readonly FoundRoute[];
  /** The names of the policies that admit it: ids and keys. */
  readonly policies: readonly string[];
}

/** Tells what a state says of flows. */
export function finderIn(
  { world, of }: Admissions,
  translation: Translation,
): (flow: ObservedFlow) => Found {
  const { sidesOf } = sidesIn(world, translation);
  return flow => {
    const { source, isDestinationKnown, admissions, carriages } = of(flow);
    const rules = admissions.flatMap((admission): readonly FoundRule[] => {
      const { compiled, isReverse } = admission;
      const at = compiled && translation.rule(compiled.policy, compiled.rule);
      if (at === undefined || source === undefined) return [];
      return [{ at, isReverse, ...sidesOf(admission, source) }];
    });
    return {
      isSourceKnown: source !== undefined,
      isDestinationKnown,
      isAdmitted: admissions.length > 0,
      rules,
      routes: carriages.flatMap(carriage => routeOf(carriage, translation)),
      policies: admissions.flatMap(({ compiled }) => (compiled ? namesOf(compiled.policy) : [])),
    };
  };
}

function routeOf({ route, rules }: Carriage, translation: Translation): readonly FoundRoute[] {
  const at = translation.route(route.key);
  if (at === undefined) return [];
  const named = new Set(rules.flatMap(({ rule }) => groupsOf(rule.destination)));
  const used = route.accessControl.filter(group => named.has(group));
  return [{ at, accessControl: used.flatMap(group => translation.group(group) ?? []) }];
}

type Sides = Pick<FoundRule, 'sourceGroups' | 'destinationGroups'>;

// Many flows come by the same few groups.
function sidesIn(world: World, translation: Translation) {
  const known = new Map<string, readonly string[]>();
  const translated = (groups: readonly string[]): readonly string[] => {
    const keys = groups.flatMap(group => translation.group(group) ?? []);
    const name = JSON.stringify(keys);
    const found = known.get(name) ?? keys;
    known.set(name, found);
    return found;
  };
  const sidesOf = ({ compiled, isReverse, targets }: Admission, source: number): Sides => {
    if (compiled === undefined) return { sourceGroups: [], destinationGroups: [] };
    const { rule } = compiled;
    const [near, far] = isReverse
      ? [rule.destination, rule.source]
      : [rule.source, rule.destination];
    const atSource = translated(groupsWith(world, near, source));
    const atTarget = translated(groupsToward(world, far, targets));
    return isReverse
      ? { sourceGroups: atTarget, destinationGroups: atSource }
      : { sourceGroups: atSource, destinationGroups: atTarget };
  };
  return { sidesOf };
}
