// What a terminal shows as an SVG: lines of text, with the colours of its escape sequences. It has a light and a dark look.
import { xmlText } from '../../../src/report/text/xmlText.ts';
import { framed, type Picture } from './frame.ts';

/** The number of an escape sequence that begins a colour → the class of the text after it; other numbers end it. */
const CLASSES: Readonly<Record<string, string>> = {
  '1': 'strong',
  '2': 'faint',
  '31': 'remove',
  '32': 'add',
  '33': 'change',
};

const ENDS: Readonly<Record<string, readonly string[]>> = {
  '22': ['strong', 'faint'],
  '39': ['remove', 'add', 'change'],
};

/** The size of a character. */
export const CELL = { width: 7.8, height: 18 } as const;

/** Between the frame and the text. */
export const MARGIN = 16;

/** The line with a command, as its prompt shows it. */
export const promptLine = (command: string): string => `\u001b[2m$\u001b[22m ${command}`;

/** The width of a picture of so many columns. */
export const widthOf = (columns: number): number => Math.ceil(columns * CELL.width) + 2 * MARGIN;

/** A picture of what a command printed to a terminal of so many columns. */
export function terminalPicture({ command, printed, columns }: Shown, picture: Picture): string {
  const lines = [promptLine(command), '', ...printed.trimEnd().split('\n')];
  return framed(picture, {
    width: widthOf(columns),
    height: lines.length * CELL.height + 2 * MARGIN,
    body: lines.flatMap((line, row) => lineAt(line, MARGIN + (row + 0.75) * CELL.height)),
  });
}

interface Shown {
  readonly command: string;
  readonly printed: string;
  readonly columns: number;
}

/** The text of a line at a height; nothing for an empty line. */
export const lineAt = (line: string, y: number): readonly string[] =>
  runsAt(runsOf(line), { x: MARGIN, y });

/** A part of a line that looks the same. */
interface Run {
  readonly text: string;
  readonly column: number;
  readonly classes: readonly string[];
}

// A renderer joins blanks: each piece without two of them has a place and a length of its own.
/** The text of the parts of a line that begins at a point. */
export function runsAt(
  runs: readonly Run[],
  { x, y }: { readonly x: number; readonly y: number },
): readonly string[] {
  const pieces = runs.flatMap(({ text, column, classes }) => {
    const named = classes.length === 0 ? '' : ` class="${classes.join(' ')}"`;
    return [...text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: piece, index }) => {
      const left = x + (column + [...text.slice(0, index)].length) * CELL.width;
      const length = [...piece].length * CELL.width;
      return `<tspan x="${left.toFixed(1)}" textLength="${length.toFixed(1)}"${named}>${xmlText(piece)}</tspan>`;
    });
  });
  return pieces.length === 0 ? [] : [`<text y="${y.toFixed(1)}">${pieces.join('')}</text>`];
}

function runsOf(line: string): readonly Run[] {
  const runs: Run[] = [];
  let column = 0;
  let classes: readonly string[] = [];
  for (const [index, part] of line.split(ESCAPE).entries()) {
    if (index % 2 === 1) classes = after(classes, part);
    else {
      runs.push({ text: part, column, classes });
      column += [...part].length;
    }
  }
  return runs;
}

const ESCAPE = new RegExp(`${String.fromCharCode(27)}\\[(\\d+)m`);

function after(classes: readonly string[], number: string): readonly string[] {
  const begun = CLASSES[number];
  if (begun !== undefined) return [...classes, begun];
  return classes.filter(name => !ENDS[number]?.includes(name));
}
