// Colour and width, decided once: a terminal has colours, NO_COLOR takes them away, FORCE_COLOR brings them back.
import { PLAIN, type Style } from '../report/text/style.ts';
import type { Io, Sink } from './io.ts';

/** The style for what is written to `sink`. */
export function styleFor(sink: Sink, { env }: Pick<Io, 'env'>): Style {
  return { ...(isColoured(sink, env) ? COLOURED : PLAIN), width: widthOf(sink, env) };
}

/** Where a terminal says nothing of its width, it has the width of most. */
const USUAL = 80;
/** A line of fewer columns could not be read. */
const NARROWEST = 40;

// A pipe has no width: what reads on may search it line by line, and COLUMNS says where somebody wants it wrapped.
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
 * What colours look like until they reach a stream that makes sequences of them. A name can hold any sequence, but not
 * one with a number that only this process knows.
 */
const MARK = `\u001b[${Math.floor(Math.random() * 2 ** 47)};`;

/** The beginning of a colour in a text, as the source of a regular expression; the number and `m` follow. */
export const colourMark = MARK.replace('[', '\\[');

/** The sequence that a terminal takes for a colour; any other text as it is. */
export const colourOf = (mark: string): string => mark.replace(MARK, '\u001b[');

/** By name, the numbers that begin and end a colour at a terminal. */
const COLOURS = {
  ...{ green: [32, 39], yellow: [33, 39], red: [31, 39] },
  ...{ bold: [1, 22], dim: [2, 22] },
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
