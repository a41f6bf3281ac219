// Somebody else's folder in place of the one for journals ends a command wherever it is found.
import { ForeignFolder } from '../../read/files/ownFolder.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';
import { sentenceOfForeign } from './placeRefusals.ts';

/** The same error; a `Stop` if the folder of journals is not the user's own. */
export const withForeignStop = (error: unknown): unknown =>
  error instanceof ForeignFolder
    ? new Stop(EXIT.environment, ...sentenceOfForeign(error.message, error.writable))
    : error;
