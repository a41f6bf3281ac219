// Machines enrol with setup keys, and people edit groups, while applies rename these groups, add to them and take from
// them. Nobody who enrolled is lost, and nobody whom a person removed comes back.
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/emulator/index.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import { patience, proof } from '../support/proof.ts';
import { startFleets } from './fleets.ts';

/** Machines that enrol, in all and beside each apply. */
const MACHINES = { slice: 100, full: 1000 };
const BESIDE_ONE = 25;

test.each(['spec', 'netbird'] as const)(
  'machines that enrol during applies stay members, and machines that users remove stay out: dialect %s',
  async dialect => {
    const { count, seed, found } = proof(
      `machines that enrol beside applies, dialect ${dialect}`,
      MACHINES,
    );
    const fleets = await startFleets(dialect, { random: seededRandom(seed), seed });
    try {
      let applies = 0;
      for (let left = count; left > 0; left -= BESIDE_ONE) {
        applies += 1;
        const about = `seed ${seed}, apply ${applies}`;
        const outcomes = await fleets.applyBeside(Math.min(left, BESIDE_ONE));
        expect(outcomes.map(endOf), about).toEqual(outcomes.map(() => 'done'));
        expect(await fleets.held(), about).toEqual(fleets.expected());
      }
      const { enrolled, edits, again, out } = fleets.figures;
      expect(enrolled).toBe(count);
      expect(again).toBeGreaterThan(0);
      found(
        `${enrolled} machines enrolled beside ${applies} applies and ${edits} edits by people; nobody was lost, and ${again} were added again; nobody came back, and ${out} were removed again`,
      );
    } finally {
      await fleets.close();
    }
  },
  patience(MACHINES, 300),
);

const endOf = (outcome: Outcome): string =>
  'fault' in outcome ? outcome.fault.message : outcome.status;
