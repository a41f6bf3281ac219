// Checks that the account of a hold is the account that the token reaches. A hold needs no server,
// but a hold on a mistyped account would stop nobody.
import { resolve } from 'node:path';
import { readKinds } from '../../kinds/registry.ts';
import { quoted } from '../../model/text/visible.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { projectOrStop } from '../project.ts';
import { accountOf } from '../server/accountOf.ts';
import { Stop } from '../stop.ts';

/** The time limit for requests to the server, in seconds. */
const LIMIT = 20;

/**
 * Throws a `Stop` if the token reaches another account than the files name. If the server cannot be
 * asked, prints a note.
 */
export async function refuseOtherAccount(path: string, account: string, io: Io): Promise<void> {
  const reached = await accountHere(path, io);
  if (reached === account) return;
  if (reached !== undefined)
    throw new Stop(
      EXIT.invalid,
      `these files are for the account ${quoted(account)}, but the token belongs to ${quoted(reached)}`,
      'correct `account` in meshform.yaml, or use a token of that account, or none',
    );
  say(
    io.stderr,
    `note: the account is ${quoted(account)} because meshform.yaml says so: no server was asked whether it is right`,
  );
}

// Without a token, or if the server does not answer, a hold must still be possible.
async function accountHere(path: string, io: Io): Promise<string | undefined> {
  if (!io.env.MESHFORM_TOKEN) return undefined;
  const project = projectOrStop(io, folderOf(resolve(io.cwd, path)));
  const flags = { timeout: LIMIT / 2, deadline: LIMIT };
  return accountOf(readKinds(), { flags, project }, io).catch(() => undefined);
}
