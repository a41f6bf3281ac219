// All access changes between two states: sources and targets with their access before and after.
import { addAll } from '../../model/text/longLists.ts';
import type { Reaches } from '../flows/reaches.ts';
import { type MachineTarget, routedTargetsOf, type Target } from '../flows/targets.ts';
import { type Bits, count, has, noBits, orAll, orInto, withoutOne } from '../sets/bits.ts';
import { type Interner, interner } from '../sets/interned.ts';
import type { AccessChange } from './accessChange.ts';
import { type ChangedCell, cellText, changedCells } from './changedCells.ts';
import { byReason, byRule, type ReasonsOf } from './groupedByReason.ts';
import { massChanges } from './massChanges.ts';
import { type PairCount, pairCount } from './pairs.ts';
import { responsibleRules } from './responsible.ts';
import type { Differences } from './rowDifference.ts';
import { changedSources, sourcesOf, type TargetRows, targetRows } from './targetRows.ts';

export interface AccessChanges {
  readonly changes: readonly AccessChange[];
  /** The sources whose access to any target changes. */
  readonly sources: Bits;
  /**
   * The number of pairs of a machine and a destination (another machine or a routed target) that
   * may gain access. Current results of posture checks do not matter.
   */
  readonly gained: number;
  /** The number of pairs that may lose access. Current results of posture checks do not matter. */
  readonly lost: number;
}

/** The changes between two equal states. */
export const noChanges = (): AccessChanges => ({
  changes: [],
  sources: noBits(),
  gained: 0,
  lost: 0,
});

/** How many different changes are listed. Further changes are summed up. */
interface Limits {
  /** The maximum number of changes at machines with the same changed rules. */
  readonly alike: number;
  /** The maximum number of changes at all machines together. */
  readonly all: number;
  /**
   * The maximum number of sources and destinations of all listed changes together, because each change lists its own. A few
   * changes are always listed.
   */
  readonly members: number;
}

const LIMITS: Limits = { alike: 1_000, all: 2_000, members: 200_000 };

/** How many changes are always listed, however many sources and destinations they have. */
const FEW: Pick<Limits, 'alike' | 'all'> = { alike: 100, all: 400 };

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

// The changes of each class of machines; undefined if there are too many.
function changesAmong(
  classes: readonly (readonly MachineTarget[])[],
  rowsOf: (target: MachineTarget) => TargetRows,
  limits: Limits,
): readonly AccessChange[] | undefined {
  const numberOf = interner();
  const changes: AccessChange[] = [];
  let members = 0;
  for (const machines of classes) {
    const rows = machines.map(target => () => rowsOf(target));
    const { listed, isWhole, areGainsWhole } = listedChanges(rows, numberOf, limits);
    // New access is listed, even if the same plan also removes access.
    const gains = areGainsWhole ? listed.filter(({ kind }) => kind === 'gained') : [];
    const summed = isWhole
      ? []
      : massChanges(machines, rowsOf).filter(({ kind }) => !areGainsWhole || kind !== 'gained');
    const found = isWhole ? listed : [...gains, ...summed];
    addAll(changes, found);
    for (const { sources, targets } of found) members += count(sources) + targets.length;
    if (changes.length > (members > limits.members ? FEW.all : limits.all)) return undefined;
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

/** The changes at some machines, as far as they are listed. */
interface Listed {
  readonly listed: readonly AccessChange[];
  /** Whether the list contains all changes. */
  readonly isWhole: boolean;
  /** Whether the list contains all gains. */
  readonly areGainsWhole: boolean;
}

const NOT_LISTED: Listed = { listed: [], isWhole: false, areGainsWhole: false };

/** After too many other changes were found, this many machines are still examined for gains. */
const MACHINES = 2_000;

// Machines that change in the same way for the same sources are listed as one change. If there are
// too many changes, only gains are listed.
function listedChanges(
  machines: readonly (() => TargetRows)[],
  numberOf: Interner,
  limits: Limits,
): Listed {
  const found = new Map<string, Found>();
  let isWhole = true;
  let members = 0;
  const isTooMany = () => found.size > (members > limits.members ? FEW.alike : limits.alike);
  const isListable = (at: number): boolean => {
    if (isWhole && isTooMany()) {
      isWhole = false;
      members = 0;
      for (const [name, { cell }] of found) if (cell.kind !== 'gained') found.delete(name);
    }
    return !isTooMany() && (isWhole || at <= MACHINES);
  };
  for (const [at, rowsOf] of machines.entries()) {
    if (!isListable(at)) return NOT_LISTED;
    const rows = rowsOf();
    for (const cell of changedCells(rows))
      if (isWhole || cell.kind === 'gained') members += addCell(found, { cell, rows }, numberOf);
  }
  if (!isListable(0)) return NOT_LISTED;
  return { listed: [...found.values()].map(changeOf), isWhole, areGainsWhole: true };
}

// Adds a change, and returns by how many sources and destinations the listed changes grow.
function addCell(
  found: Map<string, Found>,
  { cell, rows }: { readonly cell: ChangedCell; readonly rows: TargetRows },
  numberOf: Interner,
): number {
  const sources = count(cell.sources);
  const own = has(cell.sources, rows.itself) ? 1 : 0;
  if (own === sources) return 0;
  const name = `${numberOf(cell.sources)} ${cellText(cell)}`;
  const known = found.get(name);
  if (known === undefined) {
    found.set(name, { cell, targets: [rows.target], own, loses: cell.loses });
    return sources + 1;
  }
  known.targets.push(rows.target);
  known.own += own;
  known.loses ||= cell.loses;
  return 1;
}

function changesAt(rows: TargetRows): readonly AccessChange[] {
  return changedCells(rows).map(cell =>
    changeOf({ cell, targets: [rows.target], own: 0, loses: cell.loses }),
  );
}

// Several machines are sources for each other; a single machine is not its own source.
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
  // If a source fails a check today, it gains the access behind the check. It had no such access,
  // so it loses none.
  sums.gained.add(rows, moved(Object.values(differences), 'gained'));
  sums.lost.add(rows, moved([certain, possible, opened, closed], 'lost'));
}
