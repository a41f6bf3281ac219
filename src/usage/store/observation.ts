// What one read of the traffic log, or of a part of an exported log, adds to a store: one line of the journal. An
// incomplete line does not count.
import { createHash } from 'node:crypto';
import type { LogSettings } from '../../access/state/keptAnswers.ts';
import { jsonOf } from '../../model/text/jsonText.ts';
import { isList, isObject, type Json } from '../../model/value.ts';
import type { Day, Gap, Span, Time } from '../observed.ts';
import type { Counted } from '../records/growth.ts';
import type { CountedRecords } from './countedDay.ts';
import { type DayDocument, dayDocument, dayJson } from './dayFlows.ts';
import type { LoggedState } from './stateLog.ts';

/** One read of the log, or of a part of an exported log. */
export interface Observation {
  /** The times between which the log was read; null for an exported log. */
  readonly span: Span | null;
  readonly days: readonly DayDocument[];
  readonly counted: ReadonlyMap<Day, CountedRecords>;
  /** A state that was not seen before. */
  readonly state: LoggedState | null;
  /** Until when the last state was seen. */
  readonly seenUntil: Time | null;
  readonly gaps: readonly Gap[];
  /** The settings of the log, if they are known. */
  readonly log: LogSettings | null;
}

/**
 * The first line of a journal, with the text that its manifest also contains. Empty for a journal
 * without such a line.
 */
export function journalHead(begin: string | undefined): string {
  if (begin === undefined) return '';
  const text = JSON.stringify({ begin });
  return `${checksum(text)} ${text}\n`;
}

/** Whether a text is only the first line of a journal. */
export function isJournalHead(text: string): boolean {
  const json = jsonOf(text.slice(CHECKSUM + 1));
  return (
    isObject(json ?? null) &&
    text === journalHead(String((json as { readonly begin?: Json }).begin))
  );
}

/** A line of the journal. `after`: the checksum of the line before it; empty for the first line. */
export function observationLine(observation: Observation, after: string): string {
  const text = JSON.stringify({
    ...observation,
    after,
    days: observation.days.map(dayJson),
    counted: [...observation.counted].map(([day, records]) => [
      day,
      [...records].flatMap(([number, { starts, drops, others }]) => [
        number,
        starts,
        drops,
        others,
      ]),
    ]),
  });
  return `${checksum(text)} ${text}\n`;
}

/** The checksum of a line of the journal, by which the next line names it. */
export const checksumOf = (line: string): string => line.slice(0, CHECKSUM);

/** An observation in the journal. */
export interface JournalLine {
  readonly observation: Observation;
  /** The checksum of the line before it. Absent in lines of older versions. */
  readonly after?: string;
}

/** The observation in a line, without its line feed; null if the line is damaged or foreign. */
export function journalLine(line: string): JournalLine | null {
  const text = line.slice(CHECKSUM + 1);
  if (line !== `${checksum(text)} ${text}`) return null;
  const json = jsonOf(text);
  if (!isObject(json ?? null)) return null;
  const fields = json as Record<string, Json>;
  const observation = observationIn(fields);
  const { after } = fields;
  return observation && { observation, ...(typeof after === 'string' && { after }) };
}

function observationIn(fields: Readonly<Record<string, Json>>): Observation | null {
  const { span, days, counted, state, seenUntil, gaps, log } = fields;
  const documents = isList(days ?? null) ? (days as readonly Json[]).map(dayDocument) : [null];
  if (documents.includes(null) || !isList(counted ?? null)) return null;
  return {
    span: (span ?? null) as Span | null,
    days: documents.flatMap(document => document ?? []),
    counted: new Map(
      (counted as unknown as readonly [Day, readonly number[]][]).map(([day, numbers]) => [
        day,
        recordsIn(numbers),
      ]),
    ),
    state: (state ?? null) as LoggedState | null,
    seenUntil: (seenUntil ?? null) as Time | null,
    gaps: (gaps ?? []) as unknown as readonly Gap[],
    log: (log ?? null) as LogSettings | null,
  };
}

const CHECKSUM = 16;

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, CHECKSUM);
}

function recordsIn(numbers: readonly number[]): CountedRecords {
  const records = new Map<number, Counted>();
  for (let at = 0; at + 3 < numbers.length; at += 4) {
    const [number = 0, starts = 0, drops = 0, others = 0] = numbers.slice(at, at + 4);
    records.set(number, { starts, drops, others });
  }
  return records;
}
