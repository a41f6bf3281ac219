// The progress of a run. A terminal shows a status line below the finished actions; other outputs show only the finished actions.
import type { RunEvent } from '../apply/port.ts';
import type { ActionId } from '../model/names.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Action } from '../model/plan.ts';
import { visible } from '../model/text/visible.ts';
import { clockText, progressText } from '../report/run/progressText.ts';
import { skippedLine } from '../report/run/skippedActions.ts';
import { WIDTH } from '../report/text/style.ts';
import { fitted } from '../report/text/width.ts';
import { styleFor } from './colour.ts';
import { type Io, say } from './io.ts';

/** Progress on stderr. */
export interface Progress {
  readonly fetching: (done: number, total: number) => void;
  readonly running: (event: RunEvent) => void;
  /** Removes the status line, and reports skipped actions. */
  readonly clear: () => void;
}

type Surroundings = Pick<Io, 'stderr' | 'env' | 'now' | 'every'>;

/** How often the time in the status line is updated, in milliseconds. */
const TICK = 1000;

/**
 * Reports the progress of a run of `actions` actions, with the names that `speak` returns. Without
 * a terminal, reads are not reported.
 */
export function progressOn(
  io: Surroundings,
  actions = 0,
  speak: (text: string) => string = text => text,
): Progress {
  const { stderr, now } = io;
  const style = styleFor(stderr, io);
  const status = liveStatus(io);
  const skipped: ActionId[] = [];
  const running = new Map<ActionId, string>();
  const begun = now();
  let done = 0;
  const draw = () =>
    status.show(room =>
      progressText(
        { done, total: actions, elapsed: now() - begun, underWay: [...running.values()] },
        room,
      ),
    );
  const end = ({ action, outcome }: Extract<RunEvent, { readonly type: 'end' }>) => {
    running.delete(action.id);
    if (outcome.status === 'skipped') {
      skipped.push(action.id);
      return;
    }
    done += 1;
    const line = visible(`[${done}/${actions}] ${speak(endText(action, outcome))}`);
    stderr.write([outcome.status === 'done' ? line : style.error(line), ''].join('\n'));
  };
  return {
    fetching: (read, total) =>
      status.show(room => fetchingText({ read, total, elapsed: now() - begun }, room)),
    running: event => {
      if (event.type === 'end') end(event);
      else {
        running.set(event.action.id, speak(underWayText(event)));
        if (event.type === 'sent' && !status.isLive) say(stderr, speak(sentText(event.action)));
      }
      draw();
    },
    clear: () => {
      status.clear();
      if (skipped.length === 0) return;
      done += skipped.length;
      const head = `[${done}/${actions}] `;
      const line = `${head}${skippedLine(skipped, widthOf(io) - head.length)}`;
      const shown = status.isLive ? fitted(line, widthOf(io)) : line;
      stderr.write([style.warn(shown), ''].join('\n'));
      skipped.length = 0;
    },
  };
}

interface Fetched {
  readonly read: number;
  readonly total: number;
  readonly elapsed: number;
}

function fetchingText({ read, total, elapsed }: Fetched, room: number): string {
  const time = clockText(elapsed);
  const text =
    room < 50
      ? `reading ${read}/${total} ${time}`
      : `reading the account: ${read} of ${total} lists, ${time}`;
  return fitted(text, room);
}

const widthOf = ({ stderr }: Surroundings): number =>
  stderr.isTerminal ? stderr.columns || WIDTH : WIDTH;

// The status line, if stderr is a terminal that can rewrite a line.
function liveStatus({ stderr, env, every }: Surroundings) {
  const isLive = stderr.isTerminal && env.CI === undefined && env.TERM !== 'dumb';
  let stop: (() => void) | undefined;
  let last: ((room: number) => string) | null = null;
  const set = (text: ((room: number) => string) | null): void => {
    last = text;
    stderr.status?.(text);
  };
  return {
    isLive,
    show: (text: (room: number) => string): void => {
      if (!isLive) return;
      set(text);
      stop ??= every?.(TICK, () => stderr.status?.(last));
    },
    clear: (): void => {
      stop?.();
      stop = undefined;
      if (isLive) set(null);
    },
  };
}

const DOING = { create: 'creating', update: 'updating', delete: 'deleting' } as const;
const DONE = { create: 'created', update: 'updated', delete: 'deleted' } as const;

const underWayText = ({ type, action }: Exclude<RunEvent, { type: 'end' }>): string =>
  type === 'sent' ? `checking ${action.address}` : `${DOING[action.verb]} ${action.address}`;

// The text for a sent action. An action is counted only when it has ended.
const sentText = ({ verb, address }: Action): string => visible(`sent: ${verb} ${address}`);

function endText({ verb, address }: Action, outcome: Outcome): string {
  return outcome.status === 'done'
    ? `${DONE[verb]} ${address}`
    : `${outcome.status}: ${verb} ${address}`;
}
