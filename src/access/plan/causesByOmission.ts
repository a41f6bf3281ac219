// Finds the changes of a plan that cause a change of access, by leaving changes out of the plan and computing the access again.
import type { Address } from '../../model/names.ts';
import type { AccessChange } from '../diff/accessChange.ts';
import { type Area, mayConcern } from '../diff/areas.ts';
import { type ChangedCell, cellText, changedCellsOfProtocols } from '../diff/changedCells.ts';
import { READINGS, type TargetRows, targetRows } from '../diff/targetRows.ts';
import type { Reaches } from '../flows/reaches.ts';
import type { Target } from '../flows/targets.ts';
import {
  and,
  type Bits,
  intersect,
  isEmpty,
  noBits,
  orInto,
  textOf,
  withoutOne,
} from '../sets/bits.ts';
import { PROTOCOLS, type TrafficProtocol } from '../sets/traffic.ts';

/** The account after a plan, and after a part of it. */
export interface PartsOfPlan {
  /**
   * The changes that can be left out. If the server deletes an object along with another object,
   * there is no separate request for it, so it is not among them.
   */
  readonly addresses: readonly Address[];
  readonly before: Reaches;
  readonly after: Reaches;
  readonly without: (left: ReadonlySet<Address>) => PartOfPlan;
  /**
   * Whether to separate the causes. If absent, causes are separated only if that does not take too
   * long.
   */
  readonly areToldApart?: boolean;
}

/** The account after a part of a plan, and the area in which its access may differ from the access after the whole plan. */
interface PartOfPlan {
  readonly reaches: Reaches;
  readonly area: Area;
}

/** The changes that cause a change of access. */
interface Causes {
  readonly addresses: readonly Address[];
  /** Whether the causes were not separated. If so, at least one of the addresses is a cause. */
  readonly isOneOf: boolean;
}

/** Returns the causes of a change of access. `involved`: the changes whose objects are involved in the access. */
export type CausesOf = (change: AccessChange, involved: readonly Address[]) => Causes;

/**
 * The budget. Leaving out one change costs members times rules, plus targets times `TARGET` and
 * pairs of changes times `PAIR`. The budget allows about three seconds.
 */
const MOST = 5_000_000;

/** The cost of a target, in pairs of a member and a rule. */
const TARGET = 40;

/** The cost of comparing one change with another, because many sources may all have different access. */
const PAIR = 15;

/** The maximum number of additional sets of changes to leave out. */
const SETS = 100;

/**
 * Finds causes. A change is a cause if, without it, a line of the plan would be missing or
 * different. If the line is the same even without all of these causes, several other changes have
 * the same effect or undo each other. In that case, the smallest set of other changes that makes
 * the line different is added. The remaining changes make no difference, even together. A change
 * that affects the access is not always a cause. For example, a stricter posture check does not
 * cause a gain that the former check would allow too.
 */
export function causesByOmission(parts: PartsOfPlan, changes: readonly AccessChange[]): CausesOf {
  const { addresses, before, after } = parts;
  if (addresses.length === 1) return () => ({ addresses, isOneOf: false });
  if (parts.areToldApart === false || costOf(parts, changes) > MOST)
    return (_, involved) => {
      // Every change of access has a cause. If no change is involved, any change may be the cause.
      const some = involved.length > 0 ? involved : addresses;
      return { addresses: some, isOneOf: some.length > 1 };
    };
  const known = new Map<string, PartDifferences>();
  const whole = cellsBetween(before, after);
  const without = (left: readonly Address[]) => {
    const name = [...left].sort().join('\n');
    const found = known.get(name);
    // The budget is enough to leave out each change alone, and to leave out all changes except one.
    if (found || known.size >= 2 * addresses.length + SETS) return found;
    const { reaches, area } = parts.without(new Set(left));
    const differences = {
      area,
      at: differencesBetween(after, reaches),
      cellsAt: cellsBetween(before, reaches),
    };
    known.set(name, differences);
    return differences;
  };
  const isNeeded = (change: AccessChange, left: readonly Address[]): boolean | undefined => {
    const differences = without(left);
    return differences && !isThere(change, differences, whole);
  };
  const found = new Map<AccessChange, Causes>();
  return (change, involved) => {
    const causes =
      found.get(change) ?? causesAmong(addresses, involved, left => isNeeded(change, left));
    found.set(change, causes);
    return causes;
  };
}

/**
 * Whether the access changes differently if these changes are left out; undefined if this was not
 * computed.
 */
type IsNeeded = (left: readonly Address[]) => boolean | undefined;

function causesAmong(
  addresses: readonly Address[],
  involved: readonly Address[],
  isNeeded: IsNeeded,
): Causes {
  const single = addresses.filter(address => isNeeded([address]));
  const first = jointlyNeeded(addresses, involved, { single, isNeeded });
  const causes = new Set([...single, ...first.fewest]);
  let { isOneOf } = first;
  // If several changes allow the same access, none of them is necessary alone, but all of them are
  // causes.
  for (;;) {
    const others = addresses.filter(one => !causes.has(one));
    // Involved changes come first. They may undo each other, and they may not include changes that
    // make a difference only together.
    const some = others.filter(one => involved.includes(one));
    const candidates = [some, others].find(list => list.length > 1 && isNeeded(list));
    if (candidates === undefined) break;
    const more = fewestOf(candidates, isNeeded);
    for (const address of more.fewest) causes.add(address);
    isOneOf ||= more.isOneOf;
  }
  return { addresses: addresses.filter(address => causes.has(address)), isOneOf };
}

