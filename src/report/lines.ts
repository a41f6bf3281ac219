// Lines with a sign in front, as plans are made of: laid out, wrapped and coloured in one place.
import { type Style, WIDTH } from './style.ts';

export type Sign = '+' | '-' | '~' | '-/+' | ' ';

/** One line of a plan. */
export interface Line {
  readonly sign: Sign;
  readonly depth: number;
  readonly text: string;
}

/** The lines as text, each within the width. */
export function renderLines(lines: readonly Line[], style: Style): string {
  return lines.flatMap(line => renderLine(line, style)).join('\n');
}

function renderLine({ sign, depth, text }: Line, style: Style): string[] {
  const indent = ' '.repeat(2 + depth * 4);
  const below = indent + ' '.repeat(sign.length + 1);
  const [first = '', ...rest] = wrap(text, WIDTH - below.length);
  return [
    `${indent}${signStyle(sign, style)(sign)} ${first}`.trimEnd(),
    ...rest.map(part => below + part),
  ];
}

/** A text broken at spaces into parts of at most `room` characters; what is broken on is indented by four. */
export function wrap(text: string, room: number): string[] {
  if (text.length <= room) return [text];
  const at = text.lastIndexOf(' ', room);
  const isBreakable = at > 4 && text.slice(0, at).trim() !== '';
  const [head, tail] = isBreakable
    ? [text.slice(0, at), text.slice(at + 1)]
    : [text.slice(0, room), text.slice(room)];
  return [head, ...wrap(`    ${tail.trimStart()}`, room)];
}

function signStyle(sign: Sign, style: Style): (text: string) => string {
  if (sign === '+') return style.add;
  if (sign === '-') return style.remove;
  return sign === ' ' ? style.faint : style.change;
}
