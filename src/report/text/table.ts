// A value as a table that fits a terminal: one line per object, or for a single object one line per field.
import { largest } from '../../model/text/longLists.ts';
import { jsonString, nameText, visible } from '../../model/text/visible.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { type Style, WIDTH } from './style.ts';
import { broken, fitted, padded, textWidth } from './width.ts';

/** A table, and the columns that did not fit. */
export interface ObjectTable {
  readonly text: string;
  readonly leftOut: readonly string[];
}

const GAP = '  ';
/** The largest width of a cell, so that a long cell does not displace all others. */
const CELL = 40;
/** The largest width of a field name before its value. */
const NAME = 60;

/**
 * A value as a table. A list of objects has one line for each object. Its columns are in the order of `fields`, followed by any
 * other fields, as many as fit. A field without a value in any object has no column. A single object has one line for each field.
 */
export function valueTable(value: Json, fields: readonly string[], style: Style): ObjectTable {
  if (isList(value)) {
    const objects = value.filter(isObject);
    if (objects.length === value.length) return objectTable(objects, fields, style);
    return { text: value.map(item => `${cellText(item)}\n`).join(''), leftOut: [] };
  }
  if (isObject(value)) return { text: fieldTable(value, style), leftOut: [] };
  return { text: value === null ? '' : `${cellText(value)}\n`, leftOut: [] };
}

function objectTable(
  objects: readonly JsonObject[],
  fields: readonly string[],
  style: Style,
): ObjectTable {
  const named = new Set([...fields, ...objects.flatMap(object => Object.keys(object))]);
  const telling = [...named].filter(
    field => objects.length === 0 || objects.some(object => cellText(object[field]) !== ''),
  );
  const columns = telling.map(field => columnOf(objects, field));
  const [first, ...others] = columns;
  let room = WIDTH - (first?.width ?? 0);
  const shown = others.filter(({ width }) => {
    const fits = width + GAP.length <= room;
    if (fits) room -= width + GAP.length;
    return fits;
  });
  const visible = first === undefined ? [] : [first, ...shown];
  const line = (cells: readonly string[]): string =>
    visible
      .map(({ width }, i) => padded(cells[i] ?? '', width))
      .join(GAP)
      .trimEnd();
  const lines = [
    style.strong(line(visible.map(({ title }) => title))),
    ...objects.map((_, i) => line(visible.map(({ cells }) => cells[i] ?? ''))),
  ];
  return {
    text: lines.map(text => `${text}\n`).join(''),
    leftOut: columns.filter(column => !visible.includes(column)).map(({ field }) => field),
  };
}

function fieldTable(object: JsonObject, style: Style): string {
  const titles = Object.keys(object).map(field => textWidth(columnText(field)));
  const width = Math.min(NAME, largest(0, titles));
  const lines = Object.entries(object).flatMap(([field, value]) => {
    const [first = '', ...rest] = broken(cellText(value), WIDTH - width - GAP.length);
    const name = padded(fitted(columnText(field), width), width);
    return [
      `${style.strong(name)}${GAP}${first}`.trimEnd(),
      ...rest.map(part => `${' '.repeat(width)}${GAP}${part}`),
    ];
  });
  return lines.map(text => `${text}\n`).join('');
}

interface Column {
  readonly field: string;
  readonly title: string;
  readonly width: number;
  readonly cells: readonly string[];
}

function columnOf(objects: readonly JsonObject[], field: string): Column {
  const cells = objects.map(object => fitted(cellText(object[field]), CELL));
  const title = fitted(columnText(field), CELL);
  return { field, title, cells, width: largest(0, [title, ...cells].map(textWidth)) };
}

// Nested objects are shown by their names.
function cellText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (isList(value)) return value.map(memberText).join(', ');
  if (isObject(value)) return memberText(value);
  return columnText(String(value));
}

/**
 * A text in a column. A text that looks like several columns is quoted, because columns are separated by blanks. A text that
 * GitHub would execute as a workflow command is quoted too.
 */
export function columnText(text: string): string {
  return /^\s|^::|\s\s|\s$/.test(text) ? jsonString(text) : visible(text);
}

function memberText(value: Json): string {
  if (isList(value)) return `[${value.map(memberText).join(', ')}]`;
  if (!isObject(value)) return nameText(String(value));
  const name = value.name ?? value.id ?? null;
  return name === null ? visible(JSON.stringify(value)) : memberText(name);
}
