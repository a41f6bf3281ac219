// The use of each rule and route, by source, destination and port, with the coverage of unused access.

import {
  type FlowEndNames,
  flowEndNames,
  machinesInGroup,
} from '../../access/admitted/flowEndNames.ts';
import { isOtherProtocol, protocolName } from '../../access/admitted/flowTraffic.ts';
import type { RulesOfSelector } from '../../access/admitted/rulesOfSelector.ts';
import { type World, worldOf } from '../../access/world/world.ts';
import { timeText } from '../../model/ending.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import type {
  OddFlow,
  UseCount,
  UseCoverage,
  UsedAccess,
  UsedPart,
  UsedRoute,
  UsedRule,
} from '../../model/usedAccess.ts';
import { flowCount } from '../attribution/flowCount.ts';
import { type SummedUse, summaryOf } from '../attribution/summary.ts';
import { type UsedDays, usedDaysAmong } from '../attribution/usedDays.ts';
import type {
  Attribution,
  Contradiction,
  RouteUse,
  RuleUse,
  Unexplained,
  Use,
} from '../attribution/uses.ts';
import { type Coverage, coverageOf } from '../coverage/coverage.ts';
import { type Covered, reasonText } from '../coverage/gapReasons.ts';
import { daysIn, type Endpoint, type ObservedFlow } from '../observed.ts';

interface Telling {
  readonly world: World;
  readonly names: FlowEndNames;
  readonly used: UsedDays;
  readonly coverage: Coverage;
}

/** The used access of all rules and routes, or of the concerned ones. */
export function usedAccess(attribution: Attribution, concerned?: RulesOfSelector): UsedAccess {
  const { observed, current, rules, routes, unexplained, contradictions } = attribution;
  const { window, flows, gaps } = observed;
  const telling: Telling = {
    world: worldOf(current),
    names: flowEndNames(current),
    used: usedDaysAmong(flows),
    coverage: coverageOf(observed, current),
  };
  const isActive = ({ policy, rule }: RuleUse) =>
    policy.isEnabled && rule.isEnabled && !rule.isDrop;
  const whole = concerned === undefined;
  return {
    observed: {
      from: timeText(window.from),
      to: timeText(window.to),
      days: daysIn(window),
      flows: flowCount(flows, telling.used),
      gaps: gaps.map(({ from, to, reason }) => ({
        from: timeText(from),
        to: timeText(to),
        reason,
      })),
    },
    rules: rules
      .filter(one => isActive(one) && (whole || concerned.rules.has(one.rule)))
      .map(one => usedRule(one, telling)),
    routes: routes
      .filter(({ route }) => route.isEnabled && (whole || concerned.routes.has(route)))
      .map(one => usedRoute(one, telling)),
    unexplained: whole
      ? unexplained.map(one => oddFlow(one.flow, unexplainedText(one), telling))
      : [],
    contradictions: whole
      ? contradictions.map(one => oddFlow(one.flow, contradictionText(one), telling))
      : [],
  };
}

const UNEXPLAINED = {
  'no-rule': 'no rule admits it',
  'no-machine': 'its source is not a machine of the account',
  'unknown-object': 'the account did not have its source or its destination',
  'no-state': 'the account was not observed at that time',
} as const;

const unexplainedText = ({ reason, isAttempt }: Unexplained): string =>
  isAttempt ? `${UNEXPLAINED[reason]}, but may have been refused` : UNEXPLAINED[reason];

const contradictionText = ({ policy, admitted }: Contradiction): string =>
  `the server names the policy id:${policy}, but ${
    admitted.length === 0
      ? 'no policy admits it'
      : `only ${admitted.map(id => `id:${id}`).join(', ')} admit it`
  }`;

function usedRule(one: RuleUse, telling: Telling): UsedRule {
  const { policy, rule, uses, unknown } = one;
  return {
    policy: policy.key,
    ...(policy.id !== undefined && { policy_id: policy.id }),
    rule: rule.name,
    ...(rule.id !== undefined && { rule_id: rule.id }),
    use: countOf(uses, telling),
    coverage: coverageText(telling.coverage.ofRule(one), telling),
    unknown_flows: flowCount(unknown, telling.used),
    access: partsOf(uses, telling),
  };
}

