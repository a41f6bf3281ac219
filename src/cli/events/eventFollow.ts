// Follows a log: requests it repeatedly, and prints each row once, in order, until it is interrupted.
import { isPaged, type LogRow, SHOWN } from '../../api/events/logs.ts';
import { compareRows, readOn, remaining, type Tail, tailAfter } from '../../api/events/tail.ts';
import { type Moment, momentOfClock } from '../../api/events/time.ts';
import { ApiError } from '../../model/errors.ts';
import { addAll } from '../../model/text/longLists.ts';
import { EXIT, exitOn } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import type { EventFlags, ReadPages, Wanted } from './eventRequest.ts';

/** The log that is followed, and the settings of following. */
export interface Follow extends Wanted, Pick<EventFlags, 'interval' | 'grace'> {
  readonly read: ReadPages;
  readonly print: (rows: readonly LogRow[]) => void;
}

/**
 * How long before its newest row a paged log is requested again, in milliseconds. This finds rows
 * that were written late.
 */
const OVERLAP = 60_000;

/** Follows until the first interrupt; resolves to the exit code. Throws an `ApiError` that is not transient. */
export async function followLog(follow: Follow, io: Io): Promise<number> {
  const stop = new AbortController();
  const release = io.onInterrupt(signal => {
    if (stop.signal.aborted) io.abort(exitOn(signal));
    stop.abort();
  });
  let state: State | null = null;
  try {
    while (!stop.signal.aborted && !io.stdout.isClosed) {
      state = await lasting(state, follow, io);
      if (!stop.signal.aborted) await io.sleep(follow.interval * 1000, stop.signal);
    }
  } finally {
    if (state !== null) follow.print(remaining(state.tail));
    release();
  }
  return EXIT.done;
}

interface State {
  readonly tail: Tail;
  /** The beginning of the followed period. If absent, the whole log is printed. */
  readonly from: Moment | undefined;
}

// A read that may fail. A failed read loses nothing: the next read returns the rows that were not printed yet.
async function lasting(state: State | null, follow: Follow, io: Io): Promise<State | null> {
  try {
    return await (state === null ? begin(follow, io) : goOn(state, follow, io));
  } catch (error) {
    if (!(error instanceof ApiError) || !error.details.retryable) throw error;
    say(io.stderr, `${error.message}; trying again in ${follow.interval} s`);
    return state;
  }
}

// Without --since, existing rows are skipped.
async function begin(follow: Follow, io: Io): Promise<State> {
  const { log, since, read } = follow;
  if (since !== undefined) return goOn({ tail: tailAfter([]), from: since }, follow, io);
  if (!isPaged(log)) return { tail: tailAfter(await all(read(undefined))), from: undefined };
  const [newest] = await firstOf(read(undefined));
  const from = newest && soonest(newest.moment, io);
  return { tail: tailAfter(from === undefined ? [] : await all(read(from))), from };
}

async function goOn({ tail, from }: State, follow: Follow, io: Io): Promise<State> {
  const { log, read, grace, print } = follow;
  const start = isPaged(log) ? startOf(tail, from, follow, io) : from;
  const askedAt = io.now();
  const rows = await all(read(start));
  const reaches = isPaged(log) ? start : oldestShown(rows);
  const reading = {
    rows,
    askedAt,
    answeredAt: io.now(),
    ...(reaches !== undefined && { reaches }),
  };
  const step = readOn(tail, reading, grace * 1000);
  // A paged log returns all rows since a moment, so it cannot lose rows.
  if (step.isTorn && !isPaged(log)) io.stderr.write(TORN);
  print(step.ready);
  return { tail: step.tail, from };
}

const TORN =
  'the log no longer contains the last event read, so events may be missing: use a shorter --interval\n';

// Where the request begins: before the newest row that was seen, to find rows that were written
// late.
function startOf(
  { seen }: Tail,
  from: Moment | undefined,
  { grace }: Follow,
  io: Io,
): Moment | undefined {
  if (seen.size === 0) return from;
  const newest = [...seen.values()].reduce((a, b) => (a > b ? a : b));
  const start = soonest(newest, io) - momentOfClock(Math.max(OVERLAP, grace * 1000));
  return from !== undefined && from > start ? from : start;
}

// The moment, or the current time if that is earlier. A machine whose clock is ahead can then not
// hide later events of other machines.
function soonest(moment: Moment, io: Io): Moment {
  const now = momentOfClock(io.now());
  return moment < now ? moment : now;
}

// The time of the oldest row. The log returns no rows before it. Known only if the log returned
// about as many rows as it can return.
function oldestShown(rows: readonly LogRow[]): Moment | undefined {
  if (rows.length < SHOWN / 2) return undefined;
  return rows.map(({ moment }) => moment).reduce((a, b) => (a < b ? a : b));
}

async function all(pages: AsyncIterable<readonly LogRow[]>): Promise<LogRow[]> {
  const rows: LogRow[] = [];
  for await (const page of pages) addAll(rows, page);
  return rows;
}

/** The newest row of the first page; undefined if the page is empty. */
async function firstOf(pages: AsyncIterable<readonly LogRow[]>): Promise<LogRow[]> {
  for await (const page of pages) return page.toSorted(compareRows).slice(-1);
  return [];
}
