// The rows of one target before and after, under every reading that a difference may show in.
import { differing } from '../flows/cells.ts';
import type { Reaches } from '../flows/reaches.ts';
import { rowAt, type Target } from '../flows/targets.ts';
import { type Bits, noBits, or, orInto } from '../sets/bits.ts';
import type { Row } from '../sets/row.ts';
import { cutsOf, type Interval } from '../sets/traffic.ts';

export const READINGS = ['unconditional', 'certain', 'possible', 'granted'] as const;

type Rows = Readonly<Record<(typeof READINGS)[number], Row>>;

/** A target in two states. */
export interface TargetRows {
  readonly target: Target;
  readonly was: Rows;
  readonly is: Rows;
  /** The number of members. */
  readonly size: number;
}

/** The rows of a target in two states. */
export function targetRows(before: Reaches, after: Reaches, target: Target): TargetRows {
  return {
    target,
    was: rowsOf(before, target),
    is: rowsOf(after, target),
    size: before.world.size,
  };
}

/** The sources for which anything differs. */
export function changedSources({ was, is, size }: TargetRows): Bits {
  return READINGS.map(reading => differing(was[reading], is[reading], size)).reduce(or);
}

/** The sources that may send anything in one row, within an interval, that they may not send in another. */
export function sourcesOnlyIn(row: Row, other: Row, span: Interval, size: number): Bits {
  const result = noBits(size);
  for (const from of cutsOf([...row, ...other].map(segment => [segment]))) {
    if (from < span.from || from > span.to) continue;
    const [here, there] = [row, other].map(one =>
      one.find(seg => seg.from <= from && from <= seg.to),
    );
    if (!here) continue;
    orInto(
      result,
      there ? here.sources.map((word, at) => word & ~(there.sources[at] ?? 0)) : here.sources,
    );
  }
  return result;
}

function rowsOf(reaches: Reaches, target: Target): Rows {
  const row = (reading: (typeof READINGS)[number]) => rowAt(reaches.under(reading), target);
  return {
    unconditional: row('unconditional'),
    certain: row('certain'),
    possible: row('possible'),
    granted: row('granted'),
  };
}
