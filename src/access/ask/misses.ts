// Why some sources do not reach some targets, with pairs grouped by reason.
import type { Reaches } from '../flows/reaches.ts';
import { itselfIn, rowAt, type Target } from '../flows/targets.ts';
import { add, type Bits, has, indexesIn, noBits } from '../sets/bits.ts';
import { trafficFrom } from '../sets/row.ts';
import { joinedIntervals, without } from '../sets/traffic.ts';
import { type Miss, nearestMiss } from '../why/nearestMiss.ts';
import type { Wanted } from '../why/obstacles.ts';
import { isCovered } from '../why/obstacles.ts';
import type { Reading } from '../world/reading.ts';
import type { Caller } from './members.ts';

export interface MissedPairs extends Miss {
  readonly sources: Bits;
  readonly targets: readonly [Target, ...Target[]];
}

interface Pairs {
  readonly sources: Bits;
  readonly targets: readonly Target[];
  readonly wanted: Wanted;
  /**
   * Outsiders that some of the sources may be. Access of such an outsider counts as access of the
   * source.
   */
  readonly callers?: readonly Pick<Caller, 'index' | 'members'>[];
}

/**
 * The maximum number of pairs that are explained. This is enough to see the problem; explaining
 * every pair of a large account would take too long.
 */
const PAIRS_EXPLAINED = 2_000;

/**
 * The pairs that lack the requested access for one way to evaluate posture, grouped by their
 * nearest miss.
 */
export function missesBetween(
  reaches: Reaches,
  pairs: Pairs,
  reading: Reading = 'possible',
): readonly MissedPairs[] {
  const found = new Map<string, { sources: Bits; targets: Target[]; miss: Miss }>();
  let explained = 0;
  for (const [source, target, wanted] of missingPairs(reaches, pairs, reading)) {
    if (++explained > PAIRS_EXPLAINED) break;
    const miss = nearestMiss(reaches, source, target, wanted);
    const name = `${miss.code} ${miss.message} ${target.type === 'machine' ? '' : target.id}`;
    const known = found.get(name) ?? { sources: noBits(), targets: [], miss };
    add(known.sources, source);
    if (!known.targets.includes(target)) known.targets.push(target);
    found.set(name, known);
  }
  return [...found.values()].flatMap(({ sources, targets: [first, ...rest], miss }) =>
    first ? [{ ...miss, sources, targets: [first, ...rest] }] : [],
  );
}

/** The pairs with missing access, and what is missing. */
function* missingPairs(
  reaches: Reaches,
  { sources, targets, wanted, callers = [] }: Pairs,
  reading: Reading,
): Generator<readonly [source: number, target: Target, missing: Wanted]> {
  for (const target of targets) {
    const row = rowAt(reaches.under(reading), target);
    const itself = itselfIn(reaches.world, target);
    for (const source of indexesIn(sources)) {
      if (itself === source) continue;
      const calling = callers.filter(({ members }) => has(members, source));
      const allowed = joinedIntervals(
        [source, ...calling.map(({ index }) => index)].flatMap(index => trafficFrom(row, index)),
      );
      if (isCovered(wanted, allowed)) continue;
      // If rules grant only parts of the requested access, the nearest miss is reported for the
      // first missing part.
      const [first] = without(wanted.traffic, allowed);
      const traffic = wanted.hasPorts && first ? [first] : wanted.traffic;
      const bound = reading === 'unconditional' ? reading : 'certain';
      yield [source, target, { ...wanted, traffic, reading: bound }];
    }
  }
}
