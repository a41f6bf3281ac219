// When the change of access that a step of an apply makes ends: a later step gives back what was taken, or takes what was given.
import type { AccessChange } from '../diff/accessChange.ts';
import { and, type Bits, count, has, isEmpty, minus, noBits, orInto } from '../sets/bits.ts';
import { ALL_TRAFFIC, NO_TRAFFIC, overlap, type Traffic, without } from '../sets/traffic.ts';
import { targetName } from './bounds.ts';

/** A change that a step makes to the access before the apply. */
export interface StepChange {
  readonly change: AccessChange;
  /** The number of the later step that ends the change; absent if it lasts until after the apply. */
  readonly endsWith?: number;
}

type Way = 'gained' | 'lost';

/**
 * For each step, its changes and their ends. A change of sources whose access ends with different steps becomes several changes. Of
 * a change that gives and takes, the end is that of the loss.
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
  const stillAt = (step: number) =>
    and(change.sources, sourcesOf(places[step], { change, way, traffic }));
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

/** The sources for which a step still has some of the change at any of its targets. */
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

/** The traffic that a change gives or takes; if only its conditions change, all of it. */
function movedBy({ kind, gains, loses, usable, moved }: AccessChange, way: Way): Traffic {
  const isMoved = kind === way || (kind === 'changed' && (way === 'gained' ? gains : loses));
  if (!isMoved) return NO_TRAFFIC;
  if (moved !== undefined) return moved[way];
  if (usable === undefined) return ALL_TRAFFIC;
  const { before, after } = usable;
  const [more, less] = way === 'gained' ? [after, before] : [before, after];
  const traffic = without(more, less);
  return traffic.length > 0 ? traffic : more;
}

function among(change: AccessChange, sources: Bits): AccessChange {
  const all = count(sources) * change.targets.length;
  const own = change.targets.filter(one => one.type === 'machine' && has(sources, one.index));
  return { ...change, sources, pairs: all - own.length };
}
