// Plans between two generated accounts: after every action, access lies between that of the one and that of the other, or the
// plan names the step. The slow evaluator judges every account on the way.
import { expect, test, vi } from 'vitest';
import { nothingChanges } from '../../src/access/plan/planAccess.ts';
import { orderJudge } from '../../src/access/replay/judgedOrder.ts';
import { orderedPlan } from '../../src/access/replay/planOrder.ts';
import { planStates } from '../../src/access/replay/planStates.ts';
import { safeOrder } from '../../src/access/replay/safeOrder.ts';
import { planFault } from '../../src/engine/plan/planFault.ts';
import type { ShownAction } from '../../src/model/plan.ts';
import { plannableOfAll } from '../access/plan/planInputs.ts';
import { idsIn, pointsOf } from '../access/plan/stepPoints.ts';
import { accountOf, planBetween, wayOf } from '../access/plan/wayOf.ts';
import { portsOf, slowViolations, unfounded } from '../access/slow/way.ts';
import { KINDS } from '../support/files.ts';
import { patience, proof } from '../support/proof.ts';
import { fc } from '../support/seeded.ts';

const JUDGED = { slice: 2, full: 1200 };
vi.setConfig({ testTimeout: patience(JUDGED, 4_000) });

/** An order in which actions may come about that wait for nothing but what they have to. */
function anyOrder(actions: readonly ShownAction[], choices: readonly number[]): ShownAction[] {
  const order: ShownAction[] = [];
  const done = new Set<string>();
  while (order.length < actions.length) {
    const ready = actions.filter(
      ({ id, after }) => !done.has(id) && after.every(other => done.has(other)),
    );
    const next = ready[(choices[order.length % choices.length] ?? 0) % ready.length];
    if (next === undefined) throw new Error('some wait for each other');
    done.add(next.id);
    order.push(next);
  }
  return order;
}

test('access after each step of generated plans agrees with the slow evaluator', () => {
  const { count, seed, found } = proof('access after each step of generated plans', JUDGED);
  const sums = {
    plans: 0,
    actions: 0,
    outside: 0,
    avoided: 0,
    bettered: 0,
    named: 0,
    judged: 0,
    points: 0,
  };
  fc.assert(
    fc.property(
      plannableOfAll,
      fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
      ([before, after], choices) => {
        const made = planBetween(before, after);
        if (made === undefined || made.plan.actions.length === 0) return;
        const { plan, rearrange } = made;
        const account = accountOf(made);
        const judge = orderJudge(account, planStates(account, plan.actions));
        const usual = judge.judged(plan.actions);
        const safe = safeOrder(plan.actions, judge, rearrange);
        // The usual order leaves the bounds more often.
        for (const order of new Set([usual, safe.order])) {
          const way = wayOf(before, after, order.actions);
          const named = new Set(pointsOf(order, judge.frame, idsIn(after), portsOf(way)));
          const violations = slowViolations(way);
          expect([...violations.difference(named)]).toEqual([]);
          expect([...unfounded(way, named)]).toEqual([]);
          sums.judged += way.length - 1;
          sums.points += violations.size;
        }
        const ordered = orderedPlan(account, rearrange);
        expect(ordered.actions).toEqual(safe.actions);
        const { steps, order } = ordered.access;
        expect(order?.status ?? 'in_bounds').toBe(steps.length > 0 ? 'out_of_bounds' : 'in_bounds');
        expect(steps.length > 0).toBe((safe.order.episodes ?? []).length > 0);
        const saved = { ...plan, actions: ordered.actions, access: nothingChanges(plan) };
        expect(planFault(saved, KINDS)).toBeNull();
        // Actions are carried out side by side: no order that they may come about in is worse.
        for (const shift of [0, 1, 2]) {
          const other = judge.judged(anyOrder(ordered.actions, choices.slice(shift)));
          if (steps.length === 0) expect(other.episodes).toEqual([]);
        }
        const [was, is] = [usual, safe.order].map(({ episodes }) => episodes?.length ?? 0);
        sums.plans += 1;
        sums.actions += plan.actions.length;
        if (was) sums.outside += 1;
        if (was && !is) sums.avoided += 1;
        if (is) sums.named += 1;
        if (order?.given_up.some(({ because }) => because === 'access')) sums.bettered += 1;
      },
    ),
    { numRuns: count, seed, endOnFailure: true },
  );
  expect(sums.plans).toBeGreaterThan(count / 2);
  found(
    `${sums.plans} plans with ${sums.actions} actions: ${sums.outside} had a step outside the bounds in the usual order; ` +
      `the order avoids it in ${sums.avoided} of them, and ${sums.named} name the step; ` +
      `${sums.bettered} gave up a soft constraint for it; ${sums.judged} steps with ${sums.points} points outside the bounds, each of them named, as the slow evaluator has them`,
  );
});
