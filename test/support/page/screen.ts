// A terminal as far as progress uses it: wide characters, wrapping, the cursor up, cleared lines. What a person would see.
import { textWidth } from '../../../src/report/text/width.ts';

export interface Screen {
  readonly write: (text: string) => void;
  /** All lines, from the first that was written. */
  readonly lines: () => readonly string[];
  /** Gives the terminal another width; lines that are too long for it are wrapped again. */
  readonly resize: (columns: number) => void;
}

// A cell holds a character with what combines with it; the second cell of a wide character is empty.
type Row = string[];

const ESCAPE = '\u001b';
const MOVE = new RegExp(`^${ESCAPE}\\[(\\d*)([A-Za-z])$`);
const PART = new RegExp(`${ESCAPE}\\[[\\d;]*[A-Za-z]|[\\s\\S]`, 'gu');

/** A screen of so many columns. Throws for a sequence that it does not know. */
export function screen(width: number): Screen {
  let columns = width;
  let rows: Row[] = [[]];
  let row = 0;
  let column = 0;
  const rowAt = (at: number): Row => {
    rows[at] ??= [];
    return rows[at];
  };
  const newLine = () => {
    row += 1;
    column = 0;
    rowAt(row);
  };
  const put = (character: string) => {
    const wide = textWidth(character);
    if (wide === 0) {
      const before = rowAt(row);
      before[column - 1] = `${before[column - 1] ?? ''}${character}`;
      return;
    }
    if (column + wide > columns) newLine();
    rowAt(row)[column] = character;
    if (wide === 2) rowAt(row)[column + 1] = '';
    column += wide;
  };
  const obey = (sequence: string) => {
    const [, count = '1', command] = MOVE.exec(sequence) ?? [];
    if (command === 'A') row = Math.max(0, row - Number(count));
    else if (sequence === '\u001b[2K') rows[row] = [];
    else if (sequence === '\u001b[0J') {
      rows = rows.slice(0, row + 1);
      rows[row] = rowAt(row).slice(0, column);
    } else if (command !== 'm') throw new Error(`unknown sequence ${JSON.stringify(sequence)}`);
  };
  return {
    write: text => {
      for (const part of text.match(PART) ?? []) {
        if (part === '\n') newLine();
        else if (part === '\r') column = 0;
        else if (part.startsWith('\u001b')) obey(part);
        else put(part);
      }
    },
    lines: () => rows.map(cells => cells.join('').trimEnd()),
    resize: next => {
      columns = next;
      // Only the last line can be the one that is rewritten.
      const cells = rows.pop() ?? [];
      for (let at = 0; at === 0 || at < cells.length; at += columns)
        rows.push(cells.slice(at, at + columns));
      row = rows.length - 1;
      column = rows.at(-1)?.length ?? 0;
    },
  };
}
