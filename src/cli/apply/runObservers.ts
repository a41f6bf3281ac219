// Observes a run in progress: shows the status line, prints events as lines of JSON, and lets
// running actions finish after an interrupt.

import type { RunEvent } from '../../apply/port.ts';
import type { ApplyRequest } from '../../apply/request.ts';
import { idLabeller } from '../../model/idLabels.ts';
import { jsonLine } from '../../model/text/jsonText.ts';
import type { JsonObject } from '../../model/value.ts';
import { endEvent, planEvent, sentEvent, startEvent } from '../../report/run/runEvents.ts';
import type { Interrupt } from '../exitCodes.ts';
import { Interrupts } from '../interrupts.ts';
import type { Io } from '../io.ts';
import { progressOn } from '../progress.ts';

/** The output of an apply on stdout: text, one JSON document, one event per line, or Markdown for a pull request. */
export type RunFormat = 'text' | 'json' | 'jsonl' | 'comment';

/** A run and its observers. */
export interface Watching {
  readonly options: Required<Pick<ApplyRequest, 'signal' | 'onEvent' | 'onRunning'>>;
  /** The interrupt that stopped the run. */
  readonly interrupt: () => Interrupt | null;
}

/**
 * Observes a run. The first interrupt lets running actions finish; a second interrupt in the
 * meantime ends the process.
 */
export function watching(format: RunFormat, io: Io): Watching {
  const interrupts = io.interrupts ?? new Interrupts(io);
  let progress = progressOn(io);
  return {
    interrupt: () => interrupts.caught,
    options: {
      signal: interrupts.first,
      onEvent: event => {
        progress.running(event);
        if (format === 'jsonl') io.stdout.write(jsonLine(documentOf(event)));
      },
      onRunning: (plan, left) => {
        const over = interrupts.running();
        progress = progressOn(io, left, idLabeller(plan.called ?? []));
        if (format === 'jsonl') io.stdout.write(jsonLine(planEvent(plan)));
        return () => {
          progress.clear();
          over();
        };
      },
    },
  };
}

function documentOf(event: RunEvent): JsonObject {
  if (event.type === 'start') return startEvent(event.action);
  return event.type === 'sent' ? sentEvent(event.outcome) : endEvent(event.outcome);
}
