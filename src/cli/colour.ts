// Colour and width of the output. A terminal gets colours unless NO_COLOR is set; other outputs get them only if FORCE_COLOR is
// set.
import { PLAIN, type Style } from '../report/text/style.ts';
import type { Io, Sink } from './io.ts';

/** The style for text written to `sink`. */
export function styleFor(sink: Sink, { env }: Pick<Io, 'env'>): Style {
  return { ...(isColoured(sink, env) ? COLOURED : PLAIN), width: widthOf(sink, env) };
}

/** The width of a terminal that does not report its own. */
const USUAL = 80;
/** The minimum width. Text would be unreadable below it. */
const NARROWEST = 40;

// A pipe has no width, because the next program may search line by line. COLUMNS sets a width.
function widthOf({ isTerminal, columns }: Sink, { COLUMNS = '' }: Io['env']): number {
  const asked = /^[1-9]\d*$/.test(COLUMNS) ? Number(COLUMNS) : undefined;
  const width = isTerminal ? columns || asked || USUAL : (asked ?? Number.POSITIVE_INFINITY);
  return Math.max(NARROWEST, width);
}

function isColoured({ isTerminal }: Sink, env: Io['env']): boolean {
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return env.FORCE_COLOR !== '0';
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  return isTerminal && env.TERM !== 'dumb';
}

/**
 * Colours are markers until they reach a stream. The stream replaces them with escape sequences.
 * The name of an object can contain any escape sequence, but not a marker, because only this
 * process knows the number in the marker.
 */
const MARK = `\u001b[${Math.floor(Math.random() * 2 ** 47)};`;

/** The beginning of a marker, as the source of a regular expression; the number and `m` follow. */
export const colourMark = MARK.replace('[', '\\[');

/** The escape sequence for a marker; any other text is returned unchanged. */
export const colourOf = (mark: string): string => mark.replace(MARK, '\u001b[');

/** For each colour, the numbers of the escape sequences that start and end it. */
const COLOURS = {
  green: [32, 39],
  yellow: [33, 39],
  red: [31, 39],
  bold: [1, 22],
  dim: [2, 22],
} as const;

const paint = (name: keyof typeof COLOURS): ((text: string) => string) => {
  const [on, off] = COLOURS[name];
  return text => `${MARK}${on}m${text}${MARK}${off}m`;
};

const COLOURED: Omit<Style, 'width'> = {
  add: paint('green'),
  change: paint('yellow'),
  remove: paint('red'),
  strong: paint('bold'),
  faint: paint('dim'),
  warn: paint('yellow'),
  error: paint('red'),
};
