// Checks whether somebody else may have placed a saved plan or a journal, with a commit or as
// another user of the machine. Its actions would run although no reviewer of the files has seen
// them. For example, its path may be the path of the folder that the user meant.
import { resolve } from 'node:path';
import { quoted } from '../../model/text/visible.ts';
import { foreignText, isForeign, ownerOf, ownerThrough } from '../../read/files/owners.ts';
import { isTracked } from '../../read/git/isTracked.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';

/**
 * Throws a `Stop` if no digest approves a plan or a journal and somebody else may have placed its
 * file.
 */
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
  // In a container, the files in the working directory may belong to another user than this
  // process, so the owner of that directory is accepted.
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
