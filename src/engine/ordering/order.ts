// One order for all actions: demands always, wishes where they fit, ties by phase, verb, kind and key. Deterministic.
import type { KindTable } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ActionId } from '../../model/names.ts';
import type { Action } from '../../model/plan.ts';
import type { Preconditions } from '../actions/preconditions.ts';
import type { Draft } from '../types/draft.ts';
import { hardEdges } from './hardConstraints.ts';
import { withNameSwap } from './nameSwaps.ts';
import { PHASES, phaseOf } from './phase.ts';
import { softEdges } from './softConstraints.ts';
import { sortedBy } from './sort.ts';

/** The actions in order, each with what it waits for; or the circle in which some wait for each other. */
export function orderActions(
  drafts: readonly Draft[],
  kinds: KindTable,
  preconditions: Preconditions,
): { actions: Action[]; circle: readonly ActionId[] } {
  const ranked = byRank(drafts, kinds);
  const ids = ranked.map(({ action }) => action.id);
  const { order, after, circle } = sortedBy(ids, {
    demands: hardEdges(ranked, kinds),
    wishes: softEdges(ranked, kinds),
  });
  const freed = circle.length > 0 ? withNameSwap(drafts, circle, kinds, preconditions) : null;
  if (freed) return orderActions(freed, kinds, preconditions);
  const byId = new Map(drafts.map(({ action }) => [action.id, action]));
  const actions = order.flatMap(id => {
    const action = byId.get(id);
    return action ? [{ ...action, after: [...(after.get(id) ?? [])].sort() }] : [];
  });
  return { actions, circle };
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
    return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
  });
  return ranked.map(({ draft }) => draft);
}

/** The finding for actions that wait for each other. */
export function cycle(ids: readonly ActionId[]): Diagnostic {
  return {
    code: 'PLAN_CYCLE',
    severity: 'error',
    message: `these actions wait for each other: ${[...ids, ids[0]].join(' → ')}`,
    hint: 'make the change in two steps: first the part that frees the name or drops the reference',
  };
}
