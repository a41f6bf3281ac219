// Drawn accounts in which one change of the files removes or loosens a guard, and opens what it guards by any road: the guard as it was
// last applied refuses the plan, and the plan says what was loosened. A flag takes the guard away.
import { expect, test } from 'vitest';
import type { AccessGuards, AccessThresholds } from '../../../src/model/access/accessGates.ts';
import type { AccessTest } from '../../../src/model/access/accessTest.ts';
import type { Guards } from '../../../src/model/guards.ts';
import { type RandomSource, randomSources } from '../../properties/generators/randomSource.ts';
import { isRefused } from '../../support/gates.ts';
import { type Extent, patience, proof } from '../../support/proof.ts';
import { fc } from '../../support/seeded.ts';
import { type Drawn, drawnBeside, drawnRoad, type Gate } from './drawnRoads.ts';
import { NO_GUARDS, planOf } from './roadPlans.ts';

const EXTENT: Extent = { slice: 14, full: 2_000 };

type GuardGate = Exclude<Gate, 'no_new_access'>;

interface Loosened {
  readonly applied: Guards;
  readonly tests: readonly AccessTest[];
  readonly guards?: AccessGuards;
}

/** A guard as it was applied, and what the files make of it. */
function loosened(
  gate: GuardGate,
  { guarded, deny, onlyFrom }: Drawn,
  random: RandomSource,
): Loosened {
  const at = { file: 'tests.yaml', line: 1, column: 1 };
  const otherPort = [{ text: `${withoutPorts(guarded)}:udp/9`, at }];
  switch (gate) {
    case 'guarded': {
      const left = random.pick([[], [{ to: 'peer/laptop' }], [{ to: otherPort[0]?.text ?? '' }]]);
      return {
        applied: { ...NO_GUARDS, guarded: [{ to: guarded }] },
        tests: [],
        guards: { guarded: left, noNewAccess: false },
      };
    }
    case 'deny': {
      const tests = random.pick<readonly AccessTest[]>([
        [],
        [{ ...deny, deny: otherPort }],
        [{ ...deny, from: { text: 'group/vaults', at } }],
      ]);
      return { applied: { ...NO_GUARDS, accessTests: [deny] }, tests };
    }
    case 'only_from': {
      const wider = [...onlyFrom.onlyFrom, { text: 'all', at }, { text: 'internet', at }];
      const tests = random.pick<readonly AccessTest[]>([[], [{ ...onlyFrom, onlyFrom: wider }]]);
      return { applied: { ...NO_GUARDS, accessTests: [onlyFrom] }, tests };
    }
    case 'thresholds': {
      const thresholds = random.pick<AccessThresholds>([
        {},
        { gained: 1_000_000 },
        { lost: 1_000_000 },
      ]);
      return {
        applied: { ...NO_GUARDS, accessThresholds: { gained: 0 } },
        tests: [],
        guards: { thresholds, guarded: [], noNewAccess: false },
      };
    }
  }
}

const withoutPorts = (selector: string): string => selector.replace(/:tcp\/\d+$/, '');

// What is left of a guard may refuse the plan as well: then nothing is left of it.
async function drawnRun(gate: GuardGate, drawn: Drawn, random: RandomSource): Promise<Loosened> {
  const { applied, ...left } = loosened(gate, drawn, random);
  const { gates } = await planOf(drawn, { ...left, allowances: NO_FLAG });
  return isRefused(gates) ? { applied, tests: [] } : { applied, ...left };
}

const BY_FLAG = { byFlag: [{ code: 'LOOSENS_GUARDS' as const }], byProject: [] };
const NO_FLAG = { byFlag: [], byProject: [] };

const GATES: readonly GuardGate[] = ['guarded', 'deny', 'only_from', 'thresholds'];

test(
  'a guard forbids what the same change opens by loosening it',
  async () => {
    const { count, seed, found } = proof('guards that the same change loosens', EXTENT);
    const roads = new Set<string>();
    let refused = 0;
    let passed = 0;
    for (const [number, random] of fc.sample(randomSources, { numRuns: count, seed }).entries()) {
      const drawn = drawnRoad(random, number);
      for (const gate of GATES.filter(one => drawn.refusing.includes(one))) {
        const run = await drawnRun(gate, drawn, random);
        const said = JSON.stringify({ number, gate, run, ...drawn });
        const plan = await planOf(drawn, { ...run, allowances: NO_FLAG });
        expect(isRefused(plan.gates), said).toBe(true);
        expect(plan.loosened, said).toHaveLength(1);
        const taken = await planOf(drawn, { ...run, allowances: BY_FLAG });
        expect(isRefused(taken.gates), said).toBe(false);
        expect(taken.loosened, said).toMatchObject([{ allowed_by: 'flag' }]);
        refused++;
        roads.add(drawn.road);
      }
    }
    for (const [number, random] of fc.sample(randomSources, { numRuns: count, seed }).entries()) {
      const drawn = drawnBeside(random, number);
      for (const gate of ['guarded', 'deny', 'only_from'] as const) {
        const run = await drawnRun(gate, drawn, random);
        const said = JSON.stringify({ number, ...drawn, gate, run });
        const plan = await planOf(drawn, { ...run, allowances: NO_FLAG });
        expect(isRefused(plan.gates), said).toBe(false);
        expect(plan.loosened, said).toHaveLength(1);
        passed++;
      }
    }
    found(
      `${count} accounts opened by ${roads.size} kinds of roads in the change that loosens their guard: ${refused} refusals, each of which a flag takes away; ${passed} changes that only loosen a guard, none refused`,
    );
  },
  patience(EXTENT, 600),
);
