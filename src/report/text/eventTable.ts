// Shows rows of a log as lines of a growing table. The column widths are fixed before the first row
// is known.
import { visible } from '../../model/text/visible.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { type Style, WIDTH } from './style.ts';
import { columnText } from './table.ts';
import { fitted, padded } from './width.ts';

/** The table layout of a log. */
export interface EventColumn {
  readonly title: string;
  /** The width of the column; the last column takes the rest of the line. */
  readonly width: number;
  readonly textOf: (row: JsonObject) => string;
}

const GAP = '  ';

/** The titles of the columns. */
export function eventHead(columns: readonly EventColumn[], style: Style, room = WIDTH): string {
  return style.strong(
    lineOf(
      columns,
      columns.map(({ title }) => title),
      room,
    ),
  );
}

/** A row on one line of at most `room` columns. */
export function eventLine(
  columns: readonly EventColumn[],
  row: JsonObject,
  room: number = WIDTH,
): string {
  return lineOf(
    columns,
    columns.map(({ textOf }) => textOf(row)),
    room,
  );
}

function lineOf(columns: readonly EventColumn[], texts: readonly string[], room: number): string {
  const cells = columns.map(({ width }, i) => {
    const text = visible(texts[i] ?? '');
    return i === columns.length - 1 ? text : padded(fitted(text, width), width);
  });
  return `${fitted(cells.join(GAP).trimEnd(), room)}\n`;
}

const textAt =
  (...path: readonly string[]) =>
  (row: JsonObject): string => {
    const value = path.reduce<Json | undefined>(
      (inner, name) => (isObject(inner) ? inner[name] : undefined),
      row,
    );
    return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
  };

/** Returns a function for the first of these texts that is not empty. */
const firstOf =
  (...texts: readonly ((row: JsonObject) => string)[]) =>
  (row: JsonObject): string =>
    texts.map(textOf => textOf(row)).find(text => text !== '') ?? '';

// The time in whole seconds; the JSON output has the full precision.
const timeText = (time: string): string => time.replace(/\.\d+/, '');

const lastEvent =
  (name: string) =>
  ({ events }: JsonObject): string => {
    const last = isList(events) ? events.at(-1) : undefined;
    return isObject(last) ? textAt(name)(last) : '';
  };

const end = (side: string) => (row: JsonObject) =>
  named(textAt(side, 'name')(row), textAt(side, 'address')(row));

// A name, followed by a text that distinguishes objects of the same name.
const named = (name: string, more: string): string =>
  [columnText(name), more].filter(Boolean).join(' ');

const time = (textOf: (row: JsonObject) => string): EventColumn => ({
  title: 'time',
  width: 20,
  textOf: row => timeText(textOf(row)),
});

/** The columns of each log. */
export const EVENT_COLUMNS: Readonly<
  Record<'audit' | 'traffic' | 'proxy', readonly EventColumn[]>
> = {
  audit: [
    time(textAt('timestamp')),
    { title: 'what', width: 26, textOf: textAt('activity_code') },
    {
      title: 'who',
      width: 24,
      textOf: firstOf(textAt('initiator_email'), textAt('initiator_name'), textAt('initiator_id')),
    },
    {
      title: 'about',
      width: 24,
      textOf: row => named(textAt('meta', 'name')(row), textAt('target_id')(row)),
    },
  ],
  traffic: [
    time(lastEvent('timestamp')),
    { title: 'what', width: 10, textOf: lastEvent('type') },
    { title: 'way', width: 7, textOf: textAt('direction') },
    { title: 'from', width: 26, textOf: end('source') },
    { title: 'to', width: 26, textOf: end('destination') },
  ],
  proxy: [
    time(textAt('timestamp')),
    { title: 'status', width: 6, textOf: textAt('status_code') },
    { title: 'method', width: 7, textOf: textAt('method') },
    { title: 'from', width: 15, textOf: textAt('source_ip') },
    { title: 'where', width: 40, textOf: row => textAt('host')(row) + textAt('path')(row) },
  ],
};
