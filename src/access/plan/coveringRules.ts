// Finds rules of other policies that, alone or together, already allow everything that a change
// concerns.
import type { Reaches } from '../flows/reaches.ts';
import { type RoutedTarget, routedTargets } from '../flows/targets.ts';
import { and, type Bits, count, isEmpty, minus, noBits, or, textOf } from '../sets/bits.ts';
import {
  ALL_TRAFFIC,
  intervalsText,
  joinedIntervals,
  type Traffic,
  without,
} from '../sets/traffic.ts';
import type { Policy, Route } from '../state/accessState.ts';
import type { CompiledPolicy, CompiledRule } from '../world/compiledPolicies.ts';
import { namesOf } from '../world/roster.ts';
import type { World } from '../world/world.ts';

/**
 * The maximum number of parts that are examined, and the maximum number of rules that are named
 * together.
 */
const PARTS = 50;
const TOGETHER = 5;

/** Some traffic that sources may send to machines and addresses. */
interface Part {
  readonly sources: Bits;
  readonly machines: Bits;
  readonly addresses: ReadonlySet<string>;
  readonly traffic: Traffic;
}

/** A rule of a policy, or a route that is open to all. */
export type Covering = CompiledRule | Route;

/** A policy before and after a change; absent if it did not exist or was disabled. */
interface Changed {
  readonly was?: CompiledPolicy | undefined;
  readonly is?: CompiledPolicy | undefined;
}

/**
 * The smallest found set of rules that allow, after the change, everything that it concerns. This
 * is every pair and port that the policy allows on only one side, or everything that it allows if
 * both sides are equal. Undefined if other rules do not allow all of it, or if this is unknown.
 */
export function coveringRules(
  [before, after]: readonly [Reaches, Reaches],
  { was, is }: Changed,
): readonly Covering[] | undefined {
  const own = [was, is].flatMap(one => one?.policy ?? []);
  const former = (was && partsOf(before.world, was)) ?? [];
  const present = (is && partsOf(after.world, is)) ?? [];
  const lost = otherThan(former, present);
  const gained = otherThan(present, former);
  if (lost.length > PARTS || gained.length > PARTS) return undefined;
  const differing = [...minusAll(lost, present), ...minusAll(gained, former)];
  const wanted = differing.length > 0 ? differing : present.length > 0 ? present : former;
  if (wanted.length === 0 || wanted.length > PARTS) return undefined;
  return fewest(wanted, othersIn(after, own));
}

// The parts that are not also in `others`. In a long policy, only few parts change.
function otherThan(parts: readonly Part[], others: readonly Part[]): readonly Part[] {
  const known = new Set(others.map(partText));
  return parts.filter(part => !known.has(partText(part)));
}

const sidesOf = ({ sources, machines, addresses }: Part): string =>
  [textOf(sources), textOf(machines), Array.from(addresses).join()].join('|');

const partText = (part: Part): string => `${sidesOf(part)}|${intervalsText(part.traffic)}`;

interface Other {
  readonly by: Covering;
  readonly parts: readonly Part[];
}

// A single rule is tried first. Otherwise, rules are chosen one after another, so that as little as
// possible remains uncovered.
function fewest(
  wanted: readonly Part[],
  others: readonly Other[],
): readonly Covering[] | undefined {
  const size = sizeOf(wanted);
  const helping = others.flatMap(other => {
    const left = minusAll(wanted, other.parts);
    return sizeOf(left) < size ? { ...other, left } : [];
  });
  const single = helping.find(({ left }) => left.length === 0);
  if (single) return [single.by];
  const chosen: Covering[] = [];
  let rest = wanted;
  while (rest.length > 0 && chosen.length < TOGETHER) {
    const open = rest;
    const [best] = helping
      .map(({ by, parts }) => ({ by, left: minusAll(open, parts) }))
      .sort((one, other) => sizeOf(one.left) - sizeOf(other.left));
    if (!best || sizeOf(best.left) >= sizeOf(open) || best.left.length > PARTS) return undefined;
    chosen.push(best.by);
    rest = best.left;
  }
  return rest.length === 0 ? chosen : undefined;
}

