// Replays every observed flow on the account after edits: a flow that the account admits before the edits must not be lost.

import { admissionsIn, flowText } from '../../access/admitted/admission.ts';
import type { Trial } from '../../access/narrow/triedEdits.ts';
import type { AccessState } from '../../access/state/accessState.ts';
import type { ObjectEdit } from '../../model/objectEdit.ts';
import type { ObservedFlow } from '../observed.ts';
import type { Candidate } from './candidate.ts';
import type { Evidence } from './evidence.ts';
import { editsIn } from './settle.ts';

/**
 * Returns whether these candidates together lose a flow: in the account, or in the account after an apply that deletes undeclared
 * objects.
 */
export function replaying(
  { used, current }: Evidence,
  { accountAfter, declaredAfter }: Trial,
): (some: readonly Candidate[]) => boolean {
  const flows = [...new Map(used.map(flow => [flowText(flow), flow])).values()];
  const losses = [lossIn(flows, current, accountAfter)];
  if (declaredAfter) losses.push(lossIn(flows, declaredAfter([]), declaredAfter));
  return some => losses.some(isLoss => isLoss(editsIn(some)));
}

function lossIn(
  flows: readonly ObservedFlow[],
  current: AccessState,
  stateAfter: Trial['accountAfter'],
): (edits: readonly ObjectEdit[]) => boolean {
  const before = admissionsIn(current);
  const admitted = flows.filter(flow => before.admissionsOf(flow).admissions.length > 0);
  return edits => {
    const after = admissionsIn(stateAfter(edits));
    return admitted.some(flow => after.admissionsOf(flow).admissions.length === 0);
  };
}
