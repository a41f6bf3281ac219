// A store of observed traffic that cannot be used, as the end of a command: the same for those who write it and those who read it.
import { nameText } from '../../model/text/visible.ts';
import { StoreFault } from '../../read/observations/storeFolder.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';

/** A fault of the store `name` as a `Stop`; undefined for any other error. */
export function storeStop(error: unknown, name: string): Stop | undefined {
  if (!(error instanceof StoreFault)) return undefined;
  const message = `the store ${nameText(name)} cannot be used: ${error.message}`;
  return new Stop(EXIT.environment, message, error.hint);
}
