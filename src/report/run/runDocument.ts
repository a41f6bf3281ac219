// The result of a run as JSON: the plan's document and an outcome for every action.
import type { KindTable } from '../../kinds/kind.ts';
import type { Outcome, RunResult } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan.ts';
import type { JsonObject } from '../../model/value.ts';
import { FORMAT_VERSION, planDocument } from '../plan/planDocument.ts';
import { countOutcomes } from '../plan/summary.ts';

/** The result of a run as a document. */
export function runDocument(plan: Plan, result: RunResult, kinds: KindTable): JsonObject {
  const summary = countOutcomes(result.outcomes);
  const outcomes = result.outcomes.map(outcomeDocument);
  return {
    format_version: FORMAT_VERSION,
    complete: summary.done === result.outcomes.length,
    summary: { ...summary },
    requests: result.requests,
    outcomes,
    plan: planDocument(plan, kinds),
  };
}

/** The outcome of an action. */
export function outcomeDocument(outcome: Outcome): JsonObject {
  if (outcome.status === 'skipped') {
    const { blockedBy, ...rest } = outcome;
    return { ...rest, blocked_by: blockedBy };
  }
  if (outcome.status === 'done' || outcome.status === 'sent') {
    const { remoteId, ...rest } = outcome;
    return { ...rest, remote_id: remoteId };
  }
  const { fault, ...rest } = outcome;
  return { ...rest, fault: { ...fault } };
}
