// The messages for a place where an output may not be written.
import { quoted } from '../model/text/visible.ts';
import { ForeignFile } from '../read/files/owners.ts';
import { MisleadingLink } from '../read/files/writeTarget.ts';
import { EXIT } from './exitCodes.ts';
import { Stop } from './stop.ts';

/** Converts the error of a place that another user or a commit has prepared to a `Stop`; returns null for any other error. */
export function refusedPlace(message: string, error: unknown): Stop | null {
  if (error instanceof ForeignFile)
    return new Stop(
      EXIT.environment,
      message,
      'choose a place in a folder in which nobody else can write',
    );
  if (!(error instanceof MisleadingLink)) return null;
  const hint = `a commit could have put such a link there: if you mean ${quoted(error.target)}, name it directly`;
  return new Stop(EXIT.usage, message, hint);
}
