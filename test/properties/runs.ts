// How often a law is tried, and from which seed: `MESHFORM_RUNS` and `MESHFORM_SEED` say otherwise.
import fc from 'fast-check';

const given = (name: string): number | undefined => {
  const text = process.env[name];
  return text === undefined || text === '' ? undefined : Number(text);
};

/** Long enough for a proof with many runs. */
export const PATIENCE = 3_600_000;

/**
 * Holds a law against `runs` drawn cases. What fails is told with its seed and path; `MESHFORM_SHRINK=1` first looks
 * for the simplest case that fails, which takes its time where every try is an account of its own.
 */
export async function law<T>(
  cases: fc.Arbitrary<T>,
  runs: number,
  holds: (drawn: T) => void | Promise<void>,
): Promise<void> {
  const property = fc.asyncProperty(cases, async drawn => {
    await holds(drawn);
  });
  await fc.assert(property, {
    numRuns: given('MESHFORM_RUNS') ?? runs,
    seed: given('MESHFORM_SEED') ?? 1,
    endOnFailure: given('MESHFORM_SHRINK') !== 1,
  });
}
