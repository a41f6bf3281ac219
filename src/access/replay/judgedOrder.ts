// An order of a plan's actions, judged by the access that exceeds its bounds during the apply.
import type { ShownAction } from '../../model/plan.ts';
import { type Reaches, reachesOf } from '../flows/reaches.ts';
import { count } from '../sets/bits.ts';
import { rowPool } from '../sets/rowPool.ts';
import type { AccessState, Servers } from '../state/accessState.ts';
import { mayBeOpen } from '../state/internetPorts.ts';
import { type Frame, frameOf } from '../world/world.ts';
import { type Direction, directionContextOf, directionOf } from './direction.ts';
import type { Stretch } from './enclosure.ts';
import type { Episode } from './episodes.ts';
import { judgedSequence } from './judgedSequence.ts';
import { type PlanStates, planStates, type Replayed, type Step } from './planStates.ts';
import { namesBeforeAndAfter, renamed } from './shownStates.ts';

/** An order of actions, with the access that exceeds its bounds. */
export interface JudgedOrder {
  readonly actions: readonly ShownAction[];
  readonly steps: readonly Step[];
  readonly directions: readonly Direction[];
  /** Null if there were too many states to evaluate. */
  readonly episodes: readonly Episode[] | null;
  /** Stretches of states that are within bounds in any order of their steps. */
  readonly enclosed: readonly Stretch[];
}

export interface OrderJudge {
  readonly frame: Frame;
  readonly judged: (actions: readonly ShownAction[]) => JudgedOrder;
}

/**
 * The budget for one plan. The cost of a state is its members times the sum of its rules and of the
 * deliveries of its routing machines. The costs of all evaluated states are added. At least one
 * state is evaluated. A state inside a stretch that only widens or only narrows access is not
 * evaluated and costs nothing.
 */
const MOST = 40_000_000;

/** Returns a function that judges orders of a plan's actions. `begun`: the states in the plan's own order. */
export function orderJudge(account: Replayed, begun: PlanStates): OrderJudge {
  const { actions } = account.plan;
  const [first, last] = endsOf(begun);
  const [keysBefore, keysAfter] = namesBeforeAndAfter(account);
  const isOpen = mayBeOpen([...account.live, ...actions]);
  const frame = frameOf(renamed(first, keysBefore), renamed(last, keysAfter), isOpen);
  const pool = rowPool();
  const bounds = {
    first: reachesOf(frame.first, pool),
    last: reachesOf(frame.last, pool),
  };
  const around = directionContextOf([first, last]);
  let left = MOST;
  const cost = costOf(bounds.first) + costOf(bounds.last);
  let looks = 0;
  const mayEvaluate = () => {
    left -= cost;
    return left >= 0 || looks++ === 0;
  };
  const judged = (order: readonly ShownAction[]): JudgedOrder => {
    const { states, steps } = order === actions ? begun : planStates(account, order);
    const directions = steps.flatMap(({ changes }, at) => {
      const was = states[at];
      const is = states[at + 1];
      return was && is ? [directionOf(changes, [was, is], around)] : [];
    });
    const changes = steps.map(step => step.changes);
    const { episodes, enclosed } = judgedSequence(
      { states, directions, changes },
      { frame, pool, bounds, mayEvaluate },
    );
    return { actions: order, steps, directions, episodes, enclosed };
  };
  return { frame, judged };
}

const endsOf = ({ states }: PlanStates): readonly [AccessState, AccessState] => [
  states[0],
  states.at(-1) ?? states[0],
];

function costOf({ world: { size, policies, state, inGroups } }: Reaches): number {
  const rules = policies.reduce((sum, one) => sum + one.rules.length, 0);
  const servers = (list: readonly { readonly servers: Servers }[]) =>
    list.reduce((sum, one) => sum + 1 + count(inGroups(one.servers.groups)), 0);
  const delivered = state.networks.reduce(
    (sum, { resources, routers }) => sum + resources.length * servers(routers),
    servers(state.routes),
  );
  return size * (rules + delivered);
}

/**
 * The harm of an order. Access that is temporarily open counts before access that is temporarily
 * missing. Both are weighted by pairs and calls.
 */
export type Harm = readonly [openings: number, gaps: number];

/** The harm of an order. */
export function harmOf({ actions, steps, episodes }: JudgedOrder): Harm {
  const sums = { opening: 0, gap: 0 };
  for (const { kind, row, from, until } of episodes ?? []) {
    const pairs = row.reduce((most, { sources }) => Math.max(most, count(sources)), 0);
    sums[kind] += pairs * callsBetween(actions, steps, from, until);
  }
  return [sums.opening, sums.gap];
}

/**
 * The number of calls between two states: from the action that leads to the first of them to the
 * end of the action that leads to the second.
 */
export function callsBetween(
  actions: readonly ShownAction[],
  steps: readonly Step[],
  from: number,
  until: number,
): number {
  const [begin, end] = [from, until].map(state => steps[state - 1]?.position ?? 0);
  return actions.slice(begin, end).reduce((sum, { requests }) => sum + requests, 0);
}

/** Whether the first harm is less than the second. */
export const isLess = (one: Harm, other: Harm): boolean =>
  one[0] < other[0] || (one[0] === other[0] && one[1] < other[1]);
