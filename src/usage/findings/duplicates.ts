// Rules with the same effect as an earlier rule: without a log it is known that nobody loses anything if they go.
import type { LintContext, LintedRule } from '../../access/lint/lintContext.ts';
import { positionOf } from '../../access/lint/positions.ts';
import { ruleAt } from '../../access/lint/ruleNames.ts';
import { acceptCovers } from '../../access/lint/rules/coveredRules.ts';
import type { Cover } from '../../access/lint/rules/covers.ts';
import {
  type DeclaredRule,
  declaredRules,
  nameOfRule,
  spanOf,
} from '../../access/narrow/narrowing.ts';
import { count } from '../../access/sets/bits.ts';
import { placeText } from '../../model/diagnostic.ts';
import { jsonString } from '../../model/text/visible.ts';
import type { Candidate } from './candidate.ts';

/**
 * The later rule of each two with the same effect. `original` are the rules as the files declare them, by name; `withVariables`
 * are the objects whose text has a variable.
 */
export function duplicates(
  context: LintContext,
  original: ReadonlyMap<string, DeclaredRule>,
  withVariables: ReadonlySet<string> = new Set(),
): readonly Candidate[] {
  const isVariable = ({ whole: { kind, key } }: DeclaredRule) =>
    withVariables.has(`${kind} ${key}`);

  const covers = acceptCovers(context);
  return declaredRules(context).flatMap(one => {
    const equal = covers.get(one.linted)?.equal;
    const rule = original.get(nameOfRule(one.linted));
    const by = equal && original.get(nameOfRule(equal.by));
    return equal && rule && by ? duplicateOf(rule, by.linted, equal.cover, isVariable(by)) : [];
  });
}

function duplicateOf(
  rule: DeclaredRule,
  by: LintedRule,
  cover: Cover,
  isVariable: boolean,
): Candidate {
  const { linted, whole } = rule;
  const at = spanOf({ takes: 'rule', rule });
  const reason = isVariable
    ? 'the other rule contains a variable, which may have another value in another run'
    : cover === 'assuming'
      ? 'the account may have network resources or routes that no file declares'
      : undefined;
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
