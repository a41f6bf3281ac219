// Replays every observed flow on the account after edits: a flow that the account admits before the edits must not be lost.

import { admissionsIn, flowText, isStopped } from '../../access/admitted/admission.ts';
import type { Trial } from '../../access/narrow/triedEdits.ts';
import type { ObjectEdit } from '../../model/objectEdit.ts';
import type { ObservedFlow } from '../observed.ts';
import type { Candidate } from './candidate.ts';
import type { Evidence } from './evidence.ts';
import { editsIn } from './settle.ts';

/**
 * Returns whether these candidates together lose a flow: in the account, or in the account after an apply that deletes undeclared
 * objects. Access of break-glass objects does not count.
 */
export function replaying(
  { used }: Evidence,
  { accountAfter, declaredAfter, everyday }: Trial,
): (some: readonly Candidate[]) => boolean {
  const flows = [...new Map(used.map(flow => [flowText(flow), flow])).values()];
  const losses = [accountAfter, ...(declaredAfter ? [declaredAfter] : [])].map(stateAfter =>
    lossIn(flows, edits => everyday(stateAfter(edits))),
  );
  return some => losses.some(isLoss => isLoss(editsIn(some)));
}

function lossIn(
  flows: readonly ObservedFlow[],
  stateAfter: Trial['accountAfter'],
): (edits: readonly ObjectEdit[]) => boolean {
  const before = admissionsIn(stateAfter([]));
  const admitted = flows
    .map(flow => ({ flow, was: before.admissionsOf(flow) }))
    .filter(({ was }) => was.admissions.length > 0);
  return edits => {
    const after = admissionsIn(stateAfter(edits));
    return admitted.some(({ flow, was }) => isStopped(was, after.admissionsOf(flow)));
  };
}
