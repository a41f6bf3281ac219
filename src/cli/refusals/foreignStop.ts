// Somebody else's folder in place of the one for journals or temporary files ends a command wherever it is found.
import { ForeignFolder } from '../../read/files/ownFolder.ts';
import { ForeignTemporary, TEMPORARY_HINT } from '../../read/files/temporaryFolder.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';
import { sentenceOfForeign } from './placeRefusals.ts';

/** The same error; a `Stop` if the folder of journals, or the one for temporary files, is not the user's own. */
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
