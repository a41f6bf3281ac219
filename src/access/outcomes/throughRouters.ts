// Access to an address that exceeds its bounds if the posture of its routing machines is unknown.
// Each routing machine may pass different checks, so the traffic through one of them says nothing
// about the others.
import type { Reaches } from '../flows/reaches.ts';
import type { RoutedTarget } from '../flows/targets.ts';
import { bitsOf } from '../sets/bits.ts';
import { among, type Row } from '../sets/row.ts';
import { common, either, onlyIn } from '../sets/rowSets.ts';
import type { Outcome } from '../world/outcome.ts';
import type { ComparedStates } from './machineOutcomes.ts';

/**
 * `gap`: access that the first and the last state allow, but not the intermediate state. `opening`: access that only the
 * intermediate state allows.
 */
export interface Exceeding {
  readonly gap: Row;
  readonly opening: Row;
}

/** The traffic through a routing machine in one outcome, in the intermediate, the first and the last state. */
interface Through {
  readonly now: Row;
  readonly was: Row;
  readonly is: Row;
}

/**
 * The access out of bounds for sources in one outcome. `itself`: the outcome if the source is the
 * routing machine. `others`: the possible outcomes of every other routing machine.
 */
export function exceedingThrough(
  { step, first, last }: ComparedStates,
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
    // Traffic that no routing machine lets through now, although at least one did in the first
    // state and at least one did in the last state.
    gap: either(
      onlyIn(
        either(union(found.map(({ missing }) => missing)), inTwo(found)),
        union(found.map(({ always }) => always)),
      ),
      ofOutsiders.gap,
    ),
    // Traffic that a routing machine lets through now, although none did in the first state and
    // none did in the last state.
    opening: either(
      onlyIn(
        union(found.map(({ opened }) => opened)),
        union(found.map(({ alwaysAtEnds }) => alwaysAtEnds)),
      ),
      ofOutsiders.opening,
    ),
  };
}

// Ports that a service opens. They do not depend on posture, but some of them need a routing machine.
const openedBeyond = ([now = [], was = [], is = []]: readonly Row[]): Exceeding => ({
  gap: onlyIn(common(was, is), now),
  opening: onlyIn(onlyIn(now, was), is),
});

/** The traffic through a routing machine, for all of its outcomes together. */
interface AtRouter {
  /** Traffic that some outcome allows in the first and the last state, but not now. */
  readonly missing: Row;
  /** Traffic that some outcome allows in the first state, but not now. */
  readonly missingOfFirst: Row;
  readonly missingOfLast: Row;
  /** Traffic that every outcome allows now. */
  readonly always: Row;
  /** Traffic that some outcome allows only now. */
  readonly opened: Row;
  /** Traffic that every outcome allows in the first or the last state. */
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

// Traffic that can pass one routing machine in the first state, and another routing machine in the last state.
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
