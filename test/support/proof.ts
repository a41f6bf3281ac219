// How long the long proofs run: a slice in every test run, all of it on demand. MESHFORM_RUNS=full runs the full counts, a
// number that many of each. The seed is 1; MESHFORM_SEED says another, or `random`. Each proof prints its seed, its count
// and what it found.
import { appendFileSync } from 'node:fs';

/** How many runs a slice has, and how many the whole. */
export interface Extent {
  readonly slice: number;
  readonly full: number;
}

export interface Proof {
  readonly count: number;
  readonly seed: number;
  /** Says the result, in words and numbers that mean something to somebody who did not see it run. */
  readonly found: (figures: string) => void;
}

const {
  MESHFORM_RUNS: runs = '',
  MESHFORM_SEED: given = '',
  MESHFORM_PROOFS: record,
} = process.env;

/** What a proof is to do: how often, and from which seed. Prints both. */
export function proof(name: string, extent: Extent): Proof {
  const count = countOf(extent);
  const seed = seedOf();
  const note = (figures: string) => {
    if (record !== undefined)
      appendFileSync(record, `${JSON.stringify({ name, count, seed, figures })}\n`);
  };
  process.stdout.write(`${name}: ${count} runs, seed ${seed}\n`);
  // Who never comes to say what was found has not held.
  note('did not hold');
  return {
    count,
    seed,
    found: figures => {
      process.stdout.write(`  ${figures}\n`);
      note(figures);
    },
  };
}

/** Milliseconds that a proof may take: more than it ever should, at so many for each run. */
export function patience(extent: Extent, each = 2_000): number {
  return 60_000 + countOf(extent) * each;
}

// The same every time unless asked: a failure is one of the change at hand.
function seedOf(): number {
  if (given === 'random') return Math.floor(Math.random() * 2 ** 31);
  return given === '' ? 1 : Number(given);
}

function countOf({ slice, full }: Extent): number {
  if (runs === '') return slice;
  return runs === 'full' ? full : Number(runs);
}
