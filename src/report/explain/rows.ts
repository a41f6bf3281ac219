// Names with a summary and a description, one below the other, with the names in a column.
import { largest } from '../../model/text/longLists.ts';
import { visible } from '../../model/text/visible.ts';
import { wrap } from '../text/lines.ts';
import { readable, type Style } from '../text/style.ts';
import { padded, textWidth } from '../text/width.ts';

/** A name with its description. */
export interface Row {
  readonly name: string;
  /** A short text beside the name. */
  readonly what?: string;
  readonly text: string;
  /** The level of indentation. */
  readonly depth?: number;
}

/** The maximum width of the column of names. After a longer name, the text begins on the next line. */
const NAMES = 44;

/** The rows as lines, each within the width. */
export function rowLines(rows: readonly Row[], style: Style): readonly string[] {
  const fitting = rows.map(row => textWidth(leadOf(row))).filter(width => width <= NAMES);
  const room = readable(style);
  const width = Math.min(largest(2, fitting) + 2, Math.floor(room / 2));
  return rows.flatMap(row => {
    const lead = leadOf(row);
    const beside = [
      ...broken(row.what, room - width).map(style.faint),
      ...broken(row.text, room - width),
    ];
    const [first, below] =
      textWidth(lead) < width ? [beside[0] ?? '', beside.slice(1)] : ['', beside];
    return [
      `${style.strong(padded(lead, width))}${first}`.trimEnd(),
      ...below.map(line => ' '.repeat(width) + line),
    ];
  });
}

const leadOf = ({ name, depth = 0 }: Row): string => `${'  '.repeat(depth + 1)}${visible(name)}`;

function broken(text: string | undefined, room: number): readonly string[] {
  return text === undefined || text === '' ? [] : wrap(text, room).map(line => line.trim());
}
