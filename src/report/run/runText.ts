// The result of a run as text: finished actions, failures with their reasons, and skipped actions.
import {
  type Blocker,
  type EarlierOutcome,
  isRestoredFully,
  type Outcome,
  type RunResult,
} from '../../model/outcome.ts';
import type { Plan } from '../../model/plan.ts';
import { shortRun } from '../../model/runName.ts';
import { quoted, visible } from '../../model/text/visible.ts';
import { planWithLabels, resultWithLabels } from '../plan/planWithLabels.ts';
import { wrap } from '../text/lines.ts';
import { readable, type Style } from '../text/style.ts';
import { counted, countOutcomes } from '../text/summary.ts';
import { textWidth } from '../text/width.ts';
import { nextStep } from './nextStep.ts';
import { namesWithin } from './skippedActions.ts';

/** The outcomes that need an explanation, then the counts. */
export function runText(made: Plan, ended: RunResult, style: Style): string {
  const plan = planWithLabels(made);
  const result = resultWithLabels(made, ended);
  const shown = [
    ...result.outcomes.flatMap(outcome => outcomeLines(outcome, style)),
    ...skippedLines(result.outcomes, style),
    ...(result.earlier ?? []).flatMap(one => earlierLines(one, style)),
  ];
  const closing = [
    style.faint(`${counted(result.requests, 'request')} made.`),
    style.strong(resultLine(plan, result)),
  ];
  return [...shown, ...(shown.length > 0 ? [''] : []), ...closing, ''].join('\n');
}

/** The outcomes that need an explanation; empty if there are none. */
export function outcomesText(made: Plan, ended: readonly Outcome[], style: Style): string {
  const result = resultWithLabels(made, { outcomes: ended, requests: 0, written: 0 });
  const lines = [
    ...result.outcomes.flatMap(outcome => outcomeLines(outcome, style)),
    ...skippedLines(result.outcomes, style),
  ];
  return lines.map(line => `${line}\n`).join('');
}

// The lines about an action of an earlier run. The plan of that run is not shown, because its actions mean nothing to the reader.
function earlierLines({ run, outcome }: EarlierOutcome, style: Style): string[] {
  const named = `unfinished apply ${shortRun(run)}`;
  if (outcome.status === 'done')
    return outcome.notes.flatMap(note =>
      wrap(`Note: ${outcome.address}, written by the ${named}: ${note}`, readable(style)),
    );
  if (!('fault' in outcome)) return [];
  const { message, hint = '' } = outcome.fault;
  return [
    ...wrap(`Error: the ${named}: ${message}`, readable(style)).map(style.error),
    ...wrap(`  hint: ${hint}`, readable(style)),
  ];
}

function outcomeLines(outcome: Outcome, style: Style): string[] {
  switch (outcome.status) {
    case 'sent':
      return [
        ...wrap(`Sent: ${outcome.action}: ${outcome.notes.join('; ')}`, readable(style)).map(
          style.warn,
        ),
        ...wrap(
          '  hint: `meshform apply --resume JOURNAL` reads it back; it does not send it again',
          readable(style),
        ),
      ];
    case 'done':
      return outcome.notes.flatMap(note =>
        wrap(`Note: ${outcome.address}: ${note}`, readable(style)),
      );
    case 'failed':
    case 'unknown': {
      const label = outcome.status === 'failed' ? 'Error' : 'Unknown';
      const lines = wrap(`${label}: ${outcome.action}: ${outcome.fault.message}`, readable(style));
      const next = outcome.fault.hint ?? nextStep(outcome.fault.code);
      const hint = next ? wrap(`  hint: ${next}`, readable(style)) : [];
      return [...lines.map(style.error), ...hint];
    }
    case 'skipped':
      return [];
  }
}

/** The columns before continuation lines. */
const INDENT = 4;

// Skipped actions by root cause: an action may wait for another skipped action.
function skippedLines(outcomes: readonly Outcome[], style: Style): string[] {
  const blockers = new Map<Blocker, Blocker>(
    outcomes.flatMap(outcome =>
      outcome.status === 'skipped' ? [[outcome.action, outcome.blockedBy]] : [],
    ),
  );
  const causeOf = (blocker: Blocker): Blocker => {
    const next = blockers.get(blocker);
    return next === undefined ? blocker : causeOf(next);
  };
  const byCause = Map.groupBy(blockers.keys(), action => causeOf(blockers.get(action) ?? action));
  return [...byCause].flatMap(([cause, actions]) => {
    const head = `Skipped, because ${visible(reason(cause))}: `;
    const count = `${counted(actions.length, 'action')}: `;
    const width = readable(style);
    const left = width - textWidth(head + count);
    const room = left < width / 4 ? width - INDENT - textWidth(count) : left;
    return wrap(`${head}${count}${namesWithin(actions, room)}`, style.width).map(style.warn);
  });
}

function reason(cause: Blocker): string {
  if (cause === 'interrupt') return 'the run was interrupted';
  return cause === 'deadline'
    ? 'the run reached its --deadline'
    : `${quoted(cause)} did not succeed`;
}

/** `Apply complete! …` if everything is done, otherwise what is missing. */
export function resultLine(plan: Plan, result: RunResult): string {
  const { outcomes } = result;
  const { done, sent, failed, skipped, unknown } = countOutcomes(outcomes);
  if (done < outcomes.length) {
    const open = sent === 0 ? '' : `${sent} sent, `;
    return `Apply incomplete: ${done} done, ${open}${failed} failed, ${skipped} skipped, ${unknown} unknown.`;
  }
  if (!isRestoredFully(result))
    return 'Apply incomplete: every action is done, but members that an earlier apply removed are missing.';
  // A two-step change counts once.
  const count = (verb: string) =>
    new Set(plan.actions.flatMap(action => (action.verb === verb ? action.address : []))).size;
  const along = plan.changes.filter(change => change.with !== undefined).length;
  return `Apply complete! ${count('create')} added, ${count('update')} changed, ${count('delete') + along} destroyed.`;
}
