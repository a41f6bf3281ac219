// Why a source does not reach a target: the rule or route with the fewest missing conditions.
import { type Deciding, MISS_CODES, type MissCode } from '../../model/access/planAccess.ts';
import type { Reaches } from '../flows/reaches.ts';
import type { Target } from '../flows/targets.ts';
import { machineMisses } from './machineMisses.ts';
import type { Obstacle, Wanted } from './obstacles.ts';
import { resourceMisses } from './resourceMisses.ts';
import { routeMisses } from './routeMisses.ts';

export interface Miss {
  readonly code: MissCode;
  readonly message: string;
  /** The other missing conditions of the same rule or route. */
  readonly also: readonly MissCode[];
  readonly by?: Deciding;
}

/** The nearest miss of a pair that does not certainly have the requested access. */
export function nearestMiss(
  reaches: Reaches,
  source: number,
  target: Target,
  wanted: Wanted,
): Miss {
  const ways = waysTo(reaches, source, target, wanted).filter(way => way.length > 0);
  const [nearest = []] = ways.toSorted((one, other) => comparing(rank(one), rank(other)));
  const [first, ...others] = nearest.toSorted((one, other) => order(one) - order(other));
  const also = [...new Set(others.map(({ code }) => code))].filter(code => code !== first?.code);
  return {
    code: first?.code ?? 'NO_RULE',
    message: first?.message ?? 'no rule has the source and the destination on its sides',
    also,
    ...(first?.by && { by: first.by }),
  };
}

function waysTo(reaches: Reaches, source: number, target: Target, wanted: Wanted) {
  if (target.type === 'machine') return machineMisses(reaches, source, target.index, wanted);
  return [
    ...target.resources.flatMap(({ network, resource }) =>
      resourceMisses(reaches, { source, resource, network, wanted }),
    ),
    ...target.routes.flatMap(route => routeMisses(reaches, { source, route, wanted })),
  ];
}

const CODES: readonly string[] = Object.keys(MISS_CODES);
const order = ({ code }: Obstacle): number => CODES.indexOf(code);

// The rank of a path. A path with a rule is nearer than a path without a rule, and an enabled rule
// is nearer than a disabled rule. After that, the path with fewer missing conditions is nearer, and
// finally the path whose missing conditions come later in `MISS_CODES`.
function rank(way: readonly Obstacle[]): readonly number[] {
  const has = (code: MissCode): number => (way.some(obstacle => obstacle.code === code) ? 1 : 0);
  const first = way.reduce((least, obstacle) => Math.min(least, order(obstacle)), CODES.length);
  return [has('NO_RULE'), has('DISABLED'), way.length, -first];
}

function comparing(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, i) => value !== other[i]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
