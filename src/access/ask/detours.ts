// Explains how a destination leads to the target of a selector although its own address is
// different: through a name, or through routers between IPv6 and IPv4.
import { type Prefix, prefixText } from '../../kinds/values/ip.ts';
import type { AccessFlow } from '../../model/access/planAccess.ts';
import type { RoutedTarget, Target } from '../flows/targets.ts';
import { rangesIn, rangesThrough } from '../world/address.ts';
import type { World } from '../world/world.ts';
import { addressSpace, isEverywhere, type Place, placesIn } from './addressSpace.ts';
import { overlayOf, ownTargetsOf } from './destinations.ts';
import type { Selector } from './selector.ts';

/** A place, and the steps from a destination to this place. */
interface Lead {
  readonly place: Place;
  readonly steps: readonly string[];
}

/**
 * Describes how destinations lead to the objects of a selector in one of several states. The
 * description is empty if a destination leads there directly.
 */
export type Detours = (targets: readonly Target[]) => readonly string[];

/** How destinations lead to the objects of a selector, see `Detours`. */
export function detoursTo(worlds: readonly World[], selector: Selector): Detours {
  // The question is about everything, so no destination is a detour.
  if (selector.type === 'all') return () => [];
  return detoursBetween(() => worlds.flatMap(world => leadsIn(world, selector)));
}

/** Returns how destinations lead to targets of a state. */
export const detoursToTargets = (world: World, targets: readonly Target[]): Detours =>
  detoursBetween(() => leadsToTargets(world, targets));

function detoursBetween(leads: () => readonly Lead[]): Detours {
  let wanted: readonly Lead[] | undefined;
  const known = new Map<string, string | undefined>();
  const detourOf = (target: RoutedTarget): string | undefined => {
    wanted ??= leads();
    return detourTo(wanted, leadsFrom(target));
  };
  return targets => {
    const found = targets.flatMap(target => {
      if (target.type === 'machine') return [];
      if (!known.has(target.id)) known.set(target.id, detourOf(target));
      return known.get(target.id) ?? [];
    });
    return [...new Set(found)];
  };
}

/** A flow with a description of how its destinations lead to the queried target. */
export function withDetours(
  detours: Detours,
  { targets }: { readonly targets: readonly Target[] },
  flow: AccessFlow,
): AccessFlow {
  const found = detours(targets);
  return found.length === 0 ? flow : { ...flow, detours: found };
}

// Describes how a destination leads to the target. Undefined if the destination leads there
// directly, even if it also leads there in steps.
function detourTo(wanted: readonly Lead[], offered: readonly Lead[]): string | undefined {
  const direct = [wanted, offered].map(leads => leads.filter(({ steps }) => steps.length === 0));
  const [asked = [], own = []] = direct;
  const touches = addressSpace(asked.map(({ place }) => place));
  if (own.some(({ place }) => touches(place))) return undefined;
  for (const lead of wanted) {
    const meets = addressSpace([lead.place]);
    const other = offered.find(({ place }) => meets(place));
    if (other) return [...new Set([...other.steps, ...lead.steps])].join(', and ');
  }
  return undefined;
}

function leadsIn(world: World, selector: Selector): readonly Lead[] {
  const { type, name } = selector;
  if (type === 'address') return leadsOf([name, ...world.names.leadsTo(name)], rangesIn);
  return leadsToTargets(world, ownTargetsOf(world, selector) ?? []);
}

function leadsToTargets(world: World, targets: readonly Target[]): readonly Lead[] {
  const routed = targets.filter(target => target.type !== 'machine');
  const addresses = overlayOf(world, targets);
  return [
    ...routed.flatMap(({ address, also }) => leadsOf([address, ...also], rangesIn)),
    ...addresses.flatMap(address => leadsOf([address], rangesIn)),
  ].filter(({ place }) => addresses.length === 0 || !isEverywhere(place));
}

function leadsFrom({ address, served, also }: RoutedTarget): readonly Lead[] {
  return leadsOf([served, ...(served === address ? [] : [address]), ...also], rangesThrough);
}

/** An address or name as a place, followed by the places to which it leads. */
function leadsOf(
  [first, ...also]: readonly [string, ...string[]],
  rangesOf: (text: string) => readonly Prefix[],
): readonly Lead[] {
  return [
    ...leadsAt(first, [], rangesOf),
    ...also.flatMap(place => leadsAt(place, [`${first} leads to ${place}`], rangesOf)),
  ];
}

function leadsAt(
  text: string,
  steps: readonly string[],
  rangesOf: (text: string) => readonly Prefix[],
): readonly Lead[] {
  const [own, ...carried] = rangesOf(text);
  if (own === undefined) return placesIn(text).map(place => ({ place, steps }));
  return [
    ...leadTo(own, steps),
    ...carried.flatMap(range => leadTo(range, [...steps, translated(text, range)])),
  ];
}

const leadTo = (range: Prefix, steps: readonly string[]): readonly Lead[] =>
  placesIn(prefixText(range))
    .slice(0, 1)
    .map(place => ({ place, steps }));

const translated = (text: string, range: Prefix): string =>
  `${text} leads to ${range.length === 0 ? 'every IPv4 address' : prefixText(range)} where a router translates IPv6 (NAT64, 6to4)`;
