// Finds when a change of access that a step of an apply makes is reverted: a later step gives back
// the access that was removed, or removes the access that was given.
import type { AccessChange } from '../diff/accessChange.ts';
import type { Usable } from '../diff/changedCells.ts';
import {
  and,
  type Bits,
  count,
  has,
  isEmpty,
  minus,
  noBits,
  orInto,
  textOf,
} from '../sets/bits.ts';
import {
  ALL_TRAFFIC,
  cutsOf,
  joinedIntervals,
  NO_TRAFFIC,
  overlap,
  type Traffic,
  without,
} from '../sets/traffic.ts';
import { targetName } from './bounds.ts';

/** A change that a step makes, compared with the access before the apply. */
export interface StepChange {
  readonly change: AccessChange;
  /**
   * The number of the later step that reverts the change; absent if no step of the apply reverts
   * it.
   */
  readonly endsWith?: number;
}

type Way = 'gained' | 'lost';

/**
 * For each step, its changes, each with the step that reverts it. If different steps revert a
 * change for different sources or ports, the change is split. If a change both gives and removes
 * access, only the loss counts.
 */
export function changeEnds(
  steps: readonly (readonly AccessChange[])[],
): readonly (readonly StepChange[])[] {
  const places = steps.map(byTarget);
  return steps.map((changes, at) => changes.flatMap(change => endsOf(change, at, places)));
}

type ByTarget = ReadonlyMap<string, readonly AccessChange[]>;

function byTarget(changes: readonly AccessChange[]): ByTarget {
  const found = new Map<string, AccessChange[]>();
  for (const change of changes)
    for (const target of change.targets) {
      const name = targetName(target);
      const known = found.get(name) ?? [];
      known.push(change);
      found.set(name, known);
    }
  return found;
}

function endsOf(change: AccessChange, at: number, places: readonly ByTarget[]): StepChange[] {
  const way = change.kind === 'gained' ? 'gained' : 'lost';
  const traffic = movedBy(change, way);
  if (traffic.length === 0) return [{ change }];
  const pieces = piecesOf({ change, way, traffic }, places.slice(at + 1)).map(piece => ({
    piece,
    ends: endsOfTraffic({ change, way, traffic: piece }, at, places),
  }));
  const alike = Map.groupBy(pieces, ({ ends }) => endsText(ends));
  if (alike.size === 1) return pieces[0]?.ends ?? [];
  return [...alike.values()].flatMap((same, index) => {
    const own = joinedIntervals(same.flatMap(({ piece }) => piece));
    const part = limitedTo({ change, way, traffic: own }, index === 0);
    return (same[0]?.ends ?? []).map(end => ({ ...end, change: among(part, end.change.sources) }));
  });
}

const endsText = (ends: readonly StepChange[]): string =>
  ends.map(({ change, endsWith }) => `${textOf(change.sources)} ${endsWith}`).join('|');

/** A change with more pieces of traffic than this is not divided by traffic. */
const PIECES = 50;

// Divides the traffic at the points where later steps contain only a part of it, because each piece may be reverted by a
// different step.
function piecesOf({ change, way, traffic }: Sought, later: readonly ByTarget[]): Traffic[] {
  const { usable, moved, targets } = change;
  if (usable === undefined || moved !== undefined || usable.isOnlyIfPassed) return [traffic];
  const [more, less] = sidesOf(usable, way);
  if (without(more, less).length === 0) return [traffic];
  const own = new Set(
    later.flatMap(place => targets.flatMap(target => place.get(targetName(target)) ?? [])),
  );
  const cuts = cutsOf([...own].map(one => movedBy(one, way)));
  const pieces = traffic.flatMap(({ from, to }) => {
    const inside = cuts.filter(cut => cut > from && cut <= to);
    const begins = [from, ...inside];
    return begins.map((begin, i): Traffic => [{ from: begin, to: (inside[i] ?? to + 1) - 1 }]);
  });
  return pieces.length > PIECES ? [traffic] : pieces;
}

// The change, reduced to a part of its traffic. If the change also gives access, only the first
// part contains that gain.
function limitedTo({ change, way, traffic }: Sought, isFirst: boolean): AccessChange {
  const { usable, kind } = change;
  if (usable === undefined) return change;
  const [more, less] = sidesOf(usable, way);
  const rest = without(without(more, less), traffic);
  const some = without(more, rest);
  if (way === 'gained') return { ...change, usable: { ...usable, after: some } };
  if (kind === 'lost' || isFirst) return { ...change, usable: { ...usable, before: some } };
  const kept = without(some, traffic);
  const lost: AccessChange = {
    ...change,
    kind: 'lost',
    usable: { ...usable, before: some, after: kept },
  };
  return { ...lost, gains: false };
}

function endsOfTraffic(sought: Sought, at: number, places: readonly ByTarget[]): StepChange[] {
  const { change } = sought;
  const stillAt = (step: number) => and(change.sources, sourcesOf(places[step], sought));
  const lasting = stillAt(places.length - 1);
  const found: StepChange[] = isEmpty(lasting) ? [] : [{ change: among(change, lasting) }];
  let open = minus(change.sources, lasting);
  for (let step = at + 1; step < places.length && !isEmpty(open); step++) {
    const still = and(open, stillAt(step));
    const ended = minus(open, still);
    if (!isEmpty(ended)) found.push({ change: among(change, ended), endsWith: step });
    open = still;
  }
  return found;
}

interface Sought {
  readonly change: AccessChange;
  readonly way: Way;
  readonly traffic: Traffic;
}

/** The sources for which a part of the change still exists after a step, at any of its targets. */
function sourcesOf(place: ByTarget | undefined, { change, way, traffic }: Sought): Bits {
  const found = noBits();
  const known = new Set<AccessChange>();
  for (const target of change.targets)
    for (const one of place?.get(targetName(target)) ?? []) {
      if (known.has(one)) continue;
      known.add(one);
      if (overlap(movedBy(one, way), traffic)) orInto(found, one.sources);
    }
  return found;
}

/**
 * The traffic that a change gives or removes. If only the conditions of a change differ, all of its
 * traffic.
 */
function movedBy({ kind, gains, loses, usable, moved }: AccessChange, way: Way): Traffic {
  const isMoved = kind === way || (kind === 'changed' && (way === 'gained' ? gains : loses));
  if (!isMoved) return NO_TRAFFIC;
  if (moved !== undefined) return moved[way];
  if (usable === undefined) return ALL_TRAFFIC;
  const [more, less] = sidesOf(usable, way);
  const traffic = without(more, less);
  return traffic.length > 0 ? traffic : more;
}

/** The traffic on the side of a change that has more traffic, and the traffic on the other side. */
const sidesOf = ({ before, after }: Usable, way: Way): readonly [Traffic, Traffic] =>
  way === 'gained' ? [after, before] : [before, after];

function among(change: AccessChange, sources: Bits): AccessChange {
  const all = count(sources) * change.targets.length;
  const own = change.targets.filter(one => one.type === 'machine' && has(sources, one.index));
  return { ...change, sources, pairs: all - own.length };
}
