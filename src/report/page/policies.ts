// The section of a page that shows every policy with its rules.
import type {
  AccessPicture,
  PolicyPicture,
  RulePicture,
  RuleSide,
} from '../../model/access/accessPicture.ts';
import type { RuleUse } from '../../model/access/ruleUse.ts';
import { lastUseCell, stoppedText } from '../access/useWords.ts';
import { type Content, element } from '../graph/markup.ts';
import { counted } from '../text/summary.ts';
import type { Section } from './section.ts';
import { names, table } from './table.ts';

/** The section of the policies. `uses`: what was observed of their rules, if a store was read. */
export function policiesSection(
  { policies }: Pick<AccessPicture, 'policies'>,
  uses?: readonly RuleUse[],
): Section {
  const useOf = uses && usesByName(uses);
  const rows = policies.flatMap(policy =>
    policy.rules.map(rule => rowOf(policy, rule, useOf && { use: useOf(policy.name, rule.name) })),
  );
  const without = policies.filter(({ rules }) => rules.length === 0);
  const heads = ['Policy', 'Rule', 'State', 'From', 'To', 'Ports', 'Posture checks'];
  if (uses) heads.push('Last used');
  return {
    id: 'rules',
    title: 'Policies',
    content: [
      rows.length > 0 && table('Policies and their rules', heads, rows),
      without.length > 0 &&
        element('p', {}, 'Without a rule: ', names(without.map(({ name }) => name))),
    ],
  };
}

/** Looks up the use of a rule. */
export function usesByName(
  uses: readonly RuleUse[],
): (policy: string, rule: string) => RuleUse | undefined {
  const nameOf = (policy: string, rule: string) => JSON.stringify([policy, rule]);
  const known = new Map(uses.map(use => [nameOf(use.policy, use.rule), use]));
  return (policy, rule) => known.get(nameOf(policy, rule));
}

interface Observation {
  /** Absent for a rule that accepts nothing. */
  readonly use: RuleUse | undefined;
}

function rowOf(policy: PolicyPicture, rule: RulePicture, observed: Observation | undefined) {
  const isOff = !policy.isEnabled || !rule.isEnabled;
  return {
    cells: [
      element('code', {}, policy.name),
      element('code', {}, rule.name),
      stateOf(policy, rule),
      rule.from.map(sideItem),
      rule.to.map(sideItem),
      `${rule.ports.length === 0 ? 'none' : rule.ports.join(' ')}${rule.isBidirectional ? ', both directions' : ''}`,
      policy.checks.length === 0 ? 'none' : names(policy.checks),
      ...(observed ? [useItems(observed)] : []),
    ],
    look: isOff ? 'off' : rule.isDrop ? 'drop' : undefined,
  };
}

function useItems({ use }: Observation): Content {
  if (use === undefined) return 'accepts nothing';
  const texts = [lastUseCell(use), stoppedText(use)];
  return texts.map(text => text !== undefined && element('div', {}, text));
}

function stateOf(policy: PolicyPicture, rule: RulePicture): string {
  const action = rule.isDrop ? 'drops' : 'accepts';
  if (!policy.isEnabled) return `policy disabled (${action})`;
  if (!rule.isEnabled) return `rule disabled (${action})`;
  return policy.isTemporary ? `${action}, temporary` : action;
}

const sideItem = ({ type, name, machines }: RuleSide) =>
  element(
    'div',
    {},
    element('code', {}, name),
    type === 'members' && machines > 0 && ` (${counted(machines, 'machine')})`,
  );
