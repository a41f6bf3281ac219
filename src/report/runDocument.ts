// What became of a run, as JSON: the plan's document and an outcome for every action.
import type { KindTable } from '../kinds/kind.ts';
import type { RunResult } from '../model/outcome.ts';
import type { Plan } from '../model/plan.ts';
import type { JsonObject } from '../model/value.ts';
import { FORMAT_VERSION, planDocument } from './planDocument.ts';
import { countOutcomes } from './summary.ts';

/** The result of a run as a document. */
export function runDocument(plan: Plan, result: RunResult, kinds: KindTable): JsonObject {
  const { failed, skipped, unknown } = countOutcomes(result.outcomes);
  const outcomes = result.outcomes.map(outcome => {
    if (outcome.status === 'skipped') {
      const { blockedBy, ...rest } = outcome;
      return { ...rest, blocked_by: blockedBy };
    }
    if (outcome.status !== 'done') return outcome;
    const { remoteId, ...rest } = outcome;
    return { ...rest, remote_id: remoteId };
  });
  return {
    format_version: FORMAT_VERSION,
    complete: failed + skipped + unknown === 0,
    summary: { ...countOutcomes(result.outcomes) },
    requests: result.requests,
    outcomes: outcomes as unknown as JsonObject[],
    plan: planDocument(plan, kinds),
  };
}
