// Observed flows of which it is unknown what admitted them, such as those of a machine that came and went between two observations.
// A plan may stop them: they may have used a rule or route that it removes.
import { type Admissions, admissionsIn, type ReportedFlow } from '../admitted/admission.ts';
import type { PossibleUse } from '../admitted/possibleUse.ts';
import type { Reaches } from '../flows/reaches.ts';
import type { Target } from '../flows/targets.ts';
import { type Bits, indexesIn, isSubset, minus, noBits, orInto } from '../sets/bits.ts';
import type { Named, Route } from '../state/accessState.ts';
import type { CompiledRule } from '../world/compiledPolicies.ts';
import type { World } from '../world/world.ts';

/** The access that a plan takes away and that a flow may have used. */
export interface PossibleLoss {
  readonly sources: Bits;
  readonly targets: readonly Target[];
}

/**
 * Returns what a flow that nothing admits before a plan may lose by the plan; undefined if it loses
 * nothing.
 */
export function possibleLossesIn(
  before: Reaches,
  after: Reaches,
): (flow: ReportedFlow) => PossibleLoss | undefined {
  const was = admissionsIn(before);
  const is = admissionsIn(after);
  return flow => {
    // The caller knows the observed flows, and checks whether a machine other than the source reported the flow.
    const possible = useIn(was, flow);
    const left = useIn(is, flow);
    const rules = possible.rules.filter(
      rule => !left.rules.some(other => covers(is.world, other, rule, was.world)),
    );
    const routes = possible.routes.filter(
      route => !left.routes.some(other => leadsAsMany(is.world, other, route, was.world)),
    );
    return rules.length + routes.length === 0 ? undefined : lossOf({ rules, routes }, was, flow);
  };
}

const useIn = ({ possibleUseOf, domainUseOf }: Admissions, flow: ReportedFlow): PossibleUse => {
  const use = possibleUseOf(flow, false);
  const byName = domainUseOf(flow, 'anyone');
  return {
    rules: use.rules.concat(byName.rules),
    routes: use.routes.concat(byName.routes),
  };
};

// The sides of rules are compared without the current machines: the machine of the flow is not among them, and the others do not
// matter.
function covers(after: World, rule: CompiledRule, of: CompiledRule, before: World): boolean {
  const isWithin = (one: Bits, other: Bits) =>
    isSubset(minus(one, before.today), minus(other, after.today));
  const checks = new Set(of.policy.checks);
  return (
    isWithin(of.sources, rule.sources) &&
    isWithin(of.destinations, rule.destinations) &&
    rule.policy.checks.every(check => checks.has(check)) &&
    (rule.rule.isBidirectional || !of.rule.isBidirectional)
  );
}

const leadsAsMany = (after: World, route: Route, of: Route, before: World): boolean =>
  isSame(route, of) &&
  isSubset(
    minus(before.inGroups(of.distribution), before.today),
    after.inGroups(route.distribution),
  );

const isSame = (one: Named, other: Named): boolean =>
  one.id === undefined || other.id === undefined ? one.key === other.key : one.id === other.id;

function lossOf(
  { rules, routes }: PossibleUse,
  { world, targetsOf }: Admissions,
  flow: ReportedFlow,
): PossibleLoss {
  const sources = noBits();
  const machines = new Set<number>();
  for (const rule of rules) {
    orInto(sources, rule.sources);
    for (const index of indexesIn(rule.destinations)) machines.add(index);
  }
  for (const { distribution } of routes) orInto(sources, world.inGroups(distribution));
  const targets = targetsOf(flow.destination);
  const behind = [...machines].map((index): Target => ({ type: 'machine', index }));
  return { sources, targets: targets.length > 0 ? targets : behind };
}
