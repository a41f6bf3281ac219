// Parses a duration that is not zero. The result is in milliseconds.
import { InvalidArgumentError } from 'commander';
import { spanOf } from '../../model/text/duration.ts';

/** The milliseconds of `30m`, `24h` or `7d`. */
export function lifetime(text: string): number {
  const found = spanOf(text);
  if (found === null || found === 0)
    throw new InvalidArgumentError('It must be a duration, such as 30m, 24h or 7d.');
  return found;
}
