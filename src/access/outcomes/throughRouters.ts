// Access to an address that exceeds its bounds, if the posture of its routing machines is unknown: each of them may pass different
// checks, so the traffic that one of them lets through says nothing about the others.
import type { Reaches } from '../flows/reaches.ts';
import type { RoutedTarget } from '../flows/targets.ts';
import { bitsOf } from '../sets/bits.ts';
import { among, type Row } from '../sets/row.ts';
import { common, either, onlyIn } from '../sets/rowSets.ts';
import type { Outcome } from '../world/outcome.ts';
import type { Compared } from './machineOutcomes.ts';

/** Access that both ends allow and the state does not, and access that only the state allows. */
export interface Exceeding {
  readonly gap: Row;
  readonly opening: Row;
}

/** What a state and the ends let through a routing machine under one outcome. */
interface Through {
  readonly now: Row;
  readonly was: Row;
  readonly is: Row;
}

/**
 * Where a state exceeds its bounds for sources of one outcome. `itself`: the outcome of a routing machine that is the source;
 * `others`: those that any other routing machine may have.
 */
export function exceedingThrough(
  { step, first, last }: Compared,
  { id }: RoutedTarget,
  itself: Outcome,
  others: readonly Outcome[],
): Exceeding {
  const all = [step, first, last].flatMap(reaches => reaches.under(itself).deliveriesOf(id));
  const routers = [...new Set(all.map(({ router }) => router))];
  const through = (reaches: Reaches, outcome: Outcome, router: number): Row => {
    const own = among(reaches.under(itself).rowThrough(id, router), bitsOf([router]));
    return either(reaches.under(outcome).rowThrough(id, router), own);
  };
  const found = routers.map(router =>
    exceedingAt(
      others.map(outcome => ({
        now: through(step, outcome, router),
        was: through(first, outcome, router),
        is: through(last, outcome, router),
      })),
    ),
  );
  const union = (rows: readonly Row[]): Row => rows.reduce(either, []);
  const ofOutsiders = openedBeyond([step, first, last].map(one => one.under(itself).openedRow(id)));
  return {
    // No machine lets it through, and one or two machines did so at both ends.
    gap: either(
      onlyIn(
        either(union(found.map(({ missing }) => missing)), inTwo(found)),
        union(found.map(({ always }) => always)),
      ),
      ofOutsiders.gap,
    ),
    // One machine lets it through, and none did so in either end.
    opening: either(
      onlyIn(
        union(found.map(({ opened }) => opened)),
        union(found.map(({ alwaysAtEnds }) => alwaysAtEnds)),
      ),
      ofOutsiders.opening,
    ),
  };
}

// No posture decides what a service opens, but it needs some routing machine.
const openedBeyond = ([now = [], was = [], is = []]: readonly Row[]): Exceeding => ({
  gap: onlyIn(common(was, is), now),
  opening: onlyIn(onlyIn(now, was), is),
});

/** What a routing machine lets through, over all of its outcomes. */
interface AtRouter {
  /** In both ends, and not now, under one outcome. */
  readonly missing: Row;
  /** In the first state and not now, under one outcome. */
  readonly missingOfFirst: Row;
  readonly missingOfLast: Row;
  /** Now under every outcome. */
  readonly always: Row;
  /** Only now, under one outcome. */
  readonly opened: Row;
  /** In either end under every outcome. */
  readonly alwaysAtEnds: Row;
}

function exceedingAt(outcomes: readonly Through[]): AtRouter {
  const union = (of: (one: Through) => Row): Row => outcomes.map(of).reduce(either, []);
  const every = (of: (one: Through) => Row): Row => outcomes.map(of).reduce(common);
  return {
    missing: union(({ now, was, is }) => onlyIn(common(was, is), now)),
    missingOfFirst: union(({ now, was }) => onlyIn(was, now)),
    missingOfLast: union(({ now, is }) => onlyIn(is, now)),
    always: every(({ now }) => now),
    opened: union(({ now, was, is }) => onlyIn(onlyIn(now, was), is)),
    alwaysAtEnds: every(({ was, is }) => either(was, is)),
  };
}

// Traffic that one routing machine let through in the first state, and another one lets through in the last.
function inTwo(found: readonly AtRouter[]): Row {
  let row: Row = [];
  let first: Row = [];
  let last: Row = [];
  for (const { missingOfFirst, missingOfLast } of found) {
    row = either(row, either(common(first, missingOfLast), common(missingOfFirst, last)));
    first = either(first, missingOfFirst);
    last = either(last, missingOfLast);
  }
  return row;
}
