// Chooses the order of a plan's actions so that access stays within the bounds given by the states
// before and after the plan. If the usual order exceeds them, the actions around each violation are
// reordered, one pair at a time.
import type { ActionId } from '../../model/names.ts';
import type { GivenUp, Rearrange, ShownAction } from '../../model/plan.ts';
import { areasIn } from '../diff/areas.ts';
import { harmOf, isLess, type JudgedOrder, type OrderJudge } from './judgedOrder.ts';
import { type AccessChangingAction, missingWaits, type Wait } from './waits.ts';

/** The chosen order of a plan's actions. */
export interface SafeOrder {
  readonly order: JudgedOrder;
  /** The actions in this order, with all their constraints. */
  readonly actions: readonly ShownAction[];
  /**
   * Soft constraints that the order violates: constraints that the usual order violates too, and
   * constraints that were given up to keep access.
   */
  readonly givenUp: readonly (GivenUp & { readonly because: 'access' | 'constraint' })[];
}

/** The maximum number of other orders that are tried. */
const TRIES = 24;

/** The best order among those that `rearrange` can produce. */
export function safeOrder(
  actions: readonly ShownAction[],
  judge: OrderJudge,
  rearrange: Rearrange,
): SafeOrder {
  const usual = judge.judged(actions);
  const { order, pairs } = bettered(usual, judge, rearrange);
  const moving = movingIn(order, judge);
  const ids = new Set(moving.map(({ id }) => id));
  const concerned = (given: readonly GivenUp[]) =>
    given.filter(({ earlier, later }) => ids.has(earlier) && ids.has(later));
  const before = concerned(rearrange([])?.givenUp ?? []);
  const known = new Set(before.map(nameOf));
  const now = pairs.length === 0 ? before : concerned(rearrange(pairs)?.givenUp ?? []);
  const after = new Map(order.actions.map(one => [one.id, one.after]));
  return {
    order,
    actions: withWaits(order.actions, missingWaits(moving, after)),
    givenUp: now.map(({ earlier, later }) => ({
      earlier,
      later,
      because: known.has(nameOf({ earlier, later })) ? 'constraint' : 'access',
    })),
  };
}

const nameOf = ({ earlier, later }: GivenUp): string => `${earlier}\n${later}`;

interface Tried {
  readonly order: JudgedOrder;
  readonly pairs: readonly Wait[];
}

// Applies the first reordering that helps, and continues from there.
function bettered(usual: JudgedOrder, { judged }: OrderJudge, rearrange: Rearrange): Tried {
  let best: Tried = { order: usual, pairs: [] };
  const seen = new Set<string>();
  let left = TRIES;
  const better = (): Tried | undefined => {
    for (const pair of candidatesIn(best.order)) {
      const pairs = [...best.pairs, pair];
      const name = pairs.map(nameOf).sort().join('\n\n');
      if (seen.has(name)) continue;
      seen.add(name);
      const other = rearrange(pairs);
      if (other === null) continue;
      if (left-- <= 0) return undefined;
      const order = judged(other.actions);
      if (order.episodes && isLess(harmOf(order), harmOf(best.order))) return { order, pairs };
    }
    return undefined;
  };
  for (let next = better(); next !== undefined; next = better()) best = next;
  return best;
}

/** The number of steps around the end of a violation that are tried. */
const NEAR = 4;

// The pairs to reorder. First, the step that ends a violation is moved before the step that begins
// it. If that does not help, the neighbouring steps are tried.
function candidatesIn({ actions, steps, episodes }: JudgedOrder): readonly Wait[] {
  const idAt = (state: number): ActionId | undefined =>
    actions[(steps[state - 1]?.position ?? 0) - 1]?.id;
  const spans = new Map(
    (episodes ?? []).map(({ kind, from, until }) => [
      `${kind} ${from} ${until}`,
      { kind, from, until },
    ]),
  );
  const ordered = [...spans.values()].sort((one, other) =>
    one.kind === other.kind ? one.from - other.from : one.kind === 'opening' ? -1 : 1,
  );
  return ordered.flatMap(({ from, until }) => {
    const near = Array.from({ length: Math.min(NEAR, until - from) }, (_, at) => at);
    const pairs = [
      ...near.map(at => [until - at, from] as const),
      ...near.slice(1).map(at => [until, from + at] as const),
    ];
    return pairs.flatMap(([one, other]) => {
      const earlier = idAt(one);
      const later = idAt(other);
      return earlier && later && earlier !== later ? [{ earlier, later }] : [];
    });
  });
}

function movingIn(
  { actions, steps, directions, enclosed }: JudgedOrder,
  { frame }: OrderJudge,
): readonly AccessChangingAction[] {
  const areaOf = areasIn(frame);
  const stretchAt = new Map<number, number>();
  for (const [number, { from, to }] of enclosed.entries())
    for (let at = from; at < to; at++) stretchAt.set(at, number);
  return steps.flatMap(({ position, changes }, at) => {
    const id = actions[position - 1]?.id;
    const direction = directions[at] ?? 'either';
    if (!id || direction === 'none') return [];
    return [{ id, direction, area: areaOf(changes), stretch: stretchAt.get(at) }];
  });
}

function withWaits(
  actions: readonly ShownAction[],
  waits: readonly Wait[],
): readonly ShownAction[] {
  const byLater = Map.groupBy(waits, ({ later }) => later);
  return actions.map(action => {
    const more = byLater.get(action.id)?.map(({ earlier }) => earlier) ?? [];
    return more.length === 0 ? action : { ...action, after: [...action.after, ...more].sort() };
  });
}
