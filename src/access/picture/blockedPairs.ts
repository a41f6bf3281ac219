// Blocked pairs: an accept rule or a route names the pair, but the pair has no access. Each has a
// reason.
import type { MatrixVerdict } from '../../model/access/accessPicture.ts';
import type { Reaches } from '../flows/reaches.ts';
import { itselfIn, type Target } from '../flows/targets.ts';
import { type Bits, intersect, isSubset, noBits, or, orInto } from '../sets/bits.ts';
import { ALL_TRAFFIC } from '../sets/traffic.ts';
import { nearestMiss } from '../why/nearestMiss.ts';
import { leadsTo } from '../world/resourcePolicies.ts';
import type { World } from '../world/world.ts';
import { memberBut } from './classes.ts';
import type { Column } from './column.ts';

interface Cells {
  readonly rows: readonly Bits[];
  /** The columns; undefined for a destination that the state does not have. */
  readonly columns: readonly (Column | undefined)[];
  /** The existing access by row and column. */
  readonly found: readonly (readonly (number | undefined)[])[];
}

interface BlockedPair {
  readonly row: number;
  readonly column: number;
  readonly verdict: MatrixVerdict;
}

/**
 * The maximum number of pairs that are explained. This is enough to see the problem; explaining
 * every pair of a large account would take too long.
 */
const PAIRS_EXPLAINED = 2_000;

/** The blocked pairs of a matrix, and the number of pairs that are not listed. */
export function blockedIn(
  reaches: Reaches,
  { rows, columns, found }: Cells,
): { readonly pairs: readonly BlockedPair[]; readonly unexplained: number } {
  const pairs: BlockedPair[] = [];
  let unexplained = 0;
  for (const [column, shown] of columns.entries()) {
    if (shown === undefined) continue;
    const { target, bits } = shown;
    const meant = bits ? meantForMachines(reaches, bits) : meantForRouted(reaches, target);
    for (const [row, sources] of rows.entries()) {
      if (found[row]?.[column] !== undefined || !intersect(sources, meant)) continue;
      const source = memberBut(sources, itselfIn(reaches.world, target));
      if (source === undefined) continue;
      if (pairs.length >= PAIRS_EXPLAINED) {
        unexplained++;
        continue;
      }
      const miss = nearestMiss(reaches, source, target, { traffic: ALL_TRAFFIC, hasPorts: false });
      pairs.push({ row, column, verdict: { status: 'blocked', ...miss } });
    }
  }
  return { pairs: pairs.filter(({ verdict }) => !isWithoutRule(verdict)), unexplained };
}

const isWithoutRule = (verdict: MatrixVerdict): boolean =>
  verdict.status === 'blocked' && verdict.code === 'NO_RULE';

function meantForMachines({ world }: Reaches, targets: Bits): Bits {
  const meant = noBits();
  const rules = world.policies.flatMap(policy => policy.rules);
  for (const { rule, sources, destinations, isActive } of rules) {
    if (rule.isDrop || (!isActive && isOpenToAll(world, sources, destinations))) continue;
    if (intersect(destinations, targets)) orInto(meant, sources);
    if (rule.isBidirectional && intersect(sources, targets)) orInto(meant, destinations);
  }
  return meant;
}

// Whether a rule is open to all. A new account has such a rule, and most people disable it first, so its pairs are not listed as
// blocked.
function isOpenToAll({ today, approved }: World, sources: Bits, destinations: Bits): boolean {
  const everyone = or(today, approved);
  return [sources, destinations].every(side => isSubset(everyone, side));
}

// The sources for which a target is intended, even if its resources, routes or rules are disabled.
function meantForRouted({ world }: Reaches, target: Target): Bits {
  const meant = noBits();
  if (target.type === 'machine') return meant;
  const { resources, routes } = target;
  for (const compiled of world.policies.flatMap(({ rules }) => rules)) {
    if (compiled.rule.isDrop) continue;
    if (resources.some(({ resource }) => leadsTo(compiled, resource)))
      orInto(meant, compiled.sources);
  }
  for (const { distribution } of routes) orInto(meant, world.inGroups(distribution));
  return meant;
}
