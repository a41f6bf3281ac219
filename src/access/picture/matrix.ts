// Access as a matrix: classes of equivalent members by routed destinations and by the same classes.
import type { AccessMatrix } from '../../model/access/accessPicture.ts';
import type { Reaches } from '../flows/reaches.ts';
import { itselfIn, type RoutedTarget, routedTargets, type Target } from '../flows/targets.ts';
import { type Bits, bitsOf, has, indexesIn, intersect, or } from '../sets/bits.ts';
import { blockedIn } from './blocked.ts';
import { classesIn, memberBut } from './classes.ts';
import type { Column } from './column.ts';
import { memberNames, sidesIn } from './sides.ts';
import { columnOf, verdictTable } from './verdicts.ts';

/** The limits of a matrix. Absent: everyone, everything. */
export interface MatrixScope {
  readonly sources?: Bits | undefined;
  readonly targets?: readonly Target[] | undefined;
}

/** The largest number of rows and of columns on a page; the others are left out, and counted. */
const LARGEST = 800;

/** The matrix of all sources and destinations, or of a part of them. */
export function matrixOf(
  reaches: Reaches,
  scope: MatrixScope = {},
  largest = LARGEST,
): AccessMatrix {
  const { world } = reaches;
  const everyone = or(world.today, world.approved);
  const classes = classesIn(reaches, everyone);
  const outsiders = [...indexesIn(world.internet)].map(index => bitsOf([index]));
  const sources = [...classes, ...outsiders];
  const rows = sources.filter(
    bits => scope.sources === undefined || intersect(bits, scope.sources),
  );
  const all = columnsOf(classes, routedTargets(world), scope.targets);
  const shownRows = rows.slice(0, largest);
  const columns = all.slice(0, largest);
  const table = verdictTable();
  const found: (number | undefined)[][] = shownRows.map(() => []);
  for (const { target, bits } of columns) {
    const verdictFor = columnOf(reaches, target, table);
    const itself = itselfIn(world, target);
    for (const [row, sources] of shownRows.entries()) {
      const source = bits === undefined ? first(sources) : memberBut(sources, itself);
      found[row]?.push(source === undefined ? undefined : verdictFor(source));
    }
  }
  const blocked = blockedIn(reaches, { rows: shownRows, columns, found });
  for (const { row, column, verdict } of blocked.pairs) {
    const cells = found[row];
    if (cells) cells[column] = table.numberOf(verdict);
  }
  const { ofClasses, ofRouted } = sidesIn(world);
  const routed = columns.flatMap(({ target }) => (target.type === 'machine' ? [] : target));
  return {
    members: memberNames(world),
    rows: ofClasses(shownRows),
    columns: [...ofRouted(routed), ...ofClasses(columns.flatMap(({ bits }) => bits ?? []))],
    verdicts: table.list,
    cells: found.map(runs),
    left_out: { rows: rows.length - shownRows.length, columns: all.length - columns.length },
    unexplained: blocked.unexplained,
  };
}

const first = (bits: Bits): number | undefined => indexesIn(bits).next().value ?? undefined;

// Routed destinations come first, so that they are never omitted: few addresses cover the systems that people protect.
function columnsOf(
  classes: readonly Bits[],
  routed: readonly RoutedTarget[],
  wanted: readonly Target[] | undefined,
): readonly Column[] {
  const isWanted = (bits: Bits) =>
    wanted?.some(one => one.type === 'machine' && has(bits, one.index)) ?? true;
  const ids = wanted && new Set(wanted.flatMap(one => (one.type === 'machine' ? [] : one.id)));
  return [
    ...routed.filter(({ id }) => ids?.has(id) ?? true).map((target): Column => ({ target })),
    ...classes.filter(isWanted).flatMap((bits): Column[] => {
      const index = first(bits);
      return index === undefined ? [] : [{ target: { type: 'machine', index }, bits }];
    }),
  ];
}

// Adjacent cells with the same content form one run.
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
