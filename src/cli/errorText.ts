// The message of the error that ended a command. Only this file turns errors into messages.
import { ApiError, InvariantError } from '../model/errors.ts';
import { visible } from '../model/text/visible.ts';
import { wrap } from '../report/text/lines.ts';
import { readable, type Style } from '../report/text/style.ts';
import type { Io } from './io.ts';
import { Stop } from './stop.ts';

interface Message {
  readonly message: string;
  readonly lines?: readonly string[];
  readonly hint?: string | null;
}

/** The message of an error, with a line feed at the end. The message contains no known secret. */
export function errorText(error: unknown, { secrets }: Pick<Io, 'secrets'>, style: Style): string {
  const { message, lines = [], hint } = messageOf(error, secrets);
  // Secrets are redacted before the text is escaped and wrapped, because escaping and wrapping change how they are written.
  const [first = '', ...below] = wrap(`${LABEL} ${secrets.redact(message)}`, style.width);
  // The other lines are not wrapped, because some are commands to copy.
  const rest = lines.map(line => visible(secrets.redact(line)));
  const hints = hint ? wrap(`  hint: ${secrets.redact(hint)}`, readable(style)) : [];
  const start = `${style.error(LABEL)}${first.slice(LABEL.length)}`;
  return `${[start, ...below, ...rest, ...hints].join('\n')}\n`;
}

const LABEL = 'Error:';

function messageOf(error: unknown, secrets: Io['secrets']): Message {
  if (error instanceof Stop) return error;
  if (error instanceof ApiError) return { message: error.message, lines: error.details.more ?? [] };
  if (error instanceof RangeError && error.message === 'Invalid string length') {
    const hint = 'select a part with --kinds or --only';
    return { message: 'the output is larger than 512 MB', hint };
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const whose =
    error instanceof InvariantError ? 'This is a bug in meshform' : 'An unexpected error occurred';
  const message = `${whose}. Please report it with the text below.`;
  // A secret may have several lines.
  return { message, lines: secrets.redact(trace).split('\n') };
}
