// The states on the way of a plan share what an action does not touch: otherwise a large plan would hold the account once for
// every action.
import { expect, test } from 'vitest';
import { planStates } from '../../../src/access/replay/planStates.ts';
import { planned } from '../../../src/engine/plan/plan.ts';
import { live } from '../../engine/planning.ts';
import { desiredOf, KINDS } from '../../support/files.ts';
import { fc } from '../../support/seeded.ts';
import { fileOf, plannable, readsOf } from '../plan/planInputs.ts';

const NESTED = ['policies', 'checks', 'networks', 'routes'] as const;

test('an object keeps its identity in the next state if no action touches it or its children', () => {
  let shared = 0;
  fc.assert(
    fc.property(plannable, ([before, after]) => {
      const objects = live(readsOf(before));
      const settings = { dialect: 'spec', prune: 'unmanaged', allow: [], thresholds: {} } as const;
      const snapshot = { objects, unavailable: new Map(), requests: 0 };
      const desired = desiredOf(fileOf(after));
      const made = { kinds: KINDS, desired, base: [], snapshot, settings, folder: 'test' };
      const { plan } = planned(made);
      const account = { kinds: KINDS, live: objects, unavailable: new Map(), plan };
      const { states, steps } = planStates(account, plan.actions);
      for (const [at, { changes }] of steps.entries()) {
        const touched = new Set(
          changes.map(one => ('network' in one ? one.network : (one.is ?? one.was)?.id)),
        );
        for (const list of NESTED) {
          const last = new Map((states[at]?.[list] ?? []).map(one => [one.key, one]));
          for (const one of states[at + 1]?.[list] ?? []) {
            const was = last.get(one.key);
            if (was === undefined || touched.has(one.id ?? '') || touched.has(one.key)) continue;
            // An action can touch an object without a change for access: then it is an equal one.
            expect(one).toEqual(was);
            if (one === was) shared += 1;
          }
        }
      }
    }),
    { numRuns: 60 },
  );
  expect(shared).toBeGreaterThan(100);
});
