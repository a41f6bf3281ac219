// Imports exported logs into the store. The logs are JSON, or one record per line. The state of the
// account at the time of their flows is unknown.
import { open, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { stateOfAnswers } from '../../access/state/stateOfAnswers.ts';
import { timeText } from '../../model/ending.ts';
import { jsonOf } from '../../model/text/jsonText.ts';
import { pathText } from '../../model/text/visible.ts';
import { isList, isObject, type Json } from '../../model/value.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import type { StoreWriter } from '../../read/observations/writeStore.ts';
import { counted } from '../../report/text/summary.ts';
import { DAY_MS } from '../../usage/observed.ts';
import { type EndpointOf, endpointsIn } from '../../usage/records/places.ts';
import { type TrafficRecord, trafficRecord } from '../../usage/records/trafficRecord.ts';
import { dayOfRecord } from '../../usage/store/collect.ts';
import { nextObservation } from '../../usage/store/nextObservation.ts';
import { deletedBefore } from '../../usage/store/retention.ts';
import { lastState } from '../../usage/store/stateLog.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';
import type { OpenStore } from './openStore.ts';

/** The number of records that are stored as one line of the journal. */
const AT_ONCE = 10_000;

/** Reads the records of files into the store. */
export async function importLogs(
  files: readonly string[],
  { writer, keep }: OpenStore,
  oldest: number,
  io: Io,
): Promise<void> {
  const answers = lastState(writer.states);
  const answered = answers === null ? null : stateOfAnswers(answers);
  const endpointOf = endpointsIn(answered === null || 'faults' in answered ? null : answered.state);
  for (const file of files) {
    let read = 0;
    let fresh = 0;
    let late = 0;
    for await (const all of recordsIn(file, io)) {
      // Records older than the retention period would be deleted again immediately.
      const records = all.filter(({ happenings }) =>
        happenings.every(({ from }) => from >= oldest),
      );
      late += all.length - records.length;
      await keep();
      fresh += await store(records, writer, endpointOf);
      const clock = { now: io.now(), skew: undefined, newest: writer.newest };
      const before = deletedBefore(io.now() - oldest, clock) ?? 0;
      if (writer.isDue(before)) await writer.compact({ before });
      read += records.length;
    }
    const older = late === 0 ? '' : `; ${late} more are older than --keep`;
    say(
      io.stderr,
      `${pathText(file)}: ${counted(read, 'record')}, ${read - fresh} of them known${older}`,
    );
  }
}

async function store(
  records: readonly TrafficRecord[],
  writer: StoreWriter,
  endpointOf: EndpointOf,
): Promise<number> {
  await writer.load(new Set(records.map(dayOfRecord)));
  const past = {
    states: [],
    last: null,
    counted: (day: number, number: number) => writer.counted(day, number),
    signs: () => 0,
  };
  const seen = { span: null, records, account: null, gaps: [] };
  const { observation, knownCount } = nextObservation(seen, past, endpointOf);
  await writer.append(observation);
  return records.length - knownCount;
}

async function* recordsIn(file: string, io: Io): AsyncGenerator<readonly TrafficRecord[]> {
  let batch: TrafficRecord[] = [];
  let at = 0;
  for await (const body of bodiesIn(file, io)) {
    at += 1;
    const record = trafficRecord(body);
    if (record === null)
      throw new Stop(
        EXIT.invalid,
        `record ${at} of ${pathText(file)} is not a record of a traffic log: it has no flow, machine or time, or an impossible number`,
        'export the log with `meshform events traffic --format jsonl`; the records before it are stored, and count only once',
      );
    const newest = record.happenings.reduce((last, { from }) => Math.max(last, from), -Infinity);
    if (newest > io.now() + DAY_MS)
      throw new Stop(
        EXIT.invalid,
        `record ${at} of ${pathText(file)} is from the future: ${timeText(newest)}`,
        'correct the clock of the machine that reported it or of this machine, or leave the record out; the records before it are stored, and count only once',
      );
    batch.push(record);
    if (batch.length < AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

// The records in a file. A log with millions of records is read line by line. The first line shows
// whether each line is a record.
async function* bodiesIn(file: string, io: Io): AsyncGenerator<Json> {
  let isFirst = true;
  for await (const text of linesIn(file, io)) {
    const line = isFirst ? withoutMark(text) : text;
    if (line.trim() === '') continue;
    const body = jsonOf(line);
    if (isFirst && (body === undefined || !isRecord(body))) {
      yield* listIn(await textOf(file, io), file);
      return;
    }
    isFirst = false;
    if (body === undefined) throw notJson(file);
    yield body;
  }
}

// Some programs begin a file with a byte order mark.
const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

const isRecord = (body: Json): boolean => isObject(body) && !isList(body.data ?? false);

function listIn(text: string, file: string): readonly Json[] {
  const whole = jsonOf(withoutMark(text));
  if (whole === undefined) throw notJson(file);
  const list = isObject(whole) ? whole.data : whole;
  if (list !== undefined && isList(list)) return list;
  throw new Stop(
    EXIT.invalid,
    `${pathText(file)} is not a traffic log: it is neither a list nor a page of records`,
    'export the log with `meshform events traffic --format jsonl`',
  );
}

const notJson = (file: string): Stop =>
  new Stop(
    EXIT.invalid,
    `${pathText(file)} is neither JSON nor a file with one record per line`,
    'export the log with `meshform events traffic --format jsonl`',
  );

async function* linesIn(file: string, io: Io): AsyncGenerator<string> {
  if (file === '-') {
    yield* (await io.stdin()).split('\n');
    return;
  }
  const opened = await open(resolve(io.cwd, file)).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  try {
    yield* opened.readLines();
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw unreadable(file, error);
    throw error;
  } finally {
    await opened.close();
  }
}

async function textOf(file: string, io: Io): Promise<string> {
  if (file === '-') return io.stdin();
  return readFile(resolve(io.cwd, file), 'utf8').catch((error: unknown) => {
    throw unreadable(file, error);
  });
}

const unreadable = (file: string, error: unknown): Stop =>
  new Stop(
    EXIT.usage,
    `${pathText(file)} of --from cannot be read: ${reasonOf(error)}`,
    'name a file with an exported log, or - for standard input',
  );
