// RANGE_REDUNDANT: ports, port ranges, address ranges and network resources that lie inside another one.
import { bits, masked, type Prefix, parseIp, parsePrefix } from '../../../kinds/values/ip.ts';
import { quoted } from '../../../model/text/visible.ts';
import { isList, isObject, type Json } from '../../../model/value.ts';
import type { Network, PortRange, Resource } from '../../state/accessState.ts';
import { namesOf } from '../../world/roster.ts';
import type { Found, Lint } from '../lint.ts';
import type { LintContext, LintedRule } from '../lintContext.ts';
import { ruleAt, ruleName } from '../ruleNames.ts';

/** Finds the ranges that other ranges of the same list make redundant, or overlap. */
export const redundantRanges: Lint = context => [
  ...context.rules.flatMap(portsIn),
  ...context.objects.flatMap(object =>
    object.kind === 'posture_check' ? addressRangesIn(object) : [],
  ),
  ...context.state.networks.flatMap(network => resourcesIn(network, context)),
];

function portsIn(linted: LintedRule): readonly Found[] {
  const { ports, ranges } = linted.rule;
  const repeated = ports.flatMap((port, at) => {
    const first = ports.findIndex(other => Number(other) === Number(port));
    if (first === at) return [];
    return {
      ...ruleAt(linted, 'ports', String(at)),
      message: `${ruleName(linted)} lists port ${port} twice`,
      hint: 'keep one of them',
    };
  });
  return [...repeated, ...ranges.flatMap((range, at) => rangeIn(linted, ranges, range, at))];
}

function rangeIn(
  linted: LintedRule,
  ranges: readonly PortRange[],
  range: PortRange,
  at: number,
): readonly Found[] {
  const where = ruleAt(linted, 'port_ranges', String(at));
  const around = ranges.find(
    (other, index) => isAround(other, range) && (!isAround(range, other) || index < at),
  );
  if (around)
    return [
      {
        ...where,
        message: `${ruleName(linted)}: the range ${textOf(range)} lies within ${textOf(around)}`,
        hint: 'remove it',
      },
    ];
  const before = ranges.find(
    (other, index) => index < at && other.start <= range.end && other.end >= range.start,
  );
  if (!before || isAround(range, before)) return [];
  const joined = {
    start: Math.min(range.start, before.start),
    end: Math.max(range.end, before.end),
  };
  return [
    {
      ...where,
      message: `${ruleName(linted)}: the ranges ${textOf(before)} and ${textOf(range)} overlap`,
      hint: `write one range, ${textOf(joined)}`,
    },
  ];
}

const isAround = (outer: PortRange, inner: PortRange): boolean =>
  outer.start <= inner.start && outer.end >= inner.end;
const textOf = ({ start, end }: PortRange): string => `${start}-${end}`;

function addressRangesIn(object: LintContext['objects'][number]): readonly Found[] {
  const { checks } = object.fields;
  const check = isObject(checks) ? checks.peer_network_range_check : undefined;
  const ranges = isObject(check) && isList(check.ranges) ? check.ranges : [];
  const prefixes = ranges.map(range => (typeof range === 'string' ? prefixOf(range) : null));
  return withinOthers(prefixes).map(({ inner, outer }) => ({
    object,
    path: ['checks', 'peer_network_range_check', 'ranges', String(inner)],
    message: `posture check ${quoted(object.key)}: the range ${shown(ranges[inner])} lies within ${shown(ranges[outer])}`,
    hint: 'remove it',
  }));
}

const shown = (range: Json | undefined): string => quoted(String(range));

// Redundant resources. A resource is redundant if it lies inside another resource of the same
// network and the same rules refer to both, unless a rule names it directly.
function resourcesIn(network: Network, { rules, declared }: LintContext): readonly Found[] {
  const named = new Set(
    rules.flatMap(({ rule: { source, destination } }) =>
      [source, destination].flatMap(side => (side.type === 'resource' ? side.resource : [])),
    ),
  );
  const isNamed = (resource: Resource) => namesOf(resource).some(name => named.has(name));
  const resources = network.resources.filter(({ isEnabled }) => isEnabled);
  const prefixes = resources.map(({ address }) => prefixOf(address));
  const isLed = (inner: Resource, outer: Resource) =>
    inner.groups.length > 0 && inner.groups.every(group => outer.groups.includes(group));
  const found = withinOthers(prefixes, (inner, outer) => {
    const one = resources[inner];
    const other = resources[outer];
    return one !== undefined && other !== undefined && !isNamed(one) && isLed(one, other);
  });
  return found.flatMap(({ inner, outer }) => {
    const one = resources[inner];
    const other = resources[outer];
    const object = one && declared('network_resource', one.key);
    if (!object || !other) return [];
    return {
      object,
      path: ['address'],
      message: `network resource ${quoted(one.key)} lies within ${quoted(other.key)}, which has the same groups, and no declared rule names it`,
      hint: 'remove it, or give it different groups',
    };
  });
}

function withinOthers(
  prefixes: readonly (Prefix | null)[],
  holds: (inner: number, outer: number) => boolean = () => true,
): readonly { readonly inner: number; readonly outer: number }[] {
  return prefixes.flatMap((prefix, inner) => {
    const outer = prefixes.findIndex(
      (other, at) =>
        at !== inner &&
        isWithin(prefix, other) &&
        holds(inner, at) &&
        !(at > inner && isWithin(other, prefix) && holds(at, inner)),
    );
    return outer < 0 ? [] : { inner, outer };
  });
}

function isWithin(inner: Prefix | null | undefined, outer: Prefix | null | undefined): boolean {
  if (!inner || !outer || inner.version !== outer.version || inner.length < outer.length)
    return false;
  return masked({ ...inner, length: outer.length }).address === masked(outer).address;
}

function prefixOf(text: string): Prefix | null {
  const ip = parseIp(text);
  return ip ? { ...ip, length: bits(ip.version) } : parsePrefix(text);
}
