// The rows of one target before and after, under every reading that a difference may show in.
import type { Reaches } from '../flows/reaches.ts';
import { rowAt, type Target } from '../flows/targets.ts';
import { type Bits, noBits, orInto } from '../sets/bits.ts';
import type { Row } from '../sets/row.ts';
import { type Difference, type Differences, differencesOf } from './difference.ts';

export const READINGS = ['unconditional', 'certain', 'possible', 'granted'] as const;

type Rows = Readonly<Record<(typeof READINGS)[number], Row>>;

/** A target in two states. */
export interface TargetRows {
  readonly target: Target;
  readonly was: Rows;
  readonly is: Rows;
  /** The number of members. */
  readonly size: number;
  /** What differs, by reading; found when it is first asked for. */
  readonly differences: () => Readonly<Record<(typeof READINGS)[number], Differences>>;
}

/** The rows of a target in two states. */
export function targetRows(before: Reaches, after: Reaches, target: Target): TargetRows {
  const [was, is] = [rowsOf(before, target), rowsOf(after, target)];
  const { size } = before.world;
  let known: ReturnType<TargetRows['differences']> | undefined;
  const between = (reading: (typeof READINGS)[number]) =>
    differencesOf(was[reading], is[reading], size);
  return {
    ...{ target, was, is, size },
    differences: () => {
      known ??= {
        unconditional: between('unconditional'),
        certain: between('certain'),
        possible: between('possible'),
        granted: between('granted'),
      };
      return known;
    },
  };
}

/** The sources for which anything differs. */
export function changedSources({ differences, size }: TargetRows): Bits {
  const changed = noBits(size);
  for (const reading of READINGS)
    for (const { gained, lost } of differences()[reading].values()) {
      orInto(changed, gained);
      orInto(changed, lost);
    }
  return changed;
}

/** The sources that gain or lose something of any protocol. */
export function sourcesOf(differences: Differences, way: keyof Difference, size: number): Bits {
  const sources = noBits(size);
  for (const difference of differences.values()) orInto(sources, difference[way]);
  return sources;
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
