// All access changes between two states: sources and targets with their access before and after.
import { addAll } from '../../model/text/longLists.ts';
import type { Reaches } from '../flows/reaches.ts';
import { type MachineTarget, routedTargetsOf, type Target } from '../flows/targets.ts';
import { type Bits, count, has, noBits, orAll, orInto, withoutOne } from '../sets/bits.ts';
import { type Interner, interner } from '../sets/interned.ts';
import type { AccessChange } from './accessChange.ts';
import { type ChangedCell, cellText, changedCells } from './changedCells.ts';
import { massChanges } from './massChanges.ts';
import { type PairCount, pairCount } from './pairs.ts';
import { byReason, byRule, type ReasonsOf } from './reasons.ts';
import { responsibleRules } from './responsible.ts';
import type { Differences } from './rowDifference.ts';
import { changedSources, sourcesOf, type TargetRows, targetRows } from './targetRows.ts';

export interface AccessChanges {
  readonly changes: readonly AccessChange[];
  /** The sources whose access to any target changes. */
  readonly sources: Bits;
  /**
   * Pairs of a machine and another machine or routed target that may gain access, whatever the current results of posture checks.
   */
  readonly gained: number;
  /** Pairs that may lose access. */
  readonly lost: number;
}

/** The changes between two equal states. */
export const noChanges = (): AccessChanges => ({
  changes: [],
  sources: noBits(),
  gained: 0,
  lost: 0,
});

/** The largest number of different changes that are listed; more changes are summed up. */
interface Limits {
  /** The changes at machines with the same changed rules. */
  readonly alike: number;
  /** The changes at all machines together. */
  readonly all: number;
}

const LIMITS: Limits = { alike: 100, all: 400 };

/** The changes from one state to another. `reasonsOf`: how to group machines if there are too many changes to list. */
export function accessChanges(
  before: Reaches,
  after: Reaches,
  reasonsOf: ReasonsOf = byRule,
  limits = LIMITS,
): AccessChanges {
  const sums = {
    sources: noBits(),
    gained: pairCount(after.world),
    lost: pairCount(before.world),
  };
  const rowsOf = (target: Target) => targetRows(before, after, target);
  const known = new Set<Target>();
  const noted = <T extends Target>(target: T) => {
    const rows = rowsOf(target);
    if (!known.has(target)) note(rows, sums);
    known.add(target);
    return rows;
  };
  const alike = Map.groupBy(machinesOf(before), ({ index }) =>
    responsibleRules(before, after, index),
  );
  alike.delete('');
  const changes =
    changesAmong([...alike.values()], noted, limits) ??
    byReason(alike, reasonsOf).flatMap(({ machines, examples }) =>
      massChanges(machines, noted).map(change => ({ ...change, examples })),
    );
  const routed = routedTargetsOf([before.world, after.world]).flatMap(target =>
    changesAt(noted(target)),
  );
  return {
    changes: [...changes, ...routed],
    sources: sums.sources,
    gained: sums.gained.pairs(),
    lost: sums.lost.pairs(),
  };
}

// The changes at classes of machines. Undefined if there are too many.
function changesAmong(
  classes: readonly (readonly MachineTarget[])[],
  rowsOf: (target: MachineTarget) => TargetRows,
  limits: Limits,
): readonly AccessChange[] | undefined {
  const numberOf = interner();
  const changes: AccessChange[] = [];
  for (const machines of classes) {
    const rows = machines.map(target => () => rowsOf(target));
    const exact = listedChanges(rows, numberOf, limits.alike);
    addAll(changes, exact ?? massChanges(machines, rowsOf));
    if (changes.length > limits.all) return undefined;
  }
  return changes;
}

function* machinesOf({ world }: Reaches): Generator<MachineTarget> {
  for (let index = 0; index < world.size; index++) yield { type: 'machine', index };
}

interface Found {
  readonly cell: ChangedCell;
  readonly targets: [Target, ...Target[]];
  /** The number of targets that are also sources, without future members. */
  own: number;
  /** Whether the sources lose access to any of the targets. */
  loses: boolean;
}

// Machines that change in the same way for the same sources form one change. Undefined if there are too many changes.
function listedChanges(
  machines: readonly (() => TargetRows)[],
  numberOf: Interner,
  listed: number,
): readonly AccessChange[] | undefined {
  const found = new Map<string, Found>();
  for (const rowsOf of machines) {
    const rows = rowsOf();
    if (found.size > listed) return undefined;
    for (const cell of changedCells(rows)) {
      const own = has(cell.sources, rows.itself) ? 1 : 0;
      if (own === count(cell.sources)) continue;
      const name = `${numberOf(cell.sources)} ${cellText(cell)}`;
      const known = found.get(name);
      if (known) {
        known.targets.push(rows.target);
        known.own += own;
        known.loses ||= cell.loses;
      } else found.set(name, { cell, targets: [rows.target], own, loses: cell.loses });
    }
  }
  return [...found.values()].map(changeOf);
}

function changesAt(rows: TargetRows): readonly AccessChange[] {
  return changedCells(rows).map(cell =>
    changeOf({ cell, targets: [rows.target], own: 0, loses: cell.loses }),
  );
}

// Several machines are sources for each other; a single machine is not a source for itself.
function changeOf({ cell, targets, own, loses }: Found): AccessChange {
  const [first, ...others] = targets;
  const pairs = count(cell.sources) * targets.length - own;
  if (own === 0 || others.length > 0 || first.type !== 'machine')
    return { ...cell, targets, pairs, loses };
  return { ...cell, sources: withoutOne(cell.sources, first.index), targets, pairs, loses };
}

function note(
  rows: TargetRows,
  sums: { readonly sources: Bits; readonly gained: PairCount; readonly lost: PairCount },
): void {
  const { itself } = rows;
  const changed = changedSources(rows);
  orInto(sums.sources, itself >= 0 ? withoutOne(changed, itself) : changed);
  const differences = rows.differences();
  const { possible, certain, opened, closed } = differences;
  const moved = (among: readonly Differences[], way: 'gained' | 'lost') =>
    orAll(among.map(one => sourcesOf(one, way)));
  // A source that fails a check today gains the access that passing the check gives, and has no such access to lose.
  sums.gained.add(rows, moved(Object.values(differences), 'gained'));
  sums.lost.add(rows, moved([certain, possible, opened, closed], 'lost'));
}
