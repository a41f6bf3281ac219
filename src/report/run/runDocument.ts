// The result of a run as JSON: the document of the plan, and an outcome for every action.
import { isRestoredFully, type Outcome, type RunResult } from '../../model/outcome.ts';
import type { JsonObject } from '../../model/value.ts';
import { FORMAT_VERSION } from '../plan/planDocument.ts';
import type { SavedPlan } from '../plan/savedPlan.ts';
import { countOutcomes } from '../text/summary.ts';

/** The result of a run as a document. */
export function runDocument({ document }: SavedPlan, result: RunResult): JsonObject {
  const summary = countOutcomes(result.outcomes);
  const outcomes = result.outcomes.map(outcomeDocument);
  return {
    format_version: FORMAT_VERSION,
    complete: summary.done === result.outcomes.length && isRestoredFully(result),
    summary: { ...summary },
    requests: result.requests,
    outcomes,
    ...earlierDocument(result),
    plan: document,
  };
}

/** The outcomes for the members that earlier runs removed; empty if they removed none. */
export const earlierDocument = ({ earlier }: RunResult): JsonObject =>
  earlier
    ? {
        earlier_runs: earlier.map(({ run, outcome }) => ({ run, ...outcomeDocument(outcome) })),
      }
    : {};

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
  const { action, address, status, fault } = outcome;
  return { action, address, status, fault: { ...fault } };
}
