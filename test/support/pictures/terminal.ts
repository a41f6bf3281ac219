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

// A renderer joins blanks: the indent is a place, and each run of text has its own.
/** The text of a line at a height; nothing for an empty line. */
export function lineAt(line: string, y: number): readonly string[] {
  const runs = runsOf(line).flatMap(({ text, column, classes }) => {
    const indent = text.length - text.trimStart().length;
    const shown = text.trim();
    if (shown === '') return [];
    const x = (MARGIN + (column + indent) * CELL.width).toFixed(1);
    const length = ([...shown].length * CELL.width).toFixed(1);
    const named = classes.length === 0 ? '' : ` class="${classes.join(' ')}"`;
    return [`<tspan x="${x}" textLength="${length}"${named}>${xmlText(shown)}</tspan>`];
  });
  return runs.length === 0 ? [] : [`<text y="${y.toFixed(1)}">${runs.join('')}</text>`];
}

interface Run {
  readonly text: string;
  readonly column: number;
  readonly classes: readonly string[];
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
