// Places in a JSON text: the line and the column of a value, which are lost when the text is parsed.
import type { Path } from '../value.ts';
import { pointer } from './pointer.ts';

/** The place of a value; both count from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

interface Open {
  readonly isList: boolean;
  /** The current position in a list, or the current key of an object. */
  step: string;
  /** Whether the next text is a key. */
  awaitsKey: boolean;
}

/**
 * The places of the values at `paths` in a text that is valid JSON, by pointer. The text is read once, whatever the number of
 * paths.
 */
export function placesIn(text: string, paths: readonly Path[]): ReadonlyMap<string, TextPlace> {
  const wanted = new Set(paths.map(pointer));
  const deepest = paths.reduce((most, path) => Math.max(most, path.length), 0);
  const found = new Map<string, number>();
  const open: Open[] = [];
  const meet = (offset: number): void => {
    if (open.length > deepest) return;
    const at = pointer(open.map(({ step }) => step));
    if (wanted.has(at)) found.set(at, offset);
  };
  for (let at = 0; at < text.length; ) at = step(text, at, open, meet);
  return inLines(text, found);
}

/** Reads one token of the text at `at`, and returns the offset after it. */
function step(text: string, at: number, open: Open[], meet: (offset: number) => void): number {
  const inner = open.at(-1);
  switch (text[at]) {
    case '{':
    case '[': {
      meet(at);
      const isList = text[at] === '[';
      open.push({ isList, step: isList ? '0' : '', awaitsKey: !isList });
      return at + 1;
    }
    case '}':
    case ']':
      open.pop();
      return at + 1;
    case ',':
      if (inner?.isList) inner.step = String(Number(inner.step) + 1);
      else if (inner) inner.awaitsKey = true;
      return at + 1;
    case '"': {
      const end = endOfText(text, at);
      if (inner?.awaitsKey) {
        inner.step = String(JSON.parse(text.slice(at, end)));
        inner.awaitsKey = false;
      } else meet(at);
      return end;
    }
    default:
      return plain(text, at, meet);
  }
}

/** Reads blanks, a colon, or a value that is a number or a word, and returns the offset after it. */
function plain(text: string, at: number, meet: (offset: number) => void): number {
  if (/[\s:]/.test(text[at] ?? '')) return at + 1;
  meet(at);
  let end = at + 1;
  while (end < text.length && !/[\s,\]}]/.test(text[end] ?? '')) end++;
  return end;
}

/**
 * The offset after a text that begins at `at`. It is a loop, because a regular expression would need memory for each character of
 * the text.
 */
function endOfText(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end + 1;
}

function inLines(
  text: string,
  offsets: ReadonlyMap<string, number>,
): ReadonlyMap<string, TextPlace> {
  const places = new Map<string, TextPlace>();
  let line = 1;
  let start = 0;
  for (const [at, offset] of [...offsets].sort(([, a], [, b]) => a - b)) {
    for (let next = text.indexOf('\n', start); next !== -1 && next < offset; ) {
      line++;
      start = next + 1;
      next = text.indexOf('\n', start);
    }
    places.set(at, { line, column: offset - start + 1 });
  }
  return places;
}

/** The place of an offset. */
export function placeOf(text: string, offset: number): TextPlace {
  const place = inLines(text, new Map([['', offset]])).get('');
  return place ?? { line: 1, column: 1 };
}
