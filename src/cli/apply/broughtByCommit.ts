// A saved plan, or a journal, that is a part of the checkout. Whoever reviewed the files has not seen what it does, and may have called for an
// apply of the folder that it replaced.
import { resolve } from 'node:path';
import { quoted } from '../../model/text/visible.ts';
import { isTracked } from '../../read/git/tracked.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';

/** Throws a `Stop` if a commit can have brought the file of a plan or a journal that no digest approves. */
export async function refuseUnapproved(
  file: string,
  {
    what,
    digest,
  }: { readonly what: 'a saved plan' | 'a journal'; readonly digest: string | undefined },
  io: Io,
): Promise<void> {
  if (digest !== undefined) return;
  const found = await isTracked(resolve(io.cwd, file), { env: io.env, secrets: io.secrets });
  if (found === false) return;
  const hint = 'if it is what was approved, name its digest with --digest; else restore the files';
  const reason =
    found === true
      ? 'git tracks it, so a commit can have put it there'
      : `it is unknown whether git tracks it: ${found.why}`;
  throw new Stop(EXIT.refused, `${quoted(file)} is ${what}, and ${reason}`, hint);
}
