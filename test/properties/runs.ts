// How often a law is tried, and from which seed: as every long proof is.
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Extent, proof } from '../support/proof.ts';

/** Long enough for a proof with many runs. */
export const PATIENCE = 3_600_000;

/** A whole proof of a law tries so many times as many cases as a slice. */
const WHOLE = 30;

/**
 * Holds a law against `slice` drawn cases, or thirty times as many where all of it is asked for. What fails is told with its
 * seed and path; `MESHFORM_SHRINK=1` first looks for the simplest case that fails, which takes its time where every try
 * is an account of its own.
 */
export async function law<T>(
  cases: fc.Arbitrary<T>,
  slice: number,
  holds: (drawn: T) => void | Promise<void>,
): Promise<void> {
  const extent: Extent = { slice, full: slice * WHOLE };
  const { count, seed, found } = proof(`law: ${expect.getState().currentTestName}`, extent);
  const property = fc.asyncProperty(cases, async drawn => {
    await holds(drawn);
  });
  await fc.assert(property, {
    numRuns: count,
    seed,
    endOnFailure: process.env.MESHFORM_SHRINK !== '1',
  });
  found('held');
}
