// How findings name rules, policies and lists of objects.
import type { Desired } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import type { LintedRule } from './context.ts';

/** How many names a sentence lists. */
const FEW = 3;

/** The name of a policy as the files write it, also where the server keeps it in parts. */
export function policyName({ part, key }: Desired): string {
  return quoted(part?.whole ?? key);
}

/** A rule in a sentence. */
export function ruleName({ rule, object }: Pick<LintedRule, 'rule' | 'object'>): string {
  const of = `of policy ${policyName(object)}`;
  return rule.name === '' ? `the unnamed rule ${of}` : `rule ${quoted(rule.name)} ${of}`;
}

/** A few names, and how many more there are. */
export function fewOf(names: readonly string[]): string {
  const sorted = [...new Set(names)].sort();
  const shown = sorted.slice(0, FEW).map(quoted).join(', ');
  return sorted.length > FEW ? `${shown} and ${sorted.length - FEW} more` : shown;
}

/** The place of a rule in its policy, or of a value inside the rule. */
export function ruleAt({ object, rule, index }: LintedRule, ...inside: readonly string[]) {
  return { object, rule: rule.name, path: ['rules', String(index), ...inside] };
}
