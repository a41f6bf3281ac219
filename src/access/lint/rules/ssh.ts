// SSH_ALL_TCP and SSH_TO_RESOURCE: effects of the protocol `netbird-ssh` other than SSH.

import { firstNames } from '../../gates/firstNames.ts';
import type { Lint } from '../lint.ts';
import type { LintedRule } from '../lintContext.ts';
import { ruleAt, ruleName } from '../ruleNames.ts';

const isSsh = ({ compiled, rule }: LintedRule): boolean =>
  compiled.isActive && rule.protocol === 'netbird-ssh';

/** Finds the SSH rules between peers that open every TCP port. */
export const sshOnAllPorts: Lint = ({ rules }) =>
  rules
    .filter(isSsh)
    .filter(({ rule, leadsToMachines }) => {
      return rule.ports.length === 0 && rule.ranges.length === 0 && leadsToMachines;
    })
    .map(linted => ({
      ...ruleAt(linted, 'protocol'),
      message: `${ruleName(linted)} has protocol netbird-ssh and no ports, which ${linted.rule.isDrop ? 'drops' : 'opens'} all TCP ports between peers`,
      hint: 'write `ports: ["22"]`',
    }));

/** Finds the SSH rules that lead to a network resource. */
export const sshToResources: Lint = ({ rules }) =>
  rules.filter(isSsh).flatMap(linted => {
    const { rule, resources } = linted;
    const isSingle = rule.destination.type === 'resource';
    const targets =
      rule.destination.type === 'resource'
        ? [rule.destination.resource]
        : resources.map(({ key }) => key);
    if (targets.length === 0) return [];
    return {
      ...ruleAt(linted, isSingle ? 'destinationResource' : 'destinations'),
      message: `${ruleName(linted)} has protocol netbird-ssh, which has no effect toward network resources (${firstNames(targets)})`,
      hint: 'for network resources write a rule of protocol tcp with port 22',
    };
  });
