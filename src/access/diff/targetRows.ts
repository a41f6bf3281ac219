// One target before and after, under every reading that can show a difference. Rows are computed only on demand: most
// machines of a large account need none.
import type { Reaches } from '../flows/reaches.ts';
import { itselfIn, rowAt, type Target } from '../flows/targets.ts';
import { type Bits, noBits, orInto } from '../sets/bits.ts';
import type { Row } from '../sets/row.ts';
import { type Difference, type Differences, differencesOf } from './difference.ts';
import { differencesOfEntries } from './entryDifference.ts';

export const READINGS = ['unconditional', 'certain', 'possible', 'granted'] as const;

export type Reading = (typeof READINGS)[number];

/** A target in two states. */
export interface TargetRows {
  readonly target: Target;
  /** The index of the target if it is a machine of today; otherwise -1. */
  readonly itself: number;
  readonly was: (reading: Reading) => Row;
  readonly is: (reading: Reading) => Row;
  /** The differences by reading, computed on demand. */
  readonly differences: () => Readonly<Record<Reading, Differences>>;
}

/** The rows of a target in two states. */
export function targetRows(before: Reaches, after: Reaches, target: Target): TargetRows {
  const was = (reading: Reading) => rowAt(before.under(reading), target);
  const is = (reading: Reading) => rowAt(after.under(reading), target);
  const between = (reading: Reading) => {
    if (target.type !== 'machine') return differencesOf(was(reading), is(reading));
    const [former, latter] = [before, after].map(reaches =>
      reaches.under(reading).machines.entriesAt(target.index),
    );
    return differencesOfEntries(former ?? [], latter ?? []);
  };
  let known: ReturnType<TargetRows['differences']> | undefined;
  return {
    target,
    itself: itselfIn(before.world, target),
    was,
    is,
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
export function changedSources({ differences }: TargetRows): Bits {
  const changed = noBits();
  for (const reading of READINGS)
    for (const { gained, lost } of differences()[reading].values()) {
      orInto(changed, gained);
      orInto(changed, lost);
    }
  return changed;
}

/** The sources that gain or lose something of any protocol. */
export function sourcesOf(differences: Differences, way: keyof Difference): Bits {
  const sources = noBits();
  for (const difference of differences.values()) orInto(sources, difference[way]);
  return sources;
}
