// Objects that a run should delete, but that somebody changed in the account and that
// `--resolve live` keeps. They stay, and so do the objects on which they depend.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Live } from '../../model/object.ts';
import { hasChangedSinceBase } from '../conflicts/conflicts.ts';
import { sideFor } from '../conflicts/resolution.ts';
import type { Pair } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';
import type { Referrer } from './removals.ts';

/**
 * A pair that stays although it is marked for deletion, and the object that needs it. If no object
 * needs it, it stays because somebody changed it.
 */
export interface KeptPair extends Pair {
  readonly neededBy?: string;
}

/**
 * The pairs among `asked` that stay because of `--resolve live`. Includes the objects to which a staying object refers or
 * belongs, and its parents.
 */
export function keptPairs(
  asked: readonly Pair[],
  holderOf: (live: Live) => Referrer,
  context: PlanContext,
): readonly KeptPair[] {
  const changed = asked.filter(
    ({ live }) => isResolvedToLive(live, context) && hasChangedSinceBase(live, context),
  );
  const open = new Map(asked.map(pair => [context.addressOf(pair.live), pair]));
  const kept: KeptPair[] = [...changed];
  for (const { live } of kept) open.delete(context.addressOf(live));
  for (const { live } of kept) {
    const { address, pointsAt, belongsTo, isIn } = holderOf(live);
    const needed = [...pointsAt, ...belongsTo, ...(isIn === undefined ? [] : [isIn])];
    for (const target of needed) {
      const pair = open.get(target);
      if (!pair) continue;
      open.delete(target);
      kept.push({ ...pair, neededBy: address });
    }
  }
  return kept;
}

/** Whether a person decided that the account wins over the files for an object. */
export const isResolvedToLive = (live: Live, context: PlanContext): boolean =>
  sideFor(context.resolve, context.namesOf({ kind: live.kind, key: context.keyOf(live) })) ===
  'live';

/** The warning that a kept object is not deleted. */
export function keptFinding(
  { desired, live, neededBy }: KeptPair,
  context: PlanContext,
): Diagnostic {
  const address = addressOf(live.kind, context.keyOf(live));
  const since = context.isUndo ? 'the run' : 'the base';
  const why =
    neededBy === undefined
      ? `it was changed in the account since ${since}`
      : `${neededBy} stays and needs it`;
  return {
    code: 'CONFLICT_KEPT',
    severity: 'warning',
    message: `${address} is not deleted: ${why}`,
    at: desired.at,
  };
}
