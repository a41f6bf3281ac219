// All names and addresses that a plan leads elsewhere, as notes.
import type { AccessGuards } from '../../model/access/accessGates.ts';
import type { Plan } from '../../model/plan.ts';
import type { Comparison, PlannedAccount } from '../plan/comparison.ts';
import { missedNames, movedGuardedNames, movedOtherNames } from './movedNames.ts';
import type { MovingNote } from './movingNotes.ts';
import { takenAddresses } from './takenAddresses.ts';
import { unguardedNameservers } from './unguardedNameservers.ts';

/**
 * The notes about names and addresses that lead elsewhere after a plan. Only notes that depend on
 * the account.
 */
export function nameMoves(
  states: Comparison,
  account: PlannedAccount & { readonly plan: Pick<Plan, 'changes'> },
  guarded: AccessGuards['guarded'] = [],
): readonly MovingNote[] {
  const { changes } = account.plan;
  if (account.plan.actions.length === 0) return [];
  return [
    ...movedGuardedNames(states, account, guarded),
    ...missedNames(states, changes, guarded),
    ...movedOtherNames(states, account, guarded),
    ...unguardedNameservers(states, changes, guarded),
    ...takenAddresses(states, account),
  ];
}
