// Replays every observed flow against the account after edits: none may be lost that the account admits before them.

import { admissionsIn, flowText } from '../../access/admitted/admission.ts';
import type { Trial } from '../../access/narrow/trial.ts';
import type { AccessState } from '../../access/state/accessState.ts';
import type { ObjectEdit } from '../../model/objectEdit.ts';
import type { ObservedFlow } from '../observed.ts';
import type { Candidate } from './candidate.ts';
import type { Evidence } from './evidence.ts';
import { editsIn } from './settle.ts';

/**
 * Whether a flow is lost with all these candidates: in the account, or in the account after an apply that deletes undeclared
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
  const admitted = flows.filter(flow => before.of(flow).admissions.length > 0);
  return edits => {
    const after = admissionsIn(stateAfter(edits));
    return admitted.some(flow => after.of(flow).admissions.length === 0);
  };
}
