// Counts the flows that a plan does not change. A flow consists of its sources and destinations,
// its traffic, and the result of posture checks for each source. The granting rules do not matter:
// if another rule grants the same access, the flow is the same.
import { LAYERS, partsAt } from '../ask/flows.ts';
import type { Reaches } from '../flows/reaches.ts';
import { routedTargets, rowAt, type Target } from '../flows/targets.ts';
import { indexesIn, or, textOf } from '../sets/bits.ts';
import { ALL_TRAFFIC, intervalsText } from '../sets/traffic.ts';

/**
 * The maximum number of members for which flows are counted. The number of flows grows with the
 * square of the members, and nobody needs it for a large account.
 */
const MEMBERS_COUNTED = 300;

/** The number of flows that are equal in all states; absent for a large account. */
export function flowCount(states: readonly [Reaches, ...Reaches[]]): { readonly flows?: number } {
  const [first, ...others] = states;
  if (first.world.size > MEMBERS_COUNTED) return {};
  const common = others.reduce(
    (flows, state) => flows.intersection(textsOfFlows(state)),
    textsOfFlows(first),
  );
  return { flows: common.size };
}

// Returns a string for each flow, so that the flows of two states can be compared.
function textsOfFlows(reaches: Reaches): ReadonlySet<string> {
  const { world } = reaches;
  const everyone = or(world.today, world.approved);
  const sources = or(everyone, world.internet);
  const machines = [...indexesIn(everyone)].map((index): Target => ({ type: 'machine', index }));
  const alike = Map.groupBy(machines, target => rowsText(reaches, target));
  const routed = routedTargets(world).map((target): readonly [Target] => [target]);
  const merged = new Map<string, Set<number | string>>();
  for (const [first, ...rest] of [...alike.values(), ...routed]) {
    if (first === undefined) continue;
    const question = { sources, targets: [first, ...rest], traffic: ALL_TRAFFIC };
    for (const part of partsAt(reaches, question, [first, ...rest])) {
      const traffic = [part.granted, part.unconditional].map(intervalsText);
      const parties = [part.sources, part.pass, part.fail].map(textOf);
      const name = [first.type === 'machine' ? '' : first.id, ...traffic, ...parties].join('|');
      const places = merged.get(name) ?? new Set();
      for (const one of part.targets) places.add(one.type === 'machine' ? one.index : one.id);
      merged.set(name, places);
    }
  }
  return new Set([...merged].map(([name, places]) => `${name}|${[...places].sort().join()}`));
}

const rowsText = (reaches: Reaches, target: Target): string =>
  LAYERS.map(reading =>
    rowAt(reaches.under(reading), target)
      .map(({ from, to, sources }) => `${from}-${to} ${textOf(sources)}`)
      .join(),
  ).join(';');
