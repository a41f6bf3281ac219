// Replays every observed flow against the account after edits: none may be lost that the account admits before them.

import { admissionsIn, flowText } from '../../access/admitted/admission.ts';
import type { Trial } from '../../access/narrow/trial.ts';
import type { Candidate } from './candidate.ts';
import type { Evidence } from './evidence.ts';
import { editsIn } from './settle.ts';

/** Tells whether a flow is lost with all these candidates. */
export function replaying(
  { used, current }: Evidence,
  trial: Trial,
): (some: readonly Candidate[]) => boolean {
  const before = admissionsIn(current);
  const flows = [...new Map(used.map(flow => [flowText(flow), flow])).values()].filter(
    flow => before.of(flow).admissions.length > 0,
  );
  return some => {
    const after = admissionsIn(trial.accountAfter(editsIn(some)));
    return flows.some(flow => after.of(flow).admissions.length === 0);
  };
}
