// The known use of each declared rule and route.

import { type Admission, type Admissions, admissionsIn } from '../../access/admitted/admission.ts';
import type { LintContext } from '../../access/lint/lintContext.ts';
import { acceptCovers } from '../../access/lint/rules/coveredRules.ts';
import {
  type DeclaredRoute,
  type DeclaredRule,
  declaredRoutes,
  declaredRules,
  nameOfRule,
  ruleName,
} from '../../access/narrow/narrowing.ts';
import type { AccessState, Rule } from '../../access/state/accessState.ts';
import { attribute } from '../attribution/attributedFlows.ts';
import { type UsedDays, usedDaysAmong } from '../attribution/usedDays.ts';
import type { Contradiction, RouteUse, RuleUse, Use } from '../attribution/uses.ts';
import { type Coverage, coverageOf } from '../coverage/coverage.ts';
import type { Covered } from '../coverage/gapReasons.ts';
import { type MovedNames, movedNames } from '../coverage/swappedNames.ts';
import { daysIn, type Observed, type ObservedFlow } from '../observed.ts';

/** A declared rule with its uses. */
export interface RuleEvidence {
  readonly rule: DeclaredRule;
  readonly use: RuleUse;
}

/** A declared route with its uses. */
export interface RouteEvidence {
  readonly route: DeclaredRoute;
  readonly use: RouteUse;
}

/** The uses of all declared rules and routes. */
export interface Evidence {
  readonly observed: Observed;
  /** The account with the rules and routes of the files. */
  readonly current: AccessState;
  readonly coverage: Coverage;
  /** The names in files that meant another object in the account at some time in the window. */
  readonly moved: MovedNames;
  readonly rules: readonly RuleEvidence[];
  readonly routes: readonly RouteEvidence[];
  /** The uses of all routes of the account, declared or not. */
  readonly routeUses: readonly RouteUse[];
  /** The flows for which the server names a policy that does not admit them. */
  readonly contradictions: readonly Contradiction[];
  readonly usedDays: UsedDays;
  /** The flows that were in use on at least one day. */
  readonly used: readonly ObservedFlow[];
  /** The length of the window in whole days. */
  readonly days: number;
}

/** The evidence from an observation. `current` is the account with the rules and routes of the files. */
export function evidenceIn(
  context: LintContext,
  observed: Observed,
  current: AccessState,
): Evidence {
  const { rules, routes, contradictions } = attribute(observed, current);
  const ofRule = new Map(rules.map(use => [ruleName(use.policy.key, use.rule.name), use]));
  const ofRoute = new Map(routes.map(use => [use.route.key, use]));
  const usedDays = usedDaysAmong(observed.flows);
  return {
    observed,
    current,
    coverage: coverageOf(observed, current),
    moved: movedNames(observed, current),
    usedDays,
    used: observed.flows.filter(usedDays.isUsed),
    days: daysIn(observed.window),
    contradictions,
    routeUses: routes,
    rules: declaredRules(context).flatMap(rule => {
      const use = ofRule.get(nameOfRule(rule.linted));
      // If the policy keeps rules of the account, it may have more rules than the files declare.
      const isWhole =
        use !== undefined && use.policy.rules.length === rule.linted.policy.rules.length;
      return isWhole ? [{ rule, use }] : [];
    }),
    routes: declaredRoutes(context).flatMap(route => {
      const use = ofRoute.get(route.route.key);
      return use ? [{ route, use }] : [];
    }),
  };
}

/**
 * By the name of a rule, the uses that no narrower rule admits. Without the rule, they would be
 * lost. A use that a wider rule also admits still counts as a use of the narrower rule.
 */
export function ownUses(
  context: LintContext,
  { rules, current }: Pick<Evidence, 'rules' | 'current'>,
): ReadonlyMap<string, readonly Use[]> {
  const byName = new Map(rules.map(one => [nameOfRule(one.rule.linted), one]));
  const narrower = new Map<string, RuleEvidence[]>();
  for (const [linted, { wider }] of acceptCovers(context)) {
    const one = byName.get(nameOfRule(linted));
    if (one === undefined) continue;
    for (const by of wider) {
      const wide = nameOfRule(by);
      narrower.set(wide, [...(narrower.get(wide) ?? []), one]);
    }
  }
  const isTaken = takenIn(current);
  return new Map(
    rules.map(one => {
      const name = nameOfRule(one.rule.linted);
      const others = narrower.get(name) ?? [];
      const admitted = new Set(others.flatMap(({ use }) => use.uses.map(({ flow }) => flow)));
      const own = one.use.uses.filter(
        ({ flow }) => !admitted.has(flow) || !isTaken(flow, one, others),
      );
      return [name, own];
    }),
  );
}

// A narrower rule that the files have changed may no longer admit the flows that it admitted.
function takenIn(
  current: AccessState,
): (flow: ObservedFlow, wide: RuleEvidence, narrower: readonly RuleEvidence[]) => boolean {
  let admissions: Admissions | undefined;
  return (flow, wide, narrower) => {
    admissions ??= admissionsIn(current);
    const found = new Set(admissions.admissionsOf(flow).admissions.map(ruleIn));
    return !found.has(wide.use.rule) || narrower.some(({ use }) => found.has(use.rule));
  };
}

const ruleIn = ({ compiled }: Admission): Rule | undefined => compiled?.rule;

/** The coverage of a rule, or of a part of it. */
export const ruleCoverage = (
  { coverage: known }: Evidence,
  use: RuleUse,
  part?: {
    readonly sourceGroups?: readonly string[];
    readonly destinationGroups?: readonly string[];
  },
): Covered => known.ofRule(use, part);
