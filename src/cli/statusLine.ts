// The line at the bottom of a terminal that is rewritten while a run goes on. Whatever else is written stands above it, on
// lines of its own: the line is taken away before and drawn again after.
import { visible } from '../model/text/visible.ts';
import { textWidth } from '../report/text/width.ts';
import { control, type Sink, type Status } from './io.ts';

export interface StatusLine {
  /** Shows a status; null takes the line away. */
  readonly show: (status: Status | null) => void;
  /** Writes something else to the terminal, by `write`; `text` is what that is. */
  readonly above: (text: string, write: () => void) => void;
}

/** The status line of one terminal. A line that the terminal would wrap could not be taken away: the last column stays free. */
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

/** Where a terminal does not say how wide it is. */
const COLUMNS = 80;

/** A terminal may be narrower than anything is written for, but no line is empty. */
const columnsOf = ({ columns }: Sink): number => Math.max(columns || COLUMNS, 2);

// A terminal that became narrower has wrapped what was drawn before.
function clearing(drawn: string, columns: number): string {
  const rows = Math.ceil(textWidth(drawn) / columns);
  return rows > 1 ? `\u001b[${rows - 1}A\r\u001b[0J` : '\r\u001b[2K';
}
