// Plans between two generated accounts: after every action, access lies between that of the one and that of the other, or the
// plan names the step. The slow evaluator judges every account on the way.
import { expect, test, vi } from 'vitest';
import { nothingChanges } from '../../src/access/plan/planAccess.ts';
import { type JudgedOrder, orderJudge } from '../../src/access/replay/judgedOrder.ts';
import { orderedPlan } from '../../src/access/replay/planOrder.ts';
import { planStates } from '../../src/access/replay/planStates.ts';
import { safeOrder } from '../../src/access/replay/safeOrder.ts';
import { indexesIn } from '../../src/access/sets/bits.ts';
import { PROTOCOLS, SPAN } from '../../src/access/sets/traffic.ts';
import type { Frame } from '../../src/access/world/world.ts';
import { planFault } from '../../src/engine/plan/planFault.ts';
import type { ShownAction } from '../../src/model/plan.ts';
import { posturePair } from '../access/generatedPosture.ts';
import { memberName, targetName } from '../access/names.ts';
import { plannable, plannableOf } from '../access/plan/planInputs.ts';
import { accountOf, planBetween, wayOf } from '../access/plan/wayOf.ts';
import type { Account } from '../access/slow/account.ts';
import { portsOf, slowViolations, unfounded } from '../access/slow/way.ts';
import { KINDS } from '../support/files.ts';
import { patience, proof } from '../support/proof.ts';
import { fc } from '../support/seeded.ts';

/** The usual accounts, and those in which posture decides. */
const drawn = fc.oneof(
  { arbitrary: plannable, weight: 3 },
  ...(['between', 'awaiting', 'routed'] as const).map(emphasis => ({
    arbitrary: plannableOf(posturePair(emphasis)),
    weight: 1,
  })),
);

const JUDGED = { slice: 20, full: 1200 };
vi.setConfig({ testTimeout: patience(JUDGED, 4_000) });

// A line for each account on the way, source, target, protocol and port, as the slow evaluator has it.
function pointsOf(
  { episodes, steps }: JudgedOrder,
  frame: Frame,
  ids: (name: string) => string,
  ports: readonly number[],
): string[] {
  const worlds = [frame.first, frame.last];
  const points = PROTOCOLS.flatMap(protocol =>
    (protocol === 'icmp' ? [0] : ports).map(port => ({
      text: `${protocol} ${port}`,
      at: SPAN[protocol].from + port,
    })),
  );
  return (episodes ?? []).flatMap(({ kind, target, row, from, until }) => {
    const to = ids(targetName(target, worlds));
    const begin = steps[from - 1]?.position ?? 0;
    const end = steps[until - 1]?.position ?? 0;
    const places = Array.from({ length: end - begin }, (_, at) => begin + at);
    return row.flatMap(segment => {
      const inside = points.filter(({ at }) => segment.from <= at && at <= segment.to);
      return [...indexesIn(segment.sources)].flatMap(source =>
        inside.flatMap(({ text }) =>
          places.map(
            place => `${kind} ${place} ${ids(memberName(source, worlds))} > ${to} ${text}`,
          ),
        ),
      );
    });
  });
}

/** Names of objects that a plan creates, with the ids that the account after has for them. */
function idsIn(after: Account): (name: string) => string {
  const ids = new Map(
    [...after.groups, ...after.networks].map(({ id, name }) => [`new ${name}`, id]),
  );
  return name => name.replace(/new (?:group|network)-\d/, made => ids.get(made) ?? made);
}

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

test('access after each step of generated plans, held against the slow evaluator', () => {
  const { count, seed, found } = proof('access after each step of generated plans', JUDGED);
  const sums = { plans: 0, actions: 0, outside: 0, avoided: 0, bettered: 0, named: 0, judged: 0 };
  fc.assert(
    fc.property(
      drawn,
      fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
      ([before, after], choices) => {
        const made = planBetween(before, after);
        if (made === undefined || made.plan.actions.length === 0) return;
        const { plan, rearrange } = made;
        const account = accountOf(made);
        const judge = orderJudge(account, planStates(account, plan.actions));
        const usual = judge.judged(plan.actions);
        const safe = safeOrder(plan.actions, judge, rearrange);
        const way = wayOf(before, after, safe.actions);
        const named = new Set(pointsOf(safe.order, judge.frame, idsIn(after), portsOf(way)));
        expect([...slowViolations(way).difference(named)]).toEqual([]);
        expect([...unfounded(way, named)]).toEqual([]);
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
        sums.judged += way.length - 1;
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
      `${sums.bettered} gave up a soft constraint for it; all steps as the slow evaluator has them`,
  );
});
