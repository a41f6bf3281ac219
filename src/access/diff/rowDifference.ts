// The difference between two rows, by protocol: the sources that may newly send traffic, and the
// sources that may no longer send traffic.
import { type Bits, noBits, orInto, orMinusInto } from '../sets/bits.ts';
import type { Row } from '../sets/row.ts';
import { type Interval, protocolAt, type TrafficProtocol } from '../sets/traffic.ts';

export interface Difference {
  readonly gained: Bits;
  readonly lost: Bits;
}

/** By protocol; a protocol without differences is left out. */
export type Differences = ReadonlyMap<TrafficProtocol, Difference>;

/** An interval of traffic of one protocol, and the sources that gain or lose it. */
export interface MovedInterval extends Interval, Difference {}

const NONE: Differences = new Map();

/** Reads both rows in parallel, because large accounts have tens of thousands of rows to compare. */
export function differencesOf(was: Row, is: Row): Differences {
  // In one pool, rows with the same rules are the same object.
  if (was === is) return NONE;
  const found = new Map<TrafficProtocol, Difference>();
  eachDifference(was, is, ({ from }, before, after) => {
    const protocol = protocolAt(from);
    const { gained, lost } = found.get(protocol) ?? { gained: noBits(), lost: noBits() };
    found.set(protocol, { gained, lost });
    onlyIn(gained, after, before);
    onlyIn(lost, before, after);
  });
  return found;
}

/** The differences between two rows, with the intervals of traffic to which they apply. */
export function movedIntervals(was: Row, is: Row): readonly MovedInterval[] {
  const found: MovedInterval[] = [];
  if (was === is) return found;
  eachDifference(was, is, ({ from, to }, before, after) => {
    const gained = noBits();
    const lost = noBits();
    onlyIn(gained, after, before);
    onlyIn(lost, before, after);
    found.push({ from, to, gained, lost });
  });
  return found;
}

// Calls `visit` for each interval in which the sources of the rows may differ.
function eachDifference(
  was: Row,
  is: Row,
  visit: (at: Interval, before: Bits | undefined, after: Bits | undefined) => void,
): void {
  let one = 0;
  let other = 0;
  let at = Math.min(was[0]?.from ?? Infinity, is[0]?.from ?? Infinity);
  while (at < Infinity) {
    const here = was[one];
    const there = is[other];
    const before = here && here.from <= at ? here : undefined;
    const after = there && there.from <= at ? there : undefined;
    const next = Math.min(
      (before ? before.to + 1 : here?.from) ?? Infinity,
      (after ? after.to + 1 : there?.from) ?? Infinity,
    );
    if (before?.sources !== after?.sources)
      visit({ from: at, to: next - 1 }, before?.sources, after?.sources);
    at = next;
    if (before && before.to < at) one++;
    if (after && after.to < at) other++;
  }
}

function onlyIn(result: Bits, sources: Bits | undefined, others: Bits | undefined): void {
  if (sources === undefined) return;
  if (others === undefined) orInto(result, sources);
  else orMinusInto(result, sources, others);
}
