// Access as a matrix. The rows are classes of equivalent members; the columns are the same classes and the routed destinations.
import type { AccessMatrix, MatrixVerdict } from '../../model/access/accessPicture.ts';
import type { Detours } from '../ask/detours.ts';
import { memberIdsIn } from '../ask/ids.ts';
import type { Reaches } from '../flows/reaches.ts';
import { itselfIn, type RoutedTarget, routedTargets, type Target } from '../flows/targets.ts';
import { type Bits, bitsOf, has, indexesIn, intersect, or } from '../sets/bits.ts';
import type { World } from '../world/world.ts';
import { blockedIn } from './blockedPairs.ts';
import { classesIn, memberBut } from './classes.ts';
import type { Column } from './column.ts';
import { type NameIn, type NameOf, namedTable } from './commonNames.ts';
import { groupedByCells } from './equalCells.ts';
import type { ComparedCells } from './pictureChanges.ts';
import { memberNames, mergedSide, sidesIn } from './sideNames.ts';
import { columnOf, type VerdictTable, verdictTable } from './verdictTable.ts';
import { waysAroundIn } from './waysAround.ts';

/** The limits of a matrix. If a limit is missing, the matrix has all sources or all targets. */
export interface MatrixScope {
  readonly sources?: Bits | undefined;
  readonly targets?: readonly Target[] | undefined;
  /**
   * Describes how targets lead to the targets of the question if their own addresses are different.
   */
  readonly detours?: Detours | undefined;
}

/** The maximum number of rows and of columns on a page. The rest is left out and counted. */
const LARGEST = 2_000;

/** The matrix of all sources and destinations, or of a part of them. */
export function matrixOf(
  reaches: Reaches,
  scope: MatrixScope = {},
  largest = LARGEST,
): AccessMatrix {
  const { matrices } = matricesOf([reaches], { scope, largest });
  return matrices[0];
}

/** The matrices of two states, and their cells before the merging of equal rows and columns. */
export function comparedMatrices(
  first: Reaches,
  last: Reaches,
  nameIn: NameIn,
): {
  readonly before: AccessMatrix;
  readonly after: AccessMatrix;
  readonly cells: ComparedCells;
} {
  const named = { scope: {}, largest: LARGEST, names: [nameIn.before, nameIn.after] };
  const { matrices, cells } = matricesOf([first, last], named);
  const [before, after = before] = matrices;
  const [was = [], is = []] = cells.verdictNumbers;
  return {
    before,
    after,
    cells: { ...cells, verdictNumbers: [was, is], worlds: [first.world, last.world] },
  };
}

interface Matrices {
  readonly matrices: AtLeastOne<AccessMatrix>;
  readonly cells: Omit<ComparedCells, 'worlds' | 'verdictNumbers'> & {
    readonly verdictNumbers: readonly Found[];
  };
}

type AtLeastOne<T> = readonly [T, ...T[]];

/** The numbers of verdicts, by row and column; undefined if a state has no access there. */
type Found = (number | undefined)[][];

interface MatricesOf {
  readonly scope: MatrixScope;
  readonly largest: number;
  /** The names for objects in verdicts; one entry for each state. */
  readonly names?: readonly NameOf[];
}

/**
 * The matrices of compared states. They have the same rows, columns and verdicts, so cells at the
 * same position are the same pair in all of them. Rows that are equal in all states are merged, and
 * so are columns of machines.
 */
function matricesOf(
  states: AtLeastOne<Reaches>,
  { scope, largest, names = [] }: MatricesOf,
): Matrices {
  const worlds = states.map(({ world }) => world);
  const part = shownPart(states, scope, largest);
  const table = verdictTable();
  const nameOf = routedNames(states);
  const tables = states.map((_, at) => namedTable(table, names[at]));
  const access = accessIn(states, { ...part, detours: scope.detours }, tables);
  const parts = states.map((reaches, at) => {
    const ways = { nameOf, names: names[at], among: routedIds(scope.targets) };
    const around = waysAroundIn(reaches, table, ways);
    return cellsIn(reaches, { ...part, around, found: access[at] ?? [] }, tables[at] ?? table);
  });
  const verdictNumbers = parts.map(({ found }) => found);
  const same = alikeIn(part, verdictNumbers);
  const base = {
    members: memberNames((states.at(-1) ?? states[0]).world),
    member_ids: memberIdsIn(worlds),
    ...mergedSides(part, same, worlds),
    verdicts: table.list,
    left_out: part.leftOut,
  };
  const [first, ...others] = parts.map(({ found, unexplained }) => ({
    ...base,
    cells: same.rows.map(([row = 0]) =>
      runs(same.columns.map(([column = 0]) => found[row]?.[column])),
    ),
    unexplained,
  }));
  return {
    matrices: [first as AccessMatrix, ...others],
    cells: { rows: part.rows, columns: part.columns, verdictNumbers, verdicts: table.list },
  };
}

