// Lays out, wraps and colours lines with a leading sign, as in plans.
import { visible } from '../../model/text/visible.ts';
import type { Style } from './style.ts';
import { fittingEnd, textWidth } from './width.ts';

export type Sign = '+' | '-' | '~' | '-/+' | ' ';

/** A line of a plan. */
export interface Line {
  readonly sign: Sign;
  readonly depth: number;
  readonly text: Wrappable;
}

/** A text, or a list of clauses, which are separated by two spaces. A clause that fits on a line is not broken. */
export type Wrappable = string | readonly string[];

/** The lines as text, each within the width. */
export function renderLines(lines: readonly Line[], style: Style): string {
  return lines.flatMap(line => renderLine(line, style)).join('\n');
}

function renderLine({ sign, depth, text }: Line, style: Style): string[] {
  const indent = ' '.repeat(2 + depth * 4);
  const below = indent + ' '.repeat(sign.length + 1);
  const [first = '', ...rest] = wrap(text, style.width - below.length);
  return [
    `${indent}${signStyle(sign, style)(sign)} ${first}`.trimEnd(),
    ...rest.map(part => below + part),
  ];
}

/**
 * Wraps a text at spaces, or before a clause, into parts of at most `room` columns. Continuation lines are indented by at least
 * four columns more than the beginning of the text. Hidden characters are made visible first, so no line feed of the text itself
 * remains.
 */
export function wrap(text: Wrappable, room: number): string[] {
  const clauses = typeof text === 'string' ? [visible(text)] : text.map(visible);
  let shown = clauses.join(GAP);
  const below = indentBelow(shown, room);
  let starts = startsOf(clauses);
  const lines: string[] = [];
  let at = 0;
  for (let indent = ''; ; indent = below) {
    const end = fittingEnd(shown, at, room - indent.length);
    if (end === shown.length) return [...lines, indent + shown.slice(at)].map(harmless);
    const space = breakIn(shown, at, end, below.length - indent.length);
    // Whether the room allows wrapping: a line with almost no text is useless.
    const isBreakable =
      indent.length + space > below.length && shown.slice(at, at + space).trim() !== '';
    const broken =
      clauseBreak(shown, starts, { at, end, room: room - below.length }) ??
      (isBreakable ? at + space : end);
    lines.push(indent + shown.slice(at, broken));
    at = broken;
    while (shown[at] === ' ') at += 1;
    if (isQuoted(shown, at) && MARK.test(shown.slice(at))) {
      shown = shown.slice(0, at) + escaped(shown.charCodeAt(at)) + shown.slice(at + 1);
      starts = starts.map(start => (start > at ? start + ESCAPE : start));
    }
  }
}

const GAP = '  ';

// The position of the last space that fits. If possible, the space is outside quotes, with enough text before it, because the
// rest of a name must not look like a separate line.
function breakIn(shown: string, at: number, end: number, least: number): number {
  const fitting = shown.slice(at, end + 1);
  for (let space = fitting.lastIndexOf(' '); space > least; ) {
    if (!isQuoted(shown, at + space) && fitting.slice(0, space).trim() !== '') return space;
    space = fitting.lastIndexOf(' ', space - 1);
  }
  return fitting.lastIndexOf(' ');
}

/** Whether a position is within a JSON string. */
function isQuoted(text: string, position: number): boolean {
  let isInside = false;
  for (let i = 0; i < position; i += 1) {
    if (text[i] === '"') isInside = !isInside;
    else if (isInside && text[i] === '\\') i += 1;
  }
  return isInside;
}

// The signs of lines. If a name is longer than a line, its rest must not begin with one of them.
const MARK = /^[-+−~!#|>*]/;
const escaped = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;
/** The number of characters that an escape adds. */
const ESCAPE = 5;

// The positions at which the clauses after the first begin.
function startsOf(clauses: readonly string[]): readonly number[] {
  let at = 0;
  return clauses.slice(0, -1).map(clause => {
    at += clause.length + GAP.length;
    return at;
  });
}

// The break before a clause that would be cut at `end`. The clause moves to the next line if that line has room for the whole
// clause, or if none of its members fits here.
function clauseBreak(
  shown: string,
  starts: readonly number[],
  { at, end, room }: { readonly at: number; readonly end: number; readonly room: number },
): number | undefined {
  const start = starts.findLast(each => each - GAP.length <= end);
  if (start === undefined || start <= at) return undefined;
  const next = starts.find(each => each > start);
  const clause = shown.slice(start, next === undefined ? undefined : next - GAP.length);
  const isTogether = textWidth(clause) <= room || !shown.slice(start, end + 1).includes(', ');
  return isTogether ? start - GAP.length : undefined;
}

// The indentation of continuation lines. It is limited, because deeply indented text must still have room.
function indentBelow(text: string, room: number): string {
  const own = text.length - text.trimStart().length;
  return ' '.repeat(Math.max(4, Math.min(own + 2, Math.floor(room / 2))));
}

// A line that GitHub does not execute: wherever a text is wrapped, the next line may begin like a command.
const harmless = (line: string): string => line.replace(/^(\s*:):/, '$1\\u003a');

function signStyle(sign: Sign, style: Style): (text: string) => string {
  if (sign === '+') return style.add;
  if (sign === '-') return style.remove;
  return sign === ' ' ? style.faint : style.change;
}
