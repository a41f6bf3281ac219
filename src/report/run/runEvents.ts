// A run as events, one per line, for programs that observe an apply.
import { isRestoredFully, type Outcome, type RunResult } from '../../model/outcome.ts';
import type { Action, Plan } from '../../model/plan.ts';
import type { JsonObject } from '../../model/value.ts';
import { countChanges, countOutcomes } from '../text/summary.ts';
import { earlierDocument, outcomeDocument } from './runDocument.ts';

/** The version of the format of events, which contain no plan. */
const FORMAT_VERSION = '1.1';

/** The first line: the actions of the run. */
export function planEvent(plan: Plan): JsonObject {
  return {
    type: 'plan',
    format_version: FORMAT_VERSION,
    summary: { ...countChanges(plan.changes) },
    actions: plan.actions.length,
    requests: plan.requests.planned,
  };
}

/** An action starts. */
export function startEvent({ id, address, verb }: Action): JsonObject {
  return { type: 'start', action: id, address, verb };
}

/**
 * The event after the server responded to the write of an action. The object is read back after this event, before the action
 * ends.
 */
export function sentEvent(outcome: Outcome): JsonObject {
  return { type: 'sent', ...outcomeDocument(outcome) };
}

/** An action ends. */
export function endEvent(outcome: Outcome): JsonObject {
  return { type: 'end', ...outcomeDocument(outcome) };
}

/** The last line: the result of the run. Outcomes that changed after the end of an action are repeated here. */
export function resultEvent(result: RunResult): JsonObject {
  const { outcomes, requests } = result;
  const counts = countOutcomes(outcomes);
  return {
    type: 'result',
    complete: counts.done === outcomes.length && isRestoredFully(result),
    summary: { ...counts },
    requests,
    outcomes: outcomes.map(outcomeDocument),
    ...earlierDocument(result),
  };
}
