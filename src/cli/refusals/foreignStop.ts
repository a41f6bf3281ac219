// Ends a command if the folder for journals or temporary files belongs to somebody else, wherever the command finds it.
import { ForeignFolder } from '../../read/files/ownFolder.ts';
import { ForeignTemporary, TEMPORARY_HINT } from '../../read/files/temporaryFolder.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';
import { sentenceOfForeign } from './placeRefusals.ts';

/**
 * Converts the error to a `Stop` if the folder of journals or of temporary files is not the user's own; returns any other error
 * unchanged.
 */
export const withForeignStop = (error: unknown): unknown =>
  error instanceof ForeignFolder
    ? new Stop(EXIT.environment, ...sentenceOfForeign(error.message, error.writable))
    : error instanceof ForeignTemporary
      ? new Stop(
          EXIT.environment,
          `temporary files are kept only where nobody else can replace them: ${error.message}`,
          TEMPORARY_HINT,
        )
      : error;
