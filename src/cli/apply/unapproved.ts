// A saved plan, or a journal, that somebody else can have put there: with a commit, or as another user of the machine. A reviewer of
// the files has not seen its actions, and the command may have been meant for a folder whose path it has taken.
import { resolve } from 'node:path';
import { quoted } from '../../model/text/visible.ts';
import { foreignText, isForeign, ownerOf, ownerThrough } from '../../read/files/owners.ts';
import { isTracked } from '../../read/git/tracked.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';

/** Throws a `Stop` if somebody else can have brought the file of a plan or a journal that no digest approves. */
export async function refuseUnapproved(
  file: string,
  {
    what,
    digest,
  }: { readonly what: 'a saved plan' | 'a journal'; readonly digest: string | undefined },
  io: Io,
): Promise<void> {
  if (digest !== undefined) return;
  const path = resolve(io.cwd, file);
  const refuse = (reason: string): never => {
    const hint =
      'if this file was approved, give its digest with --digest; otherwise restore the files';
    throw new Stop(EXIT.refused, `${quoted(file)} is ${what}, and ${reason}`, hint);
  };
  // In a container, everything in the working folder may belong to its owner.
  const owner = ownerThrough(path, ownerOf(path));
  if (isForeign(owner, ownerOf(io.cwd))) refuse(foreignText(owner));
  const found = await isTracked(path, { env: io.env, secrets: io.secrets });
  if (found === false) return;
  refuse(
    found === true
      ? 'git tracks it, so a commit can have put it there'
      : `it is unknown whether git tracks it: ${found.why}`,
  );
}
