// The used access as text and as CSV.

import { jsonString, visible } from '../../model/text/visible.ts';
import { daysOfText, flowsText, inTheseDays } from '../../model/usageWords.ts';
import type {
  OddFlow,
  UseCount,
  UseCoverage,
  UsedAccess,
  UsedPart,
} from '../../model/usedAccess.ts';
import { csvText } from '../access/accessCsv.ts';
import type { Style } from '../text/style.ts';
import { counted } from '../text/summary.ts';

/** The maximum number of reasons, and of flows that no rule explains. */
const FEW = 5;

/** The used access as text, with a paragraph for each rule and route. */
export function usedAccessText(used: UsedAccess, style: Style): string {
  const { observed, rules, routes, unexplained, contradictions } = used;
  const blocks = [
    [
      `Observed from ${dayText(observed.from)} to ${dayText(observed.to)}: ${counted(observed.days, 'day')}, ${flowsText(observed.flows)}.`,
      ...observed.gaps.map(
        ({ from, reason }) => `Incomplete since ${dayText(from)}: ${visible(reason)}.`,
      ),
    ],
    ...rules.map(({ policy, rule, use, coverage, unknown_flows, access }) => [
      style.strong(`policy ${jsonString(policy)}, rule ${jsonString(rule)}`),
      `  ${useText(use, observed.days)}${unknownText(unknown_flows)}`,
      ...coverageLines(coverage),
      ...access.map(part => `  ${partText(part)}`),
    ]),
    ...routes.map(({ route, use, coverage, unknown_flows, access_control }) => [
      style.strong(`route ${jsonString(route)}`),
      `  ${useText(use, observed.days)}${unknownText(unknown_flows)}`,
      ...coverageLines(coverage),
      ...(access_control.length > 0 ? [`  by ${access_control.map(visible).join(', ')}`] : []),
    ]),
    oddLines('Flows that no rule explains', unexplained, style),
    oddLines('Flows for which the server names another policy', contradictions, style),
  ];
  return blocks
    .filter(lines => lines.length > 0)
    .map(lines => lines.map(line => `${line}\n`).join(''))
    .join('\n');
}

const dayText = (time: string): string => time.slice(0, 10);

/** `last used 2026-11-14, on 41 of 45 days, 12,408 flows`. */
function useText({ last_used, days, flows }: UseCount, ofDays: number): string {
  if (last_used === undefined) return `not used ${inTheseDays(ofDays)}`;
  return `last used ${dayText(last_used)}, on ${daysOfText(days, Math.max(days, ofDays))}, ${flowsText(flows)}`;
}

const unknownText = (flows: number): string =>
  flows === 0 ? '' : `; ${flowsText(flows)} may have used it`;

function coverageLines({ covered, machines, reporting, reasons }: UseCoverage): readonly string[] {
  const seen = `${reporting} of ${counted(machines, 'machine')} that would admit this access reported`;
  if (covered) return [`  covered: ${seen}`];
  const more = reasons.length - FEW;
  return [
    `  not covered: ${seen}`,
    ...reasons.slice(0, FEW).map(reason => `    ${reason}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ];
}

function partText({
  source,
  destination,
  reverse,
  use,
  machines,
  of_machines,
  ...traffic
}: UsedPart): string {
  const arrow = reverse ? '←' : '→';
  const last = dayText(use.last_used ?? '');
  return `${visible(source)} ${arrow} ${visible(destination)}  ${trafficText(traffic)}  last ${last}, ${counted(use.days, 'day')}, ${machines} of ${counted(of_machines, 'machine')}`;
}

const trafficText = ({ protocol, port }: Pick<UsedPart, 'protocol' | 'port'>): string =>
  port === undefined ? protocol : `${protocol}/${port}`;

function oddLines(title: string, flows: readonly OddFlow[], style: Style): readonly string[] {
  if (flows.length === 0) return [];
  const more = flows.length - FEW;
  return [
    style.strong(`${title}: ${flows.length}`),
    ...flows
      .slice(0, FEW)
      .map(
        ({ source, destination, last, reason, ...traffic }) =>
          `  ${visible(source)} → ${visible(destination)}  ${trafficText(traffic)}  last ${dayText(last)}: ${visible(reason)}`,
      ),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

const HEAD = [
  'policy_name',
  'policy_id',
  'rule_name',
  'rule_id',
  'source',
  'destination',
  'protocol',
  'port',
  'direction',
  'last_used',
  'days',
  'machines',
  'of_machines',
  'flows',
  'coverage',
];

/** The used access as CSV: a line for each part of a rule, and for a rule without use. */
export function usedAccessCsv({ rules }: UsedAccess): string {
  const lines = rules.flatMap(
    ({ policy, policy_id = '', rule, rule_id = '', coverage, access }) => {
      const own = [policy, policy_id, rule, rule_id];
      const covered = coverage.covered ? 'covered' : coverage.reasons.join('; ');
      if (access.length === 0)
        return [[...own, '', '', '', '', '', '', '0', '0', '', '0', covered]];
      return access.map(part => [
        ...own,
        part.source,
        part.destination,
        part.protocol,
        String(part.port ?? ''),
        part.reverse ? 'reverse' : 'forward',
        part.use.last_used ?? '',
        String(part.use.days),
        String(part.machines),
        String(part.of_machines),
        String(part.use.flows),
        covered,
      ]);
    },
  );
  return csvText([HEAD, ...lines]);
}
