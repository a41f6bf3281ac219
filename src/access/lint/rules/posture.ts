// POSTURE_SKIPPED and POSTURE_DANGLING: posture checks without effect.
import { quoted } from '../../../model/text/visible.ts';
import { firstNames } from '../../gates/firstNames.ts';
import type { Lint } from '../lint.ts';
import { policyName, ruleAt, ruleName } from '../ruleNames.ts';

/** Finds the rules for which the server ignores the posture checks of their policy. */
export const skippedPosture: Lint = ({ rules }) =>
  rules
    .filter(({ compiled, policy }) => compiled.isActive && policy.checks.length > 0)
    .flatMap(linted => {
      const { rule, policy, leadsToMachines } = linted;
      if (rule.source.type !== 'machine' || !leadsToMachines) return [];
      const checks = policy.checks.length === 1 ? 'posture check' : 'posture checks';
      return {
        ...ruleAt(linted, 'sourceResource'),
        message: `${ruleName(linted)} has the peer ${quoted(rule.source.machine)} as its only source, so for peers as destinations the server ignores the ${checks} ${firstNames(policy.checks)}`,
        hint: 'put the peer into a group and write the group under `sources`',
      };
    });

/** Finds the posture checks to which enabled policies refer and which no file declares. */
export const danglingPosture: Lint = ({ state, declared, isDeleted, objects }) => {
  const bound = new Set(
    objects.flatMap(({ kind, lifecycle: { id } }) =>
      kind === 'posture_check' && id !== undefined ? [`id:${id}`] : [],
    ),
  );
  const isDeclared = (key: string) =>
    bound.has(key) || declared('posture_check', key) !== undefined;
  return state.policies
    .filter(({ isEnabled }) => isEnabled)
    .flatMap(policy => {
      const object = declared('policy', policy.key);
      if (!object) return [];
      return policy.checks.flatMap((check, at) => {
        if (isDeclared(check)) return [];
        const why = isDeleted('posture_check', check) ? 'these files delete' : 'no file declares';
        return {
          object,
          path: ['source_posture_checks', String(at)],
          message: `policy ${policyName(object)} relies on posture check ${quoted(check)}, which ${why}: once the account has no such check, every machine passes`,
          hint: 'declare the posture check, or remove it from the policy',
        };
      });
    });
};
