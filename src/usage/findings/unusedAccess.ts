// Access that nobody used, or only few machines: rules, their parts, and routes.
import type { LintContext } from '../../access/lint/lintContext.ts';
import {
  declaredRules,
  groupsOf,
  nameOfRule,
  routeOf,
  ruleOf,
} from '../../access/narrow/narrowing.ts';
import type { KindName } from '../../model/names.ts';
import type { ObjectUse } from '../../model/tightening.ts';
import type { Candidate } from './candidate.ts';
import { type Evidence, ownUses, type RuleEvidence, ruleCoverage } from './evidence.ts';
import { objectUse } from './judged.ts';
import { fewResources } from './resourceFindings.ts';
import { routes } from './routeFindings.ts';
import { groups, reverse, wholeRule } from './ruleFindings.ts';
import { traffic } from './trafficFindings.ts';

/** The findings about all routes, and about all rules that `isLeftOut` does not leave out. */
export function unusedAccess(
  context: LintContext,
  evidence: Evidence,
  leftOut: ReadonlySet<string>,
): readonly Candidate[] {
  const own = ownUses(context, evidence);
  const nounOf = nounsOf(context);
  const ofRules = evidence.rules
    .filter(({ rule }) => !leftOut.has(nameOfRule(rule.linted)))
    .flatMap(one => {
      const uses = own.get(nameOfRule(one.rule.linted)) ?? [];
      const whole = wholeRule(one, uses, { evidence, nounOf });
      return whole ? [whole] : partsOf(one, evidence);
    });
  return [...ofRules, ...routes(evidence, context.world, nounOf)];
}

const partsOf = (one: RuleEvidence, evidence: Evidence): readonly Candidate[] => [
  ...groups(one, evidence),
  ...reverse(one, evidence),
  ...traffic(one, evidence),
  ...fewResources(one, evidence),
];

/** Rules and groups that the edits have made unnecessary. `later` are the files after the edits. */
export function unusedLater(
  later: LintContext,
  context: LintContext,
  evidence: Evidence,
): readonly Candidate[] {
  const own = ownUses(later, evidence);
  const nounOf = nounsOf(context);
  const left = new Map(declaredRules(later).map(({ linted }) => [nameOfRule(linted), linted.rule]));
  return evidence.rules.flatMap(one => {
    const name = nameOfRule(one.rule.linted);
    const rule = left.get(name);
    if (!rule) return [];
    const uses = own.get(name) ?? [];
    if (uses.length === 0) return wholeRule(one, uses, { evidence, nounOf }) ?? [];
    return fewResources(one, evidence, groupsOf(rule.destination));
  });
}

const nounsOf =
  ({ kinds }: LintContext) =>
  (kind: KindName): string =>
    kinds.get(kind)?.noun ?? kind;

/** The observed use of the rule or route of a candidate. */
export function useOf({ narrowings }: Candidate, evidence: Evidence): ObjectUse | undefined {
  const [narrowing] = narrowings;
  if (!narrowing) return undefined;
  const rule = ruleOf(narrowing);
  if (!rule) {
    const own = routeOf(narrowing);
    const found = evidence.routes.find(({ route }) => route === own);
    if (!found) return undefined;
    const flows = found.use.uses.map(({ flow }) => flow);
    return objectUse(flows, evidence.coverage.ofRoute(found.use.route), evidence);
  }
  const name = nameOfRule(rule.linted);
  const found = evidence.rules.find(one => nameOfRule(one.rule.linted) === name);
  if (!found) return undefined;
  const flows = found.use.uses.map(({ flow }) => flow);
  return objectUse(flows, ruleCoverage(evidence, found.use), evidence);
}
