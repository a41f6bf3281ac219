// A run as it goes, an event a line: for whoever watches an apply with a program.
import type { Outcome, RunResult } from '../../model/outcome.ts';
import type { Action, Plan } from '../../model/plan.ts';
import type { JsonObject } from '../../model/value.ts';
import { FORMAT_VERSION } from '../plan/planDocument.ts';
import { countChanges, countOutcomes } from '../plan/summary.ts';
import { outcomeDocument } from './runDocument.ts';

/** The first line: what is about to be done. */
export function planEvent(plan: Plan): JsonObject {
  return {
    type: 'plan',
    format_version: FORMAT_VERSION,
    summary: { ...countChanges(plan.changes) },
    actions: plan.actions.length,
    requests: plan.requests.planned,
  };
}

/** An action begins. */
export function startEvent({ id, address, verb }: Action): JsonObject {
  return { type: 'start', action: id, address, verb };
}

/** What an action writes was answered, and is yet to be read back; its end follows. */
export function sentEvent(outcome: Outcome): JsonObject {
  return { type: 'sent', ...outcomeDocument(outcome) };
}

/** An action has ended. */
export function endEvent(outcome: Outcome): JsonObject {
  return { type: 'end', ...outcomeDocument(outcome) };
}

/** The last line: what became of it all. What is only known after the end of an action is told here once more. */
export function resultEvent({ outcomes, requests }: RunResult): JsonObject {
  const counts = countOutcomes(outcomes);
  return {
    type: 'result',
    complete: counts.done === outcomes.length,
    summary: { ...counts },
    requests,
    outcomes: outcomes.map(outcomeDocument),
  };
}