// The rules of other policies. Posture checks apply to the source side of a rule. A rule with the
// same checks as the changed policy admits the same sources.
function othersIn({ world }: Reaches, own: readonly Policy[]): readonly Other[] {
  const names = new Set(own.flatMap(namesOf));
  const checks = new Set(own.flatMap(policy => policy.checks));
  const rules = world.policies
    .filter(({ policy }) => !namesOf(policy).some(name => names.has(name)))
    .flatMap(({ policy, rules: all }) => {
      const isChecked = !policy.checks.every(check => checks.has(check));
      const passing = isChecked ? world.verdicts.passing(policy).pass : undefined;
      return all
        .filter(({ isActive, rule }) => isActive && !rule.isDrop)
        .map(by => ({ by, parts: partsOfRule(world, by, passing) }));
    });
  return [...rules, ...openRoutes(world)];
}

const openRoutes = (world: World): readonly Other[] =>
  world.state.routes
    .filter(({ isEnabled, accessControl }) => isEnabled && accessControl.length === 0)
    .map(by => ({
      by,
      parts: [
        {
          sources: world.inGroups(by.distribution),
          machines: noBits(),
          addresses: idsOf(routedTargets(world).filter(({ routes }) => routes.includes(by))),
          traffic: ALL_TRAFFIC,
        },
      ],
    }));

const idsOf = (targets: readonly RoutedTarget[]): ReadonlySet<string> =>
  new Set(targets.map(({ id }) => id));

/** The parts of a policy. Rules with the same sides form one part. */
function partsOf(world: World, { rules }: CompiledPolicy): readonly Part[] {
  const parts = rules
    .filter(({ isActive, rule }) => isActive && !rule.isDrop)
    .flatMap(rule => partsOfRule(world, rule));
  return [...Map.groupBy(parts, sidesOf).values()].flatMap(([first, ...rest]) =>
    first === undefined
      ? []
      : {
          ...first,
          traffic: joinedIntervals([first, ...rest].flatMap(({ traffic }) => traffic)),
        },
  );
}

function partsOfRule(world: World, compiled: CompiledRule, passing?: Bits): readonly Part[] {
  const { rule, sources: all, destinations, traffic } = compiled;
  const present = or(world.today, world.approved);
  const sources = and(passing ? and(all, passing) : all, present);
  const machines = and(destinations, present);
  const isRouted = rule.protocol !== 'netbird-ssh';
  const addresses = isRouted ? idsOf(addressesOf(world, compiled)) : new Set<string>();
  const there = { sources, machines, addresses, traffic };
  const back = { sources: machines, machines: sources, addresses: new Set<string>(), traffic };
  return (rule.isBidirectional ? [there, back] : [there]).filter(isSome);
}

/** The addresses to which a rule leads as destinations. */
export function addressesOf(world: World, { rule }: CompiledRule): readonly RoutedTarget[] {
  const { destination } = rule;
  return routedTargets(world).filter(({ resources }) =>
    resources.some(({ resource }) =>
      destination.type === 'groups'
        ? resource.groups.some(group => destination.groups.includes(group))
        : destination.type === 'resource' && namesOf(resource).includes(destination.resource),
    ),
  );
}

function isSome({ sources, machines, addresses, traffic }: Part): boolean {
  if (isEmpty(sources) || traffic.length === 0) return false;
  return !isEmpty(machines) || addresses.size > 0;
}

const minusAll = (parts: readonly Part[], others: readonly Part[]): readonly Part[] =>
  others.reduce((left, other) => left.flatMap(part => minusPart(part, other)), parts);

function minusPart(part: Part, other: Part): readonly Part[] {
  const sources = and(part.sources, other.sources);
  if (isEmpty(sources)) return [part];
  const machines = and(part.machines, other.machines);
  const addresses = new Set([...part.addresses].filter(id => other.addresses.has(id)));
  const traffic = without(part.traffic, other.traffic);
  if (intervalsText(traffic) === intervalsText(part.traffic)) return [part];
  if (isEmpty(machines) && addresses.size === 0) return [part];
  return [
    { ...part, sources: minus(part.sources, other.sources) },
    {
      ...part,
      sources,
      machines: minus(part.machines, other.machines),
      addresses: part.addresses.difference(other.addresses),
    },
    { sources, machines, addresses, traffic },
  ].filter(isSome);
}

/** The number of pairs and ports. */
const sizeOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, { sources, machines, addresses, traffic }) => {
    const ports = traffic.reduce((all, { from, to }) => all + to - from + 1, 0);
    return sum + count(sources) * (count(machines) + addresses.size) * ports;
  }, 0);
