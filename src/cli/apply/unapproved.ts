// A saved plan or a journal that somebody else may have placed there, with a commit or as another user of the machine. A reviewer
// of the files has not seen its actions. The user may have meant a folder whose path the file has taken.
import { resolve } from 'node:path';
import { quoted } from '../../model/text/visible.ts';
import { foreignText, isForeign, ownerOf, ownerThrough } from '../../read/files/owners.ts';
import { isTracked } from '../../read/git/isTracked.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';

/** Throws a `Stop` if no digest approves a plan or a journal, and somebody else may have placed its file there. */
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
  // In a container, all files in the working folder may belong to the owner of that folder.
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
