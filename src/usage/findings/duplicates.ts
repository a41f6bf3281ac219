// Rules with the same effect as an earlier rule. Nobody loses access if they are removed, so no log
// is needed to know this.
import type { LintContext, LintedRule } from '../../access/lint/lintContext.ts';
import { positionOf } from '../../access/lint/positions.ts';
import { ruleAt } from '../../access/lint/ruleNames.ts';
import { acceptCovers, type CoverOfRule } from '../../access/lint/rules/coveredRules.ts';
import {
  type DeclaredRule,
  declaredRules,
  nameOfRule,
  spanOf,
} from '../../access/narrow/narrowing.ts';
import { count } from '../../access/sets/bits.ts';
import { ignoredAccess } from '../../access/state/ignoredFields.ts';
import { placeText } from '../../model/diagnostic.ts';
import { jsonString } from '../../model/text/visible.ts';
import type { Candidate } from './candidate.ts';

/** Facts besides the files. */
export interface Known {
  /** The objects whose declaration contains a variable, as `kind key`. */
  readonly withVariables?: ReadonlySet<string> | undefined;
  /** Whether the account is known. If it is, the candidates are tried on it. */
  readonly isAccountKnown: boolean;
}

/**
 * The later rule of each pair of rules with the same effect. `original`: the rules as the files
 * declare them, by name.
 */
export function duplicates(
  context: LintContext,
  original: ReadonlyMap<string, DeclaredRule>,
  known: Known,
): readonly Candidate[] {
  const covers = acceptCovers(context);
  return declaredRules(context).flatMap(one => {
    const equal = covers.get(one.linted)?.equal;
    const rule = original.get(nameOfRule(one.linted));
    const by = equal && original.get(nameOfRule(equal.by));
    return equal && rule && by
      ? duplicateOf(rule, by.linted, doubtOf([rule, by], equal, known))
      : [];
  });
}

// Why it is not certain that both rules have the same effect.
function doubtOf(
  [rule, by]: readonly [DeclaredRule, DeclaredRule],
  { cover }: NonNullable<CoverOfRule['equal']>,
  { withVariables, isAccountKnown }: Known,
): string | undefined {
  if (withVariables?.has(`${by.whole.kind} ${by.whole.key}`))
    return 'the other rule contains a variable, which may have another value in another run';
  if (cover === 'assuming')
    return 'the account may have network resources or routes that no file declares';
  const ignored = [by.whole, rule.whole].flatMap(ignoredAccess).at(0);
  return ignored === undefined || isAccountKnown
    ? undefined
    : `\`lifecycle.ignore\` names ${ignored}, so only the account has its value: a store of observed traffic shows it`;
}

function duplicateOf(rule: DeclaredRule, by: LintedRule, reason: string | undefined): Candidate {
  const { linted, whole } = rule;
  const at = spanOf({ takes: 'rule', rule });
  return {
    object: whole,
    narrowings: [{ takes: 'rule', rule }],
    breadth: breadthOf(rule),
    finding: {
      type: 'duplicate-rule',
      object: { kind: whole.kind, key: whole.key, rule: linted.rule.name, at },
      at,
      what: 'rule',
      observed: `has the same effect as ${otherRule(by)}`,
      edit: 'remove',
      state: reason === undefined ? 'certain' : 'unknown',
      ...(reason !== undefined && { reason }),
    },
  };
}

// `rule "ssh" of policy "engineers" (network.yaml:5:13)`.
const otherRule = (by: LintedRule): string =>
  `rule ${jsonString(by.rule.name)} of policy ${jsonString(by.object.part?.whole ?? by.object.key)} (${placeText(positionOf(ruleAt(by)))})`;

/** The number of pairs of a source and a destination that a rule covers. */
export const breadthOf = ({ linted: { compiled } }: DeclaredRule): number =>
  Math.max(count(compiled.sources), 1) * Math.max(count(compiled.destinations), 1);
