// The names of rules and policies in findings, and their paths.
import type { Desired } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import type { LintedRule } from './lintContext.ts';

/** The name of a policy in the files, even if the server stores it in parts. */
export function policyName({ part, key }: Desired): string {
  return quoted(part?.whole ?? key);
}

/** A rule in words, for a sentence. */
export function ruleName({ rule, object }: Pick<LintedRule, 'rule' | 'object'>): string {
  const of = `of policy ${policyName(object)}`;
  return rule.name === '' ? `the unnamed rule ${of}` : `rule ${quoted(rule.name)} ${of}`;
}

/** The path of a rule in its policy, or of a value inside the rule. */
export function ruleAt({ object, rule, index }: LintedRule, ...inside: readonly string[]) {
  return { object, rule: rule.name, path: ['rules', String(index), ...inside] };
}
