// Drawn accounts in which one plan takes something out of its guard, and the next plan opens it: the first plan has a finding about it,
// which only its own flag accepts. A first plan that leaves everything guarded has none, and the guard refuses the second.
import { expect, test } from 'vitest';
import type { AccessFinding } from '../../../src/model/access/accessGates.ts';
import type { Plan } from '../../../src/model/plan.ts';
import { randomSources } from '../../properties/generators/randomSource.ts';
import { isRefused } from '../../support/gates.ts';
import { type Extent, patience, proof } from '../../support/proof.ts';
import { fc } from '../../support/seeded.ts';
import { drawnSteps } from './drawnSteps.ts';
import { type DrawnFiles, NO_GUARDS, planOf } from './roadPlans.ts';

const EXTENT: Extent = { slice: 34, full: 2_000 };

const NO_FLAG = { byFlag: [], byProject: [] };

const held = (step: DrawnFiles, guarded: readonly string[]): Promise<Plan> =>
  planOf(step, {
    guards: { guarded: guarded.map(to => ({ to })), noNewAccess: false },
    allowances: NO_FLAG,
  });

/** A plan whose files no longer have the guards that were applied. */
const heldToFormer = (step: DrawnFiles, guarded: readonly string[]): Promise<Plan> =>
  planOf(step, {
    applied: { ...NO_GUARDS, guarded: guarded.map(to => ({ to })) },
    allowances: NO_FLAG,
  });

const targetsOf = (plan: Plan): ReadonlySet<AccessFinding['target']> =>
  new Set(
    (plan.gates?.findings ?? [])
      .filter(({ code }) => code === 'SHRINKS_GUARDED_TARGET')
      .map(({ target }) => target),
  );

test(
  'a step that removes something from a guard is found before another plan opens it',
  async () => {
    const { count, seed, found } = proof('roads of two steps to what is guarded', EXTENT);
    const kinds = new Set<string>();
    const figures = { found: 0, unguarded: 0, refused: 0 };
    for (const [number, random] of fc.sample(randomSources, { numRuns: count, seed }).entries()) {
      const { name, guarded, shrinks, first, second } = drawnSteps(random, number);
      const said = JSON.stringify({
        number,
        name,
        guarded,
        first: first.files,
        second: second.files,
      });
      const targets = targetsOf(await held(first, guarded));
      const isHeld = isRefused((await heldToFormer(second, guarded)).gates);
      kinds.add(name);
      if (shrinks === undefined) {
        expect([...targets], said).toEqual([]);
        expect(isHeld, said).toBe(true);
        expect(isRefused((await held(second, guarded)).gates), said).toBe(true);
        figures.refused++;
      } else {
        expect([...targets], said).toContain(shrinks);
        figures.found++;
        if (!isHeld) figures.unguarded++;
      }
    }
    found(
      `${count} accounts and ${kinds.size} kinds of first steps: ${figures.found} took something out of a guard, each a finding of its own, and ${figures.unguarded} of the second steps met no guard any more; ${figures.refused} took nothing out, had no such finding, and the guard refused each second step`,
    );
  },
  patience(EXTENT, 400),
);
