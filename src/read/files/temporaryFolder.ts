// Creates temporary folders for a run. They must be private, because their content is used to decrypt secrets.
import { existsSync, statSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { quoted } from '../../model/text/visible.ts';
import { userId } from './owners.ts';
import { ForeignFolder, refuseForeign } from './ownFolder.ts';
import { realOf } from './projectFilesAbove.ts';

/** The error for a temporary folder that somebody else could replace. The message names the folder and who could replace it. */
export class ForeignTemporary extends Error {
  override readonly name = 'ForeignTemporary';
}

/** The hint for a `ForeignTemporary` error. */
export const TEMPORARY_HINT = 'set TMPDIR to a folder of your own, outside checkouts';

/** Creates a folder that only the user can read. Rejects with a `ForeignTemporary` where another user, or a commit, could replace it. */
export async function temporaryFolder(prefix: string): Promise<string> {
  const all = resolve(tmpdir());
  refuseReplaceable(all);
  refuseInCheckout(all);
  return mkdtemp(join(all, prefix));
}

// A folder for temporary files that belongs to the administrator is accepted as it is, because it may be the volume of a
// container.
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

// Refuses a folder in a checkout. A commit can place a link there, and files in a checkout can get into a commit.
function refuseInCheckout(all: string): void {
  for (const path of new Set([all, realOf(all)]))
    for (let at = path; at !== dirname(at); at = dirname(at))
      if (existsSync(join(at, '.git')) && !isOpenToAll(at))
        throw new ForeignTemporary(`${quoted(path)} is in the checkout ${quoted(at)}`);
}

// Whether everybody can write to a folder, such as /tmp. There a `.git` is ignored, because anybody could create it and thereby
// stop every run. Windows has no such folders.
const isOpenToAll = (folder: string): boolean =>
  userId() !== undefined && (statSync(folder).mode & 0o002) !== 0;
