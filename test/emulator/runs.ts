// How long the long proofs run: a slice in every test run, all of it on demand. MESHFORM_RUNS=full runs the full counts, a
// number that many of each; MESHFORM_SEED repeats a run, whose seed each proof prints.
import { seededRandom } from '../../src/emulator/index.ts';

export interface Proof {
  readonly count: number;
  readonly seed: number;
  readonly random: () => number;
}

/** How many runs a slice has, and how many the whole. */
export interface Extent {
  readonly slice: number;
  readonly full: number;
}

const { MESHFORM_RUNS: runs = '', MESHFORM_SEED: given = '' } = process.env;

/** What a proof is to do: how often, and from which seed. Prints both. */
export function proof(name: string, extent: Extent): Proof {
  const count = countOf(extent);
  // Slices are the same every time: a failure of theirs is one of the change at hand.
  const seed = given === '' ? (runs === '' ? 1 : Date.now() % 1_000_000) : Number(given);
  process.stdout.write(`${name}: ${count} runs, seed ${seed}\n`);
  return { count, seed, random: seededRandom(seed) };
}

/** Milliseconds that a proof may take: more than it ever should. */
export function patience(extent: Extent): number {
  return 60_000 + countOf(extent) * 2_000;
}

function countOf({ slice, full }: Extent): number {
  if (runs === '') return slice;
  return runs === 'full' ? full : Number(runs);
}
