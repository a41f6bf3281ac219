// Orders all actions. Hard constraints always hold; soft constraints hold if possible. Among
// actions without constraints, the order is by phase, verb, kind and key. The result is
// deterministic.
import type { KindTable } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ActionId } from '../../model/names.ts';
import type { Action, Rearrange, ShownAction } from '../../model/plan.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import type { Preconditions } from '../actions/preconditions.ts';
import type { Draft } from '../types/draft.ts';
import { type Edge, hardEdges } from './hardConstraints.ts';
import { withNameSwap } from './nameSwaps.ts';
import { PHASES, phaseOf } from './phase.ts';
import { type SoftConstraints, softEdges } from './softConstraints.ts';
import { sortedBy } from './sort.ts';

/** What determines the order. */
export interface Ordering {
  /** The actions in reading order. */
  readonly ids: readonly ActionId[];
  readonly hard: readonly Edge[];
  readonly soft: SoftConstraints;
}

/**
 * Returns the actions in order, each with the actions for which it waits. If some actions wait for each other, returns these
 * instead.
 */
export function orderActions(
  drafts: readonly Draft[],
  kinds: KindTable,
  preconditions: Preconditions,
): { actions: Action[]; circle: readonly ActionId[]; ordering: Ordering } {
  const ranked = byRank(drafts, kinds);
  const ids = ranked.map(({ action }) => action.id);
  const ordering: Ordering = {
    ids,
    hard: hardEdges(ranked, kinds),
    soft: softEdges(ranked, kinds),
  };
  const { order, after, circle } = sortedBy(ids, ordering);
  const freed = circle.length > 0 ? withNameSwap(drafts, circle, kinds, preconditions) : null;
  if (freed) return orderActions(freed, kinds, preconditions);
  const actions = inOrder(
    drafts.map(({ action }) => action),
    order,
    after,
  );
  return { actions, circle, ordering };
}

/** Returns a function that reorders a plan's actions. Hard constraints always hold; soft constraints hold if they fit. */
export function rearranging(
  actions: readonly ShownAction[],
  { ids, hard, soft }: Ordering,
): Rearrange {
  return pairs => {
    const further = [...hard, ...pairs];
    const { order, after, circle } = sortedBy(ids, { hard: further, soft });
    if (circle.length > 0) return null;
    const position = new Map(order.map((id, at) => [id, at]));
    const givenUp = [...soft.strong, ...soft.weak].filter(
      ({ earlier, later }) => (position.get(earlier) ?? 0) > (position.get(later) ?? 0),
    );
    return { actions: inOrder(actions, order, after), givenUp };
  };
}

function inOrder<A extends { readonly id: ActionId }>(
  actions: readonly A[],
  order: readonly ActionId[],
  after: ReadonlyMap<ActionId, ReadonlySet<ActionId>>,
): A[] {
  const byId = new Map(actions.map(action => [action.id, action]));
  return order.flatMap(id => {
    const action = byId.get(id);
    return action ? [{ ...action, after: [...(after.get(id) ?? [])].sort() }] : [];
  });
}

const VERBS = ['create', 'update', 'delete'];

function byRank(drafts: readonly Draft[], kinds: KindTable): Draft[] {
  const kindOrder = new Map([...kinds.keys()].map((name, i) => [name, i]));
  const ranked = drafts.map(draft => ({
    draft,
    ranks: [
      PHASES.indexOf(phaseOf(draft, kinds)),
      VERBS.indexOf(draft.action.verb),
      kindOrder.get(draft.action.kind) ?? 0,
    ],
    key: draft.action.key,
  }));
  ranked.sort((a, b) => {
    const differing = a.ranks.findIndex((rank, i) => rank !== b.ranks[i]);
    if (differing >= 0) return (a.ranks[differing] ?? 0) - (b.ranks[differing] ?? 0);
    return compareTexts(a.key, b.key);
  });
  return ranked.map(({ draft }) => draft);
}

/** The finding for actions that wait for each other. */
export function cycle(ids: readonly ActionId[]): Diagnostic {
  return {
    code: 'PLAN_CYCLE',
    severity: 'error',
    message: `these actions wait for each other: ${[...ids, ids[0]].join(' → ')}`,
    hint: 'split the change into two applies: first free the name or drop the reference',
  };
}
