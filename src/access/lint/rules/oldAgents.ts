// RANGE_OLD_AGENT: the server does not send port ranges to agents older than 0.48, except to
// routing peers, which get them whatever their version.
import { isObject } from '../../../model/value.ts';
import { minimumUnderstandsRanges, understandsRanges } from '../../posture/agentVersion.ts';
import type { PostureCheck, Side } from '../../state/accessState.ts';
import type { Lint } from '../lint.ts';
import type { LintContext, LintedRule } from '../lintContext.ts';
import { ruleAt, ruleName } from '../ruleNames.ts';

/** Finds the enabled rules between peers with port ranges that an old agent would not receive. */
export const rangesForOldAgents: Lint = context =>
  context.rules
    .filter(({ compiled, rule }) => compiled.isActive && rule.ports.length === 0)
    .flatMap(linted => {
      const ranges = linted.rule.ranges.filter(({ start, end }) => start !== end);
      if (ranges.length === 0 || !mayBeOld(linted, context)) return [];
      const texts = ranges.map(({ start, end }) => `${start}-${end}`).join(', ');
      const effect = linted.rule.isDrop ? 'does not drop' : 'does not open';
      return {
        ...ruleAt(linted, 'port_ranges'),
        message: `${ruleName(linted)} ${effect} ports ${texts} on a peer with an agent older than 0.48, which does not receive ranges`,
        hint: linted.rule.isDrop
          ? 'list the ports under `ports`'
          : 'list the ports under `ports`, or demand `nb_version_check: { min_version: 0.48.0 }` in a posture check of the policy',
      };
    });

// The server leaves ranges out if the admitting machine has an old agent. A posture check that
// requires a new version guarantees support for ranges only for accepted traffic.
function mayBeOld(linted: LintedRule, { world }: LintContext): boolean {
  const { rule, policy, leadsToMachines } = linted;
  if (!leadsToMachines) return false;
  const admitting = rule.isBidirectional ? [rule.destination, rule.source] : [rule.destination];
  const isKnownNew = (side: Side): boolean => {
    const index = side.type === 'machine' ? world.machineOf(side.machine) : undefined;
    const facts = index === undefined ? {} : world.factsAt(index);
    return facts.version !== undefined && understandsRanges(facts);
  };
  if (admitting.every(isKnownNew)) return false;
  if (rule.isDrop) return true;
  return !world.verdicts.checksOf(policy).some(demandsRanges);
}

function demandsRanges({ checks }: PostureCheck): boolean {
  const check = checks?.nb_version_check;
  return isObject(check) && minimumUnderstandsRanges(check);
}
