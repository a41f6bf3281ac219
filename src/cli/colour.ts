// Colour, decided once: a terminal has it, NO_COLOR takes it away, FORCE_COLOR brings it back.
import { styleText } from 'node:util';
import { PLAIN, type Style } from '../report/style.ts';
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

// The stream is not asked: whether there is colour was decided above.
const paint =
  (...format: Parameters<typeof styleText>[0][]) =>
  (text: string): string =>
    format.reduce<string>((done, name) => styleText(name, done, { validateStream: false }), text);

const COLOURED: Style = {
  add: paint('green'),
  change: paint('yellow'),
  remove: paint('red'),
  strong: paint('bold'),
  faint: paint('dim'),
  warn: paint('yellow'),
  error: paint('red'),
};
