// How often a law is tried, and from which seed: as every long proof is.
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Extent, proof } from '../support/proof.ts';

/** Long enough for a proof with many runs. */
export const PATIENCE = 3_600_000;

/** A whole proof of a law tries so many times its cases; a slice tries one in so many of them. */
const WHOLE = 30;
const SLICE = 6;

/**
 * Holds a law against a sixth of so many generated cases, or thirty times as many where all of it is asked for. A failure is reported with its
 * seed and path; `MESHFORM_SHRINK=1` first looks for the simplest case that fails, which takes its time where every try
 * is an account of its own.
 */
export async function law<T>(
  generated: fc.Arbitrary<T>,
  cases: number,
  holds: (one: T) => void | Promise<void>,
): Promise<void> {
  const extent: Extent = { slice: Math.ceil(cases / SLICE), full: cases * WHOLE };
  const { count, seed, found } = proof(`law: ${expect.getState().currentTestName}`, extent);
  const property = fc.asyncProperty(generated, async one => {
    await holds(one);
  });
  await fc.assert(property, {
    numRuns: count,
    seed,
    endOnFailure: process.env.MESHFORM_SHRINK !== '1',
  });
  found('held');
}
