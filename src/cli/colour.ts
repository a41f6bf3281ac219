// Colour, decided once: a terminal has it, NO_COLOR takes it away, FORCE_COLOR brings it back.
import { PLAIN, type Style } from '../report/text/style.ts';
import type { Io, Sink } from './io.ts';

/** The style for what is written to `sink`. */
export function styleFor(sink: Sink, { env }: Pick<Io, 'env'>): Style {
  return isColoured(sink, env) ? COLOURED : PLAIN;
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

const COLOURED: Style = {
  add: paint('green'),
  change: paint('yellow'),
  remove: paint('red'),
  strong: paint('bold'),
  faint: paint('dim'),
  warn: paint('yellow'),
  error: paint('red'),
};
