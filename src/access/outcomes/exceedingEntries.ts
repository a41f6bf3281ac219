// Access to a machine in an intermediate state that exceeds what the first and the last state
// allow. Only the rules that differ are used, because in a large account, most rules at a machine
// are the same in all three states.
import { and, type Bits, isEmpty, minus, minusInto, orAll } from '../sets/bits.ts';
import type { PooledEntry } from '../sets/rowPool.ts';
import { sweepOf } from '../sets/sweep.ts';
import { cutsOf, protocolAt, SPAN } from '../sets/traffic.ts';
import type { Exceeding } from './throughRouters.ts';

/** Values for one machine in an intermediate state, in the first state and in the last state. */
export interface ByComparedState<T> {
  readonly step: T;
  readonly first: T;
  readonly last: T;
}

const NOTHING: Exceeding = { gap: [], opening: [] };

/**
 * `gap`: access that the intermediate entries lack, although the first and the last entries both give it. `opening`: access that
 * only the intermediate entries give. All entries are from one pool.
 */
export function exceedingEntries(entries: ByComparedState<readonly PooledEntry[]>): Exceeding {
  const known = {
    step: new Set(entries.step),
    first: new Set(entries.first),
    last: new Set(entries.last),
  };
  const all = known.step.union(known.first).union(known.last);
  const common = known.step.intersection(known.first).intersection(known.last);
  if (common.size === all.size) return NOTHING;
  const changed = [...all.difference(common)];
  const cuts = cutsOf([...all].map(({ traffic }) => traffic));
  const edges = new Set(cutsOf(changed.map(({ traffic }) => traffic)));
  const changedAt = sweepOf(changed);
  const commonAt = sweepOf([...common]);
  const found = { gap: [...NOTHING.gap], opening: [...NOTHING.opening] };
  let readingAt = (_: Iterable<PooledEntry>): Sides => NOBODY;
  for (const [at, from] of cuts.entries()) {
    const next = cuts[at + 1];
    if (next === undefined) break;
    if (edges.has(from)) readingAt = exceedingOf([...changedAt(from)], known, [...common], from);
    const sides = readingAt(commonAt(from));
    for (const side of ['gap', 'opening'] as const)
      if (!isEmpty(sides[side])) found[side].push({ from, to: next - 1, sources: sides[side] });
  }
  return found;
}

/**
 * `gap`: sources that have less access than both the first and the last state allow. `opening`: sources that have more than
 * either of them allows.
 */
interface Sides {
  readonly gap: Bits;
  readonly opening: Bits;
}

const NO_SOURCES: Bits = orAll([]);

const NOBODY: Sides = { gap: NO_SOURCES, opening: NO_SOURCES };

/**
 * Returns a function that finds the sources out of bounds from a given point on. Its argument is
 * the list of unchanged entries that count there. `here`: the changed entries that count there.
 * Unchanged entries can only hide differences of accept rules.
 */
function exceedingOf(
  here: readonly PooledEntry[],
  known: ByComparedState<ReadonlySet<PooledEntry>>,
  common: readonly PooledEntry[],
  point: number,
): (commonHere: Iterable<PooledEntry>) => Sides {
  if (here.length === 0) return () => NOBODY;
  const inState = (state: keyof typeof known) => here.filter(entry => known[state].has(entry));
  const own = { step: inState('step'), first: inState('first'), last: inState('last') };
  if (here.some(({ isDrop }) => isDrop))
    return commonHere => {
      const others = [...commonHere];
      const allowed = (state: keyof typeof own) => acceptedBy([...own[state], ...others]);
      return beyond({ step: allowed('step'), first: allowed('first'), last: allowed('last') });
    };
  const span = SPAN[protocolAt(point)];
  const wide = common.filter(({ traffic }) =>
    traffic.some(({ from, to }) => from <= span.from && to >= span.to),
  );
  const sides = beyond({
    step: acceptedBy(own.step),
    first: acceptedBy(own.first),
    last: acceptedBy(own.last),
  });
  const usual = { gap: without(sides.gap, wide), opening: without(sides.opening, wide) };
  if (isEmpty(usual.gap) && isEmpty(usual.opening)) return () => NOBODY;
  return commonHere => {
    const others = [...commonHere];
    return { gap: without(usual.gap, others), opening: without(usual.opening, others) };
  };
}

const beyond = ({ step, first, last }: ByComparedState<Bits>): Sides => ({
  gap: minus(and(first, last), step),
  opening: minus(minus(step, first), last),
});

// A drop rule that counts in every state removes the same access in each of them, and an unchanged
// accept rule gives the same access in each of them. So both are left out.
const without = (sources: Bits, entries: readonly PooledEntry[]): Bits =>
  entries.reduce((rest, one) => (isEmpty(rest) ? rest : minus(rest, one.sources)), sources);

function acceptedBy(entries: readonly PooledEntry[]): Bits {
  const accepted = orAll(entries.filter(({ isDrop }) => !isDrop).map(({ sources }) => sources));
  for (const { isDrop, sources } of entries) if (isDrop) minusInto(accepted, sources);
  return accepted;
}
