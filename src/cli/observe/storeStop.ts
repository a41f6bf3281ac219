// Ends a command with the error of a store of observed traffic that cannot be used. Commands that
// write the store and commands that read it use the same messages.
import { nameText } from '../../model/text/visible.ts';
import { StoreFault } from '../../read/observations/storeFolder.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';

/** An error of the store `name` as a `Stop`; undefined for any other error. */
export function storeStop(error: unknown, name: string): Stop | undefined {
  if (!(error instanceof StoreFault)) return undefined;
  const message = `the store ${nameText(name)} cannot be used: ${error.message}`;
  return new Stop(EXIT.environment, message, error.hint);
}
