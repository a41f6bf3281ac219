// Drawn accounts in which a plan opens something guarded, by any road: each gate that speaks of the road refuses the plan, without
// any gate it passes, and a plan that opens nothing guarded passes the guards and tests.
import { expect, test } from 'vitest';
import type { AccessGates } from '../../../src/model/access/accessGates.ts';
import { randomSources } from '../../properties/generators/randomSource.ts';
import { isRefused } from '../../support/gates.ts';
import { type Extent, patience, proof } from '../../support/proof.ts';
import { fc } from '../../support/seeded.ts';
import { type Drawn, drawnBeside, drawnRoad, type Gate } from './drawnRoads.ts';
import { type GateSettings, planOf } from './roadPlans.ts';

const EXTENT: Extent = { slice: 17, full: 2_000 };

/** The gates of a plan under some settings. */
const judged = async (drawn: Drawn, settings: Partial<GateSettings>) =>
  (await planOf(drawn, settings)).gates;

function settingsFor(gate: Gate, { guarded, deny, onlyFrom }: Drawn) {
  const entry = { guarded: [{ to: guarded }], noNewAccess: false };
  switch (gate) {
    case 'guarded':
      return { guards: entry };
    case 'deny':
      return { tests: [deny] };
    case 'only_from':
      return { tests: [onlyFrom] };
    case 'thresholds':
      return { guards: { guarded: [], thresholds: { gained: 0 }, noNewAccess: false } };
    case 'no_new_access':
      return { guards: { ...entry, noNewAccess: true } };
  }
}

// A threshold may be allowed by its code alone, so the gates are asked without what is allowed.
const refuses = (gate: Gate, gates: AccessGates | undefined): boolean =>
  gate === 'thresholds' ? (gates?.findings.length ?? 0) > 0 : isRefused(gates);

test(
  'every gate that covers a path refuses it',
  async () => {
    const { count, seed, found } = proof('roads to what is guarded', EXTENT);
    const roads = new Set<string>();
    let refused = 0;
    for (const [number, random] of fc.sample(randomSources, { numRuns: count, seed }).entries()) {
      const drawn = drawnRoad(random, number);
      const said = async (gate: Gate) =>
        refuses(gate, await judged(drawn, settingsFor(gate, drawn)));
      const { road, guarded, files, refusing } = drawn;
      for (const gate of refusing) {
        expect(await said(gate), JSON.stringify({ number, road, guarded, files, gate })).toBe(true);
        refused++;
      }
      expect(isRefused(await judged(drawn, {}))).toBe(false);
      roads.add(road);
    }
    let passed = 0;
    for (const [number, random] of fc.sample(randomSources, { numRuns: count, seed }).entries()) {
      const drawn = drawnBeside(random, number);
      const { road, guarded, files } = drawn;
      for (const gate of ['guarded', 'deny', 'only_from'] as const) {
        const gates = await judged(drawn, settingsFor(gate, drawn));
        expect(isRefused(gates), JSON.stringify({ number, road, guarded, files, gate })).toBe(
          false,
        );
        passed++;
      }
    }
    found(
      `${count} accounts opened by ${roads.size} kinds of roads: ${refused} refusals, each of them due; ${passed} judgements of plans that open nothing guarded, none refused`,
    );
  },
  patience(EXTENT, 400),
);