/**
 * The smallest set of other changes that makes a difference if it is left out together with the
 * single causes.
 */
function jointlyNeeded(
  addresses: readonly Address[],
  involved: readonly Address[],
  { single, isNeeded }: { readonly single: readonly Address[]; readonly isNeeded: IsNeeded },
): Fewest {
  // Each single cause makes a difference on its own, but together they may not, because they can
  // undo each other.
  if (single.length > 0 && isNeeded(single) !== false) return { fewest: [], isOneOf: false };
  const rest = addresses.filter(address => !single.includes(address));
  const some = rest.filter(address => involved.includes(address));
  const candidates = isNeeded([...single, ...some]) ? some : rest;
  return fewestOf(candidates, left => isNeeded([...single, ...left]));
}

interface Fewest {
  readonly fewest: readonly Address[];
  readonly isOneOf: boolean;
}

/** A part of the candidates that makes a difference and from which no candidate can be removed. */
function fewestOf(candidates: readonly Address[], isNeeded: IsNeeded): Fewest {
  let fewest = candidates;
  let isOneOf = false;
  let before = Number.POSITIVE_INFINITY;
  // Repeats until nothing changes, because a candidate may become unnecessary after another one is
  // removed.
  while (fewest.length < before) {
    before = fewest.length;
    for (const address of fewest) {
      const fewer = fewest.filter(other => other !== address);
      const isEnough = isNeeded(fewer);
      if (isEnough) fewest = fewer;
      isOneOf ||= isEnough === undefined;
    }
  }
  return { fewest, isOneOf };
}

function costOf({ addresses, after }: PartsOfPlan, changes: readonly AccessChange[]): number {
  const { policies, size } = after.world;
  const rules = policies.reduce((sum, one) => sum + one.rules.length, 0);
  const targets = changes.reduce((sum, one) => sum + one.targets.length, 0);
  return addresses.length * (size * rules + targets * TARGET + changes.length ** 2 * PAIR);
}

/**
 * Whether the access of the sources of a change to its targets after a part of the plan is the same
 * as after the whole plan, or changes in the same way.
 */
function isThere(
  { sources, targets, protocol }: AccessChange,
  { area, at: differenceAt, cellsAt }: PartDifferences,
  whole: CellsAt,
): boolean {
  const ofChange = protocol === 'all' ? PROTOCOLS : [protocol];
  return targets.every(target => {
    // Most changes of a large plan do not affect most destinations.
    if (!mayConcern(area, sources, target)) return true;
    const { itself, byProtocol } = differenceAt(target);
    if (byProtocol.size === 0) return true;
    const others = itself >= 0 ? withoutOne(sources, itself) : sources;
    const other = ofChange.filter(one => intersect(byProtocol.get(one) ?? NOBODY, others));
    return other.length === 0 || areSameCells([whole(target), cellsAt(target)], others, other);
  });
}

type CellsAt = (target: Target) => readonly ChangedCell[];

/** The difference between two states at a target. */
function cellsBetween(one: Reaches, other: Reaches): CellsAt {
  return ofTargets(target => changedCellsOfProtocols(targetRows(one, other, target)));
}

function areSameCells(
  compared: readonly (readonly ChangedCell[])[],
  sources: Bits,
  protocols: readonly TrafficProtocol[],
): boolean {
  const [one, other] = compared.map(
    cells =>
      new Set(
        cells.flatMap(cell => {
          const own = and(cell.sources, sources);
          const isOfProtocol = protocols.some(protocol => protocol === cell.protocol);
          return isOfProtocol && !isEmpty(own) ? `${cellText(cell)} ${textOf(own)}` : [];
        }),
      ),
  );
  return one !== undefined && other !== undefined && one.symmetricDifference(other).size === 0;
}

/** Computes a value only once for each target, because many changes have the same targets. */
function ofTargets<T>(of: (target: Target) => T): (target: Target) => T {
  const known = new Map<string | number, T>();
  return target => {
    const name = target.type === 'machine' ? target.index : target.id;
    const found = known.get(name) ?? of(target);
    known.set(name, found);
    return found;
  };
}

interface PartDifferences {
  readonly area: Area;
  readonly at: (target: Target) => DifferenceAt;
  /** The changes that this part of the plan makes at a target. */
  readonly cellsAt: CellsAt;
}

interface DifferenceAt {
  readonly itself: number;
  readonly byProtocol: ReadonlyMap<TrafficProtocol, Bits>;
}

const NOBODY = noBits();

/** The sources whose access to a target differs between two states. */
function differencesBetween(one: Reaches, other: Reaches): (target: Target) => DifferenceAt {
  return ofTargets(target => differenceAt(targetRows(one, other, target)));
}

function differenceAt({ itself, differences }: TargetRows): DifferenceAt {
  const all = differences();
  const byProtocol = new Map<TrafficProtocol, Bits>();
  for (const reading of READINGS)
    for (const [protocol, { gained, lost }] of all[reading]) {
      const sources = byProtocol.get(protocol) ?? noBits();
      orInto(sources, gained);
      orInto(sources, lost);
      byProtocol.set(protocol, sources);
    }
  return { itself, byProtocol };
}