function usedRoute({ route, uses, unknown }: RouteUse, telling: Telling): UsedRoute {
  const groups = new Set(uses.flatMap(({ accessControl }) => accessControl));
  return {
    route: route.networkId,
    ...(route.id !== undefined && { route_id: route.id }),
    use: countOf(uses, telling),
    coverage: coverageText(telling.coverage.ofRoute(route), telling),
    unknown_flows: flowCount(unknown, telling.used),
    access_control: [...groups].map(telling.names.group).sort(compareTexts),
  };
}

function countOf(uses: readonly SummedUse[], { used }: Telling): UseCount {
  const { flows, days, first, last } = summaryOf(uses, used);
  return {
    flows,
    days: days.size,
    ...(first !== undefined && { first_used: timeText(first) }),
    ...(last !== undefined && { last_used: timeText(last) }),
  };
}

const coverageText = (
  { isCovered, machines, reporting, reasons }: Covered,
  { names }: Telling,
): UseCoverage => ({
  covered: isCovered,
  machines: machines.length,
  reporting: reporting.length,
  reasons: reasons.map(reason => reasonText(reason, names.machine)),
});

interface From {
  readonly source: string;
  readonly group?: string;
}

interface Part extends From {
  readonly destination: string;
  readonly use: Use;
}

// A flow through two groups of a rule counts as use of both.
function partsOf(uses: readonly Use[], telling: Telling): readonly UsedPart[] {
  const parts = uses.flatMap(use => partsOfUse(use, telling.names));
  const nameOf = ({ source, destination, use: { flow, isReverse } }: Part) =>
    JSON.stringify([source, destination, isReverse, protocolName(flow), portOf(flow)]);
  return [...Map.groupBy(parts, nameOf)]
    .sort(([one], [other]) => compareTexts(one, other))
    .flatMap(([, [first, ...others]]) => (first ? usedPart(first, others, telling) : []));
}

function partsOfUse(use: Use, names: FlowEndNames): readonly Part[] {
  const { flow, isReverse, sourceGroups, destinationGroups } = use;
  const [near, far] = isReverse ? [flow.destination, flow.source] : [flow.source, flow.destination];
  const sources: readonly From[] =
    sourceGroups.length > 0
      ? sourceGroups.map(group => ({ source: names.group(group), group }))
      : [{ source: names.place(near) }];
  const destinations =
    destinationGroups.length > 0 ? destinationGroups.map(names.group) : [names.place(far)];
  return sources.flatMap(from => destinations.map(destination => ({ ...from, destination, use })));
}

// The use of parts with the same ends and ports.
function usedPart(first: Part, others: readonly Part[], telling: Telling): UsedPart {
  const { source, destination, group, use } = first;
  const uses = [first, ...others].map(part => part.use);
  const machines = summaryOf(uses, telling.used).sources;
  const all = group === undefined ? machines : machinesInGroup(telling.world, group);
  return {
    source,
    destination,
    ...trafficIn(use.flow),
    ...(use.isReverse && { reverse: true as const }),
    use: countOf(uses, telling),
    machines,
    // Some of the machines that used it may have been deleted since.
    of_machines: Math.max(all, machines),
  };
}

// The type of an ICMP message is not a port.
const portOf = (flow: ObservedFlow): number | undefined => {
  const hasPorts = protocolName(flow) !== 'icmp' && !isOtherProtocol(flow);
  return hasPorts ? (flow.port ?? undefined) : undefined;
};

function trafficIn(flow: ObservedFlow): Pick<UsedPart, 'protocol' | 'port'> {
  const port = portOf(flow);
  return { protocol: protocolName(flow), ...(port !== undefined && { port }) };
}

function oddFlow(flow: ObservedFlow, reason: string, { names }: Telling): OddFlow {
  const named = (end: Endpoint) => names.place(end);
  return {
    source: named(flow.source),
    destination: named(flow.destination),
    ...trafficIn(flow),
    days: flow.days.size,
    last: timeText(flow.last),
    reason,
  };
}
