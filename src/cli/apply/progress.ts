// How far a run has come: one line that is rewritten on a terminal, one line an action elsewhere.
import type { RunEvent } from '../../apply/run/port.ts';
import type { Outcome } from '../../model/outcome.ts';
import { visible } from '../../model/text/visible.ts';
import { WIDTH } from '../../report/text/style.ts';
import { fitted } from '../../report/text/width.ts';
import { control, type Io, say } from '../io.ts';

const CLEAR_LINE = '\r\u001b[2K';

/** Progress on stderr. */
export interface Progress {
  readonly fetching: (done: number, total: number) => void;
  readonly running: (event: RunEvent) => void;
  /** Takes the status line away again. */
  readonly clear: () => void;
}

/** Progress over a run of `actions` actions. Where nobody watches, fetching is not worth a line. */
export function progressOn({ stderr, env }: Pick<Io, 'stderr' | 'env'>, actions = 0): Progress {
  const isLive = stderr.isTerminal && env.CI === undefined && env.TERM !== 'dumb';
  let done = 0;
  // A line that the terminal wraps could not be taken away again.
  const status = (text: string) => {
    const shown = fitted(visible(text), (stderr.columns ?? WIDTH) - 1);
    control(stderr, `${CLEAR_LINE}${shown}`);
  };
  return {
    fetching: (read, total) => {
      if (isLive) status(`reading the account: ${read} of ${total} lists`);
    },
    running: event => {
      if (event.type === 'start') {
        if (isLive) status(`[${done + 1}/${actions}] ${event.action.id}`);
        return;
      }
      const { verb, address } = event.action;
      // It is counted once it has ended.
      if (event.type === 'sent') {
        const text = `sent: ${verb} ${address}`;
        if (isLive) status(`[${done + 1}/${actions}] ${text}`);
        else say(stderr, visible(text));
        return;
      }
      done += 1;
      const line = visible(`[${done}/${actions}] ${words(verb, event.outcome)} ${address}`);
      if (isLive) control(stderr, `${CLEAR_LINE}${line}\n`);
      else say(stderr, line);
    },
    clear: () => {
      if (isLive) status('');
    },
  };
}

function words(verb: 'create' | 'update' | 'delete', outcome: Outcome): string {
  if (outcome.status !== 'done') return `${outcome.status}: ${verb}`;
  return { create: 'created', update: 'updated', delete: 'deleted' }[verb];
}
