// Lines with a sign in front, as plans are made of: laid out, wrapped and coloured in one place.
import { visible } from '../model/visible.ts';
import { type Style, WIDTH } from './style.ts';
import { fittingLength } from './width.ts';

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

/**
 * A text broken at spaces into parts of at most `room` columns; what is broken off is indented by four. The text is made
 * visible first: it is one line that grew too long, whatever is in it.
 */
export function wrap(text: string, room: number): string[] {
  const lines: string[] = [];
  let rest = visible(text);
  for (;;) {
    const fits = fittingLength(rest, room);
    if (fits === rest.length) return [...lines, rest];
    const at = rest.lastIndexOf(' ', fits);
    const isBreakable = at > 4 && rest.slice(0, at).trim() !== '';
    lines.push(rest.slice(0, isBreakable ? at : fits));
    rest = `    ${rest.slice(isBreakable ? at + 1 : fits).trimStart()}`;
  }
}

function signStyle(sign: Sign, style: Style): (text: string) => string {
  if (sign === '+') return style.add;
  if (sign === '-') return style.remove;
  return sign === ' ' ? style.faint : style.change;
}
