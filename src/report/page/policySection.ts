// The section of a page that shows every policy with its rules.
import type {
  AccessPicture,
  PolicyPicture,
  RulePicture,
  RuleSide,
} from '../../model/access/accessPicture.ts';
import { type Diagnostic, placeText } from '../../model/diagnostic.ts';
import { lastUseCell, stoppedText } from '../access/useWords.ts';
import { type Content, element } from '../graph/markup.ts';
import { counted } from '../text/summary.ts';
import { inCode, wrappableText } from './code.ts';
import type { Section } from './section.ts';
import { firstShown, names, table } from './table.ts';

/**
 * The section of the policies. `idle` are findings about rules that the files do not need; undefined if nobody looked for such
 * rules.
 */
export function policiesSection(
  { policies }: AccessPicture,
  idle?: readonly Diagnostic[],
): Section {
  const isObserved = policies.some(({ rules }) => rules.some(({ use }) => use !== undefined));
  const rows = policies.flatMap(policy =>
    policy.rules.map(rule => rowOf(policy, rule, isObserved)),
  );
  const without = policies.filter(({ rules }) => rules.length === 0);
  const heads = ['Policy', 'Rule', 'State', 'From', 'To', 'Ports', 'Posture checks'];
  if (isObserved) heads.push('Last used');
  return {
    id: 'rules',
    title: 'Policies',
    content: [
      idle && idlePart(idle),
      rows.length > 0 && table('Policies and their rules', heads, rows),
      without.length > 0 &&
        element('p', {}, 'Without a rule: ', names(without.map(({ name }) => name))),
    ],
  };
}

function idlePart(idle: readonly Diagnostic[]): Content {
  const heading = element('h3', {}, 'Rules that can go');
  if (idle.length === 0)
    return [
      heading,
      element('p', {}, 'None: each rule accepts or drops traffic that no other rule does.'),
    ];
  const rows = idle.map(({ message, at, hint }) => ({
    cells: [
      element('span', { class: 'said' }, wrappableText(message)),
      at ? inCode(placeText(at)) : '',
      hint ?? '',
    ],
  }));
  return [
    heading,
    table('Rules without an effect of their own', ['Rule', 'Where', 'What to do'], rows),
  ];
}

function rowOf(policy: PolicyPicture, rule: RulePicture, isObserved: boolean) {
  const isOff = !policy.isEnabled || !rule.isEnabled;
  return {
    cells: [
      inCode(policy.name),
      inCode(rule.name),
      stateOf(policy, rule),
      firstShown(rule.from, sideItems),
      firstShown(rule.to, sideItems),
      `${rule.ports.length === 0 ? 'none' : rule.ports.join(' ')}${rule.isBidirectional ? ', both directions' : ''}`,
      policy.checks.length === 0 ? 'none' : names(policy.checks),
      ...(isObserved ? [useItems(rule)] : []),
    ],
    look: isOff ? 'off' : rule.isDrop ? 'drop' : undefined,
  };
}

function useItems({ use }: RulePicture): Content {
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

const sideItems = (sides: readonly RuleSide[]): Content => sides.map(sideItem);

const sideItem = ({ type, name, machines }: RuleSide) =>
  element(
    'div',
    {},
    inCode(name),
    type === 'members' && machines > 0 && ` (${counted(machines, 'machine')})`,
  );