/** The rows and columns of a matrix, and the number of rows and columns that are left out. */
interface Part {
  readonly rows: readonly Bits[];
  readonly columns: readonly Column[];
  readonly leftOut: AccessMatrix['left_out'];
}

function shownPart(states: AtLeastOne<Reaches>, scope: MatrixScope, largest: number): Part {
  const worlds = states.map(({ world }) => world);
  const everyone = worlds.map(world => or(world.today, world.approved)).reduce(or);
  const routed = states.length > 1 ? states.map(one => one.withRouters()) : [];
  const classes = classesIn([...new Set([...states, ...routed])], everyone);
  const internet = worlds.map(world => world.internet).reduce(or);
  const sources = [...classes, ...indexesIn(internet).map(index => bitsOf([index]))];
  const allRows = sources.filter(
    bits => scope.sources === undefined || intersect(bits, scope.sources),
  );
  const allColumns = columnsOf(classes, everyRouted(states), scope.targets);
  const rows = allRows.slice(0, largest);
  const columns = allColumns.slice(0, largest);
  return {
    rows,
    columns,
    leftOut: { rows: allRows.length - rows.length, columns: allColumns.length - columns.length },
  };
}

/** Rows grouped by their cells in all states, and columns grouped in the same way. */
interface Alike {
  readonly rows: readonly (readonly number[])[];
  readonly columns: readonly (readonly number[])[];
}

function alikeIn({ rows, columns }: Part, verdictNumbers: readonly Found[]): Alike {
  const sameRows = groupedByCells(rows.length, row =>
    verdictNumbers.flatMap(found => found[row] ?? []),
  );
  const sameColumns = groupedByCells(columns.length, column =>
    columns[column]?.bits === undefined
      ? [`routed ${column}`]
      : verdictNumbers.flatMap(found => sameRows.map(([row = 0]) => found[row]?.[column])),
  );
  return { rows: sameRows, columns: sameColumns };
}

function mergedSides(
  { rows, columns }: Part,
  same: Alike,
  worlds: readonly World[],
): Pick<AccessMatrix, 'rows' | 'columns'> {
  const { ofClasses, ofRouted, ofGroup } = sidesIn(worlds);
  const rowSides = ofClasses(rows);
  const routed = columns.flatMap(({ target }) => (target.type === 'machine' ? [] : target));
  const columnSides = [
    ...ofRouted(routed),
    ...ofClasses(columns.flatMap(({ bits }) => bits ?? [])),
  ];
  return {
    rows: same.rows.map(
      mergedSide(rowSides, places => ofGroup(places.flatMap(at => rows[at] ?? []))),
    ),
    columns: same.columns.map(
      mergedSide(columnSides, places => ofGroup(places.flatMap(at => columns[at]?.bits ?? []))),
    ),
  };
}

/**
 * The access in the cells of each state. If no compared state routes a pair, its cell contains the
 * access that begins when a machine joins a group of routing machines, because a plan may change
 * this access too.
 */
function accessIn(
  states: readonly Reaches[],
  { rows, columns, detours }: Pick<Part, 'rows' | 'columns'> & Pick<MatrixScope, 'detours'>,
  tables: readonly VerdictTable[],
): readonly Found[] {
  const accessOf = (reaches: Reaches, at: number, isShown: (column: Column) => boolean): Found => {
    const own = columnsHere(reaches.world, columns);
    const table = tables[at] ?? verdictTable();
    return cellsOf(reaches.world, { rows, columns: own }, column => {
      if (!isShown(column)) return () => undefined;
      const { target } = column;
      return columnOf(reaches, target, withDetours(table, detours?.([target]) ?? []));
    });
  };
  const found = states.map((reaches, at) => accessOf(reaches, at, () => true));
  if (states.length === 1) return found;
  return states.map((reaches, at) => {
    const now = found[at] ?? [];
    const routed = reaches.withRouters();
    if (routed === reaches) return now;
    const later = accessOf(routed, at, ({ target }) => target.type !== 'machine');
    const isRouted = (row: number, column: number) =>
      found.some(one => one[row]?.[column] !== undefined);
    return now.map((cells, row) =>
      cells.map((cell, column) => (isRouted(row, column) ? cell : later[row]?.[column])),
    );
  });
}

interface Cut extends Pick<Part, 'rows' | 'columns'> {
  readonly found: Found;
  readonly around: ReturnType<typeof waysAroundIn>;
}

