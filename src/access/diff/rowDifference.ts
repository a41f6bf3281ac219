// The difference of two rows by protocol: the sources that may newly send traffic, and the sources that no longer may.
import { type Bits, noBits, orInto, orMinusInto } from '../sets/bits.ts';
import type { Row } from '../sets/row.ts';
import { protocolAt, type TrafficProtocol } from '../sets/traffic.ts';

export interface Difference {
  readonly gained: Bits;
  readonly lost: Bits;
}

/** By protocol; a protocol without differences is left out. */
export type Differences = ReadonlyMap<TrafficProtocol, Difference>;

const NONE: Differences = new Map();

/** Walks along both rows at once. Large accounts have tens of thousands of rows to compare. */
export function differencesOf(was: Row, is: Row): Differences {
  // Rows of one pool are the same object if the same rules count.
  if (was === is) return NONE;
  const found = new Map<TrafficProtocol, Difference>();
  let one = 0;
  let other = 0;
  let at = Math.min(was[0]?.from ?? Infinity, is[0]?.from ?? Infinity);
  while (at < Infinity) {
    const here = was[one];
    const there = is[other];
    const before = here && here.from <= at ? here : undefined;
    const after = there && there.from <= at ? there : undefined;
    if (before?.sources !== after?.sources) {
      const protocol = protocolAt(at);
      const { gained, lost } = found.get(protocol) ?? { gained: noBits(), lost: noBits() };
      found.set(protocol, { gained, lost });
      onlyIn(gained, after?.sources, before?.sources);
      onlyIn(lost, before?.sources, after?.sources);
    }
    at = Math.min(
      (before ? before.to + 1 : here?.from) ?? Infinity,
      (after ? after.to + 1 : there?.from) ?? Infinity,
    );
    if (before && before.to < at) one++;
    if (after && after.to < at) other++;
  }
  return found;
}

function onlyIn(result: Bits, sources: Bits | undefined, others: Bits | undefined): void {
  if (sources === undefined) return;
  if (others === undefined) orInto(result, sources);
  else orMinusInto(result, sources, others);
}
