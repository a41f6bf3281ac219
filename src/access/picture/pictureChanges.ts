// The changes of access between two states. Each contains the grant that causes it, and the affected names on both sides of the
// grant. The access map uses them to mark its lines.
import type { MatrixVerdict, PairChange, PictureChange } from '../../model/access/accessPicture.ts';
import { grantedPorts, pairChange } from '../../model/access/pairChange.ts';
import type { AccessGrant } from '../../model/access/planAccess.ts';
import type { Bits } from '../sets/bits.ts';
import type { World } from '../world/world.ts';
import type { Column } from './column.ts';
import type { NameIn } from './commonNames.ts';
import { offeredAmong, sidesOfGrants } from './grantSides.ts';

/** The cells of two states, before the merging of equal rows and columns. */
export interface ComparedCells {
  readonly worlds: readonly [World, World];
  readonly rows: readonly Bits[];
  readonly columns: readonly Column[];
  /** The numbers of the cells' verdicts, by state. */
  readonly verdictNumbers: readonly [Numbers, Numbers];
  readonly verdicts: readonly MatrixVerdict[];
}

type Numbers = readonly (readonly (number | undefined)[])[];

/** The cells that change in the same way because of the same grant of a state. */
interface Touched {
  readonly at: 0 | 1;
  readonly change: PairChange;
  readonly grant: AccessGrant;
  readonly rows: Set<number>;
  readonly columns: Set<number>;
}

/** The changes of pairs, grouped by the grant that causes them. */
export function pictureChanges(cells: ComparedCells, nameIn: NameIn): readonly PictureChange[] {
  const { worlds, rows, columns } = cells;
  const names = worlds.map((_, at) => nameIn[at === 0 ? 'before' : 'after']);
  const sides = worlds.map((world, at) => sidesOfGrants(world, names[at] ?? nameIn.after));
  const found = new Map<string, PictureChange>();
  for (const { at, change, grant, rows: touchedRows, columns: touchedColumns } of touchedBy(
    cells,
  )) {
    const targets = [...touchedColumns].flatMap(column => columns[column] ?? []);
    const own = sides[at]?.(grant, {
      sources: [...touchedRows].flatMap(row => rows[row] ?? []),
      targets,
    });
    if (own === undefined) continue;
    const key = JSON.stringify([own.by, change]);
    const offered = offeredAmong(targets, names[at] ?? nameIn.after);
    found.set(key, joined({ change, ...own, offered }, found.get(key)));
  }
  return [...found.values()];
}

const joined = (one: PictureChange, other: PictureChange | undefined): PictureChange => ({
  ...one,
  from: [...new Set([...(other?.from ?? []), ...one.from])],
  to: [...new Set([...(other?.to ?? []), ...one.to])],
  offered: [...new Set([...(other?.offered ?? []), ...one.offered])],
});

// Computed once for each pair of verdicts, because there are only a few distinct pairs.
function touchedBy({ verdictNumbers, verdicts }: ComparedCells): Iterable<Touched> {
  const [before, after] = verdictNumbers;
  const byPair = new Map<string, readonly Touched[]>();
  const all = new Map<string, Touched>();
  for (const [row, numbers] of after.entries())
    for (const [column, number] of numbers.entries()) {
      const was = before[row]?.[column];
      if (was === number) continue;
      const pair = `${was} ${number}`;
      const known = byPair.get(pair);
      const touched = known ?? touching(all, verdictAt(verdicts, was), verdictAt(verdicts, number));
      byPair.set(pair, touched);
      for (const one of touched) {
        one.rows.add(row);
        one.columns.add(column);
      }
    }
  return all.values();
}

const verdictAt = (verdicts: readonly MatrixVerdict[], number: number | undefined) =>
  number === undefined ? undefined : verdicts[number];

function touching(
  all: Map<string, Touched>,
  before: MatrixVerdict | undefined,
  after: MatrixVerdict | undefined,
): readonly Touched[] {
  const change = pairChange(before, after);
  if (change === undefined) return [];
  return grantsOfChange(change, before, after).map(({ at, grant }) => {
    const key = JSON.stringify([at, change, grant]);
    const known = all.get(key) ?? { at, change, grant, rows: new Set(), columns: new Set() };
    all.set(key, known);
    return known;
  });
}

interface GrantAt {
  readonly at: 0 | 1;
  readonly grant: AccessGrant;
}

/**
 * The grants that show a change: the added or removed grants, or all grants of the pair if there
 * are none.
 */
function grantsOfChange(
  change: PairChange,
  before: MatrixVerdict | undefined,
  after: MatrixVerdict | undefined,
): readonly GrantAt[] {
  const was = grantsIn(before).map((grant): GrantAt => ({ at: 0, grant }));
  // A new rule is a gain, even if the sources fail its checks.
  const now = change === 'gained' && after?.status === 'fail' ? after.via : grantsIn(after);
  const is = now.map((grant): GrantAt => ({ at: 1, grant }));
  if (was.length === 0) return is;
  if (is.length === 0) return was;
  const texts = (list: readonly GrantAt[]) =>
    new Set(list.map(({ grant }) => JSON.stringify(grant)));
  const formerly = texts(was);
  const later = texts(is);
  const moved = [...was, ...is].filter(({ at, grant }) =>
    at === 0 ? !later.has(JSON.stringify(grant)) : !formerly.has(JSON.stringify(grant)),
  );
  return moved.length > 0 ? moved : [...was, ...is];
}

const grantsIn = (verdict: MatrixVerdict | undefined): readonly AccessGrant[] =>
  verdict !== undefined && 'via' in verdict && grantedPorts(verdict).length > 0 ? verdict.via : [];
