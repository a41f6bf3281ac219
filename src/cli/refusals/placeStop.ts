// Ends the command if a place is unusable, such as a folder that belongs to somebody else or a full
// disk, wherever the error occurs.
import { ForeignFolder } from '../../read/files/ownFolder.ts';
import { ForeignTemporary, TEMPORARY_HINT } from '../../read/files/temporaryFolder.ts';
import { fullDiskIn } from '../../read/git/fullDisk.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';
import { sentenceOfForeign } from './placeRefusals.ts';

/**
 * Converts the error to a `Stop` if the folder of journals or of temporary files is not the user's own, or if a disk is full;
 * returns any other error unchanged.
 */
export function withPlaceStop(error: unknown): unknown {
  if (error instanceof ForeignFolder)
    return new Stop(EXIT.environment, ...sentenceOfForeign(error.message, error.writable));
  if (error instanceof ForeignTemporary)
    return new Stop(
      EXIT.environment,
      `temporary files are kept only where nobody else can replace them: ${error.message}`,
      TEMPORARY_HINT,
    );
  const full = fullDiskIn(error);
  if (full === null) return error;
  return new Stop(EXIT.environment, full, 'free disk space there, then run the command again');
}
