// Folders for the time of a run, in the one for temporary files: secrets are decrypted with what is in them.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ForeignFolder, refuseForeign } from './ownFolder.ts';

/** Somebody else could put something in the place of a temporary folder. The message says who, and where. */
export class ForeignTemporary extends Error {
  override readonly name = 'ForeignTemporary';
}

/** What to do about it. */
export const TEMPORARY_HINT = 'set TMPDIR to a folder of your own';

/** Creates a folder that only the user can read. Rejects with a `ForeignTemporary` where another user could replace it. */
export async function temporaryFolder(prefix: string): Promise<string> {
  const all = resolve(tmpdir());
  refuseReplaceable(all);
  return mkdtemp(join(all, prefix));
}

// A folder for temporary files that the administrator has made is used as it is, as a volume of a container.
function refuseReplaceable(all: string): void {
  try {
    refuseForeign({ path: all, root: all, isChosen: true });
    const above = join(dirname(all), 'new');
    refuseForeign({ path: above, root: above, isChosen: false });
  } catch (error) {
    if (!(error instanceof ForeignFolder)) throw error;
    throw new ForeignTemporary(error.message, { cause: error });
  }
}
