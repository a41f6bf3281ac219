// Reads a log for a command, once or repeatedly.
import { isPaged, type LogName, type LogRow, SHOWN } from '../../api/events/logs.ts';
import { type LogQuery, logPages } from '../../api/events/pages.ts';
import { momentText } from '../../api/events/time.ts';
import { type ReadTransport, readTransport } from '../../api/transport/transport.ts';
import { jsonLine } from '../../model/text/jsonText.ts';
import { EVENT_COLUMNS, eventHead, eventLine } from '../../report/text/eventTable.ts';
import { styleFor } from '../colour.ts';
import { EXIT, exitOn, type Interrupt } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { projectOrStop } from '../project.ts';
import { withConnection } from '../server/connect.ts';
import { Stop } from '../stop.ts';
import { followLog } from './eventFollow.ts';
import type { EventFlags, ReadPages, Wanted } from './eventRequest.ts';
import { momentFrom } from './eventTimes.ts';

/** Prints a log; resolves to the exit code. */
export async function showEvents(
  log: LogName,
  query: LogQuery,
  flags: EventFlags,
  io: Io,
): Promise<number> {
  const now = io.now();
  const { since, until, interval, grace } = flags;
  const project = projectOrStop(io);
  const wanted: Wanted = {
    log,
    query,
    ...(since !== undefined && { since: momentFrom(since, '--since', now) }),
    ...(until !== undefined && { until: momentFrom(until, '--until', now) }),
  };
  if (wanted.since !== undefined && wanted.until !== undefined && wanted.since > wanted.until) {
    const message = `--until ${until} is before --since ${since}`;
    throw new Stop(EXIT.usage, message, 'swap the two: events range from --since to --until');
  }
  return withConnection(flags, project, io, async connection => {
    const read = reader(readTransport(connection), wanted, io);
    const print = printer(log, flags, io);
    return flags.follow
      ? followLog({ ...wanted, interval, grace, read, print }, io)
      : readOnce(wanted, read, print, io);
  });
}

function reader(transport: ReadTransport, wanted: Wanted, io: Io): ReadPages {
  const { log, query, until } = wanted;
  let isFirst = true;
  return async function* (since) {
    const times = isPaged(log) && {
      ...(since !== undefined && { start_date: momentText(since) }),
      ...(until !== undefined && { end_date: momentText(until) }),
    };
    for await (const rows of logPages(transport, log, { ...query, ...times })) {
      // A log without time filters returns all its rows, and time filters of a server have only a precision of a millisecond.
      const kept = rows.filter(
        ({ moment }) =>
          (since === undefined || moment >= since) && (until === undefined || moment <= until),
      );
      const isCut = !isPaged(log) && rows.length >= SHOWN && kept.length === rows.length;
      if (isFirst && isCut && since !== undefined) io.stderr.write(CUT);
      isFirst = false;
      yield kept;
    }
  };
}

const CUT = `the server shows only the newest ${SHOWN} events, which do not reach back to --since\n`;

// Prints rows in the order of the server as they arrive, because a log may not fit into memory.
async function readOnce(
  { since }: Wanted,
  read: ReadPages,
  print: (rows: readonly LogRow[]) => void,
  io: Io,
): Promise<number> {
  let caught: Interrupt | null = null;
  const release = io.onInterrupt(signal => {
    if (caught !== null) io.abort(exitOn(signal));
    caught = signal;
  });
  const seen = new Set<string>();
  try {
    for await (const rows of read(since)) {
      print(rows.filter(({ id }) => !seen.has(id) && seen.add(id)));
      if (caught !== null) return exitOn(caught);
      if (io.stdout.isClosed) break;
    }
    return EXIT.done;
  } finally {
    release();
  }
}

function printer(log: LogName, { format }: EventFlags, io: Io): (rows: readonly LogRow[]) => void {
  const { stdout } = io;
  const write = (lines: readonly string[]): void => {
    if (lines.length > 0) stdout.write(lines.join(''));
  };
  if ((format ?? (stdout.isTerminal ? 'table' : 'jsonl')) === 'jsonl')
    return rows => write(rows.map(({ body }) => jsonLine(body)));
  const columns = EVENT_COLUMNS[log];
  const room = stdout.columns;
  stdout.write(eventHead(columns, styleFor(stdout, io), room));
  return rows => write(rows.map(({ body }) => eventLine(columns, body, room)));
}
