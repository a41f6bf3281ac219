// The status line at the bottom of a terminal. It is removed before other output and drawn again below it.
import { visible } from '../model/text/visible.ts';
import { textWidth } from '../report/text/width.ts';
import { control, type Sink, type Status } from './io.ts';

export interface StatusLine {
  /** Shows a status; null removes the line. */
  readonly show: (status: Status | null) => void;
  /** Prints `text` above the status line, by calling `write`. */
  readonly above: (text: string, write: () => void) => void;
}

/** The status line of a terminal. The last column stays free, because a wrapped line could not be removed. */
export function statusLine(terminal: Sink): StatusLine {
  let status: Status | null = null;
  let drawn = '';
  let isLineOpen = false;
  const draw = (): void => {
    if (isLineOpen) return;
    const text = visible(status?.(columnsOf(terminal) - 1) ?? '');
    if (text === drawn) return;
    control(terminal, clearing(drawn, columnsOf(terminal)) + text);
    drawn = text;
  };
  const clear = (): void => {
    if (drawn !== '') control(terminal, clearing(drawn, columnsOf(terminal)));
    drawn = '';
  };
  return {
    show: next => {
      status = next;
      draw();
    },
    above: (text, write) => {
      clear();
      write();
      if (text !== '') isLineOpen = !text.endsWith('\n');
      draw();
    },
  };
}

/** Empties the screen of a terminal, so that the next output begins at the top. */
export const clearScreen = (terminal: Sink): void => control(terminal, '\u001b[H\u001b[2J');

/** The width of a terminal that does not report its own. */
const COLUMNS = 80;

/** A terminal may be very narrow, but no line is empty. */
const columnsOf = ({ columns }: Sink): number => Math.max(columns || COLUMNS, 2);

// The sequence that removes the drawn line. If the terminal has become narrower, it has wrapped
// that line.
function clearing(drawn: string, columns: number): string {
  const rows = Math.ceil(textWidth(drawn) / columns);
  return rows > 1 ? `\u001b[${rows - 1}A\r\u001b[0J` : '\r\u001b[2K';
}
