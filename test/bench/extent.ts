// What a part of the bench is given.
import type { Recording } from './account.ts';

/** How much is measured. */
export interface Extent {
  /** Objects of the accounts. */
  readonly sizes: readonly number[];
  /** Pairs of runs of short commands. */
  readonly pairs: number;
  readonly isQuick: boolean;
}

/** Where a part works, and with what. */
export interface Ground {
  readonly folder: string;
  readonly recording: Recording;
  readonly extent: Extent;
}

/** Pairs for an account: fewer where one run takes long. */
export function pairsFor({ pairs }: Extent, objects: number): number {
  return objects >= 100_000 ? 1 : objects >= 10_000 ? Math.min(pairs, 3) : pairs;
}
