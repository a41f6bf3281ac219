// The section of a page that shows every policy with its rules.
import type {
  AccessPicture,
  PolicyPicture,
  RulePicture,
  RuleSide,
} from '../../model/access/accessPicture.ts';
import { element } from '../graph/markup.ts';
import { counted } from '../text/summary.ts';
import type { Section } from './section.ts';
import { names, table } from './table.ts';

/** The section of the policies. */
export function policiesSection({ policies }: AccessPicture): Section {
  const rows = policies.flatMap(policy => policy.rules.map(rule => rowOf(policy, rule)));
  const without = policies.filter(({ rules }) => rules.length === 0);
  const heads = ['Policy', 'Rule', 'State', 'From', 'To', 'Ports', 'Posture checks'];
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

function rowOf(policy: PolicyPicture, rule: RulePicture) {
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
    ],
    look: isOff ? 'off' : rule.isDrop ? 'drop' : undefined,
  };
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
