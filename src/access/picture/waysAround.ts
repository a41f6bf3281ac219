// Access to the address of a destination through other objects. A destination stands for its
// addresses, not only for the object with its name.
import type {
  GrantedAccess,
  MatrixVerdict,
  WayAround,
  WaysAround,
} from '../../model/access/accessPicture.ts';
import { targetsBeside } from '../ask/destinations.ts';
import { detoursToTargets } from '../ask/detours.ts';
import type { Reaches } from '../flows/reaches.ts';
import type { RoutedTarget } from '../flows/targets.ts';
import { indexesIn } from '../sets/bits.ts';
import type { Column } from './column.ts';
import { type NameOf, namedTable } from './commonNames.ts';
import { columnOf, type VerdictTable, verdictTable } from './verdictTable.ts';

/**
 * The maximum number of other paths in a cell, because a range may contain any number of resources.
 */
const LISTED = 5;

/**
 * Returns the verdict of a cell, with the other paths to its destination. `own`: the verdict of the
 * cell without these paths.
 */
type WithWays = (source: number, own: number | undefined) => number | undefined;

interface Naming {
  /** The name of a routed destination. */
  readonly nameOf: (target: RoutedTarget) => string;
  /** The names of objects in verdicts, if they differ from the names in the state. */
  readonly names: NameOf | undefined;
  /**
   * The ids of the destinations of the question. A target that covers only another part of the
   * range does not count as another path.
   */
  readonly among?: ReadonlySet<string> | undefined;
}

/**
 * Returns the other paths to a column's destination; undefined if no other target has its address.
 * `table` contains the verdicts of the cells.
 */
export function waysAroundIn(
  reaches: Reaches,
  table: VerdictTable,
  { nameOf, names, among }: Naming,
): (column: Column) => WithWays | undefined {
  const access = accessIn(reaches, names);
  return ({ target, bits }) => {
    const beside = targetsBeside(reaches.world, target, bits && indexesIn(bits)).filter(
      ({ id }) => among?.has(id) ?? true,
    );
    if (beside.length === 0) return undefined;
    const detours = detoursToTargets(reaches.world, targetsOf({ target, ...(bits && { bits }) }));
    const known = new Map<string, number | undefined>();
    return (source, own) => {
      const found = beside.map(one => access.numberOf(one, source));
      const key = `${own}|${found.join()}`;
      if (known.has(key)) return known.get(key);
      const verdict = own === undefined ? undefined : table.list[own];
      const ways = beside.flatMap((one, at): readonly WayAround[] => {
        const granted = access.at(found[at]);
        if (granted === undefined || addsNothing(verdict, granted)) return [];
        const how = detours([one]);
        return [{ to: nameOf(one), ...granted, ...(how.length > 0 && { detours: how }) }];
      });
      const number = ways.length === 0 ? own : table.numberOf(withWays(verdict, waysOf(ways)));
      known.set(key, number);
      return number;
    };
  };
}

const targetsOf = ({ target, bits }: Column) =>
  bits ? [...indexesIn(bits)].map(index => ({ type: 'machine' as const, index })) : [target];

// The access of each source to each destination. Each pair is judged only once.
function accessIn(reaches: Reaches, names: NameOf | undefined) {
  const table = namedTable(verdictTable(), names);
  const columns = new Map<string, (source: number) => number | undefined>();
  return {
    numberOf: (target: RoutedTarget, source: number): number | undefined => {
      const found = columns.get(target.id) ?? remembering(columnOf(reaches, target, table));
      columns.set(target.id, found);
      return found(source);
    },
    at: (number: number | undefined): GrantedAccess | undefined => {
      const verdict = number === undefined ? undefined : table.list[number];
      const isAccess = verdict && verdict.status !== 'blocked' && verdict.status !== 'around';
      // A source gets no access through a path whose checks it fails.
      return isAccess && verdict.status !== 'fail' ? verdict : undefined;
    },
  };
}

function remembering<T>(find: (source: number) => T): (source: number) => T {
  const known = new Map<number, T>();
  return source => {
    if (!known.has(source)) known.set(source, find(source));
    return known.get(source) as T;
  };
}

/** Whether a source already has all ports of another path, without a condition. */
function addsNothing(verdict: MatrixVerdict | undefined, way: GrantedAccess): boolean {
  if (verdict?.status !== 'reaches') return false;
  const own = new Set(verdict.ports);
  return way.ports.every(port => [port, port.replace(/\/.*/, '/*'), '*'].some(one => own.has(one)));
}

function waysOf(all: readonly WayAround[]): WaysAround {
  const ways = all.slice(0, LISTED);
  const ports = new Set(all.flatMap(way => way.ports));
  return {
    ports: ports.has('*') ? ['*'] : [...ports],
    ways,
    ...(all.length > ways.length && { more: all.length - ways.length }),
  };
}

const withWays = (verdict: MatrixVerdict | undefined, around: WaysAround): MatrixVerdict =>
  verdict === undefined ? { status: 'around', around } : { ...verdict, around };