// The cells of a state. If a rule names the pair of an empty cell, the cell contains the reason why
// it is empty.
function cellsIn(
  reaches: Reaches,
  { rows, columns, around, found: access }: Cut,
  table: VerdictTable,
): { readonly found: Found; readonly unexplained: number } {
  const own = columnsHere(reaches.world, columns);
  const found = access.map(cells => [...cells]);
  const blocked = blockedIn(reaches, { rows, columns: own, found });
  for (const { row, column, verdict } of blocked.pairs) {
    const cells = found[row];
    if (cells) cells[column] = table.numberOf(verdict);
  }
  const withWays = cellsOf(reaches.world, { rows, columns: own }, (column, at) => {
    const ways = around(column);
    return (source, row) => (ways ? ways(source, found[row]?.[at]) : found[row]?.[at]);
  });
  return { found: withWays, unexplained: blocked.unexplained };
}

// The columns, with the targets of this state; undefined for a destination that the state does not have.
function columnsHere(world: World, columns: readonly Column[]): readonly (Column | undefined)[] {
  const own = new Map(routedTargets(world).map(target => [target.id, target]));
  return columns.map(({ target, bits }): Column | undefined => {
    if (target.type === 'machine') return { target, ...(bits && { bits }) };
    const here = own.get(target.id);
    return here && { target: here };
  });
}

/** Returns the content of a cell for the machine that represents the row. */
type CellOf = (source: number, row: number) => number | undefined;

function cellsOf(
  world: World,
  {
    rows,
    columns,
  }: { readonly rows: readonly Bits[]; readonly columns: readonly (Column | undefined)[] },
  cellIn: (column: Column, at: number) => CellOf,
): Found {
  const found: Found = rows.map(() => []);
  for (const [at, column] of columns.entries()) {
    const cell = column && cellIn(column, at);
    const itself = column ? itselfIn(world, column.target) : -1;
    for (const [row, sources] of rows.entries()) {
      const source = sourceFor(sources, column, itself);
      found[row]?.push(source === undefined ? undefined : cell?.(source, row));
    }
  }
  return found;
}

// If the class is also the destination, a different member of the class represents the sources.
const sourceFor = (sources: Bits, column: Column | undefined, itself: number) =>
  column?.bits === undefined ? first(sources) : memberBut(sources, itself);

// Adds descriptions to the cells whose destination leads to the target of the question through a
// name or through routers.
function withDetours(table: VerdictTable, detours: readonly string[]): VerdictTable {
  if (detours.length === 0) return table;
  const numberOf = (verdict: MatrixVerdict) =>
    table.numberOf('via' in verdict ? { ...verdict, detours } : verdict);
  return { ...table, numberOf };
}

// The routed targets of all states. If a target is in several states, the version in the last one counts.
const everyRouted = (states: readonly Reaches[]): readonly RoutedTarget[] => [
  ...new Map(
    states.flatMap(({ world }) => routedTargets(world)).map(target => [target.id, target]),
  ).values(),
];

/** Returns the name of a routed destination, as in the column headings. */
function routedNames(states: readonly Reaches[]): (target: RoutedTarget) => string {
  const targets = everyRouted(states);
  const sides = sidesIn(states.map(({ world }) => world)).ofRouted(targets);
  const names = new Map(
    targets.map(({ id }, at) => [id, [sides[at]?.name, sides[at]?.address].join(' ')]),
  );
  return ({ id }) => names.get(id) ?? '';
}

const first = (bits: Bits): number | undefined => indexesIn(bits).next().value ?? undefined;

const routedIds = (targets: readonly Target[] | undefined): ReadonlySet<string> | undefined =>
  targets && new Set(targets.flatMap(one => (one.type === 'machine' ? [] : one.id)));

// The columns. Routed destinations come first, so that they are never left out, because a few
// addresses cover the systems that people protect.
function columnsOf(
  classes: readonly Bits[],
  routed: readonly RoutedTarget[],
  wanted: readonly Target[] | undefined,
): readonly Column[] {
  const isWanted = (bits: Bits) =>
    wanted?.some(one => one.type === 'machine' && has(bits, one.index)) ?? true;
  const ids = routedIds(wanted);
  return [
    ...routed.filter(({ id }) => ids?.has(id) ?? true).map((target): Column => ({ target })),
    ...classes.filter(isWanted).flatMap((bits): Column[] => {
      const index = first(bits);
      return index === undefined ? [] : [{ target: { type: 'machine', index }, bits }];
    }),
  ];
}

// The cells of a row as runs. Adjacent cells with the same content form a run.
function runs(cells: readonly (number | undefined)[]): readonly number[] {
  const list: number[] = [];
  for (const [column, verdict] of cells.entries()) {
    if (verdict === undefined) continue;
    const end = (list.at(-3) ?? 0) + (list.at(-1) ?? 0);
    if (list.length > 0 && end === column && list.at(-2) === verdict)
      list[list.length - 1] = (list.at(-1) ?? 0) + 1;
    else list.push(column, verdict, 1);
  }
  return list;
}
