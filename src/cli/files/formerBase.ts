// Finds out why a folder has no base: notes, on this machine or at the remote, show that an apply recorded one, or the other bases
// of the account belong to another server.

import { resolve } from 'node:path';
import type { SharedJournals } from '../../apply/journal/sharedJournals.ts';
import { addressesOfOther } from '../../apply/lock/accountServer.ts';
import { isNotedStill, newestFirst } from '../../apply/recordedBase/newest.ts';
import { notNewest } from '../../apply/recordedBase/older.ts';
import { accountOfJournals } from '../../base/refName.ts';
import { serverAddress } from '../../model/serverAddress.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { nearPath } from '../../read/files/nearPath.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import type { Io } from '../io.ts';
import { machineOf, signerIn } from '../machine.ts';
import { olderBaseHint, olderBaseText } from '../refusals/olderBase.ts';

/** The server that a run reaches, if flags name it. */
export interface ServerOfRun {
  readonly url?: string;
  /** An address that led to this server before. */
  readonly formerUrl?: string;
  /** Whether the user says that every address of the account leads to this server. */
  readonly anyServer?: boolean;
}

/** The ref at which a folder has no base, and what its user said about it. */
interface MissingBase {
  readonly ref: string;
  /** Whether the user said that this is the first run of the folder. */
  readonly isFirst: boolean;
  readonly server: ServerOfRun;
}

/**
 * Why a folder has no base at `ref`, and what to do, if the notes show that an apply recorded one, or that the other bases of the
 * account belong to another server; otherwise null. If a person declares the run to be the first, that is accepted only if the
 * noted base was forgotten.
 */
export async function formerBase(
  path: string,
  { ref, isFirst, server }: MissingBase,
  io: Io,
): Promise<{ readonly message: string; readonly hint: string } | null> {
  const journals = (await io.sharedJournals?.()) ?? undefined;
  const folder = nearPath(io.cwd, folderOf(resolve(io.cwd, path)));
  const older = await olderBase(folder, { ref, isFirst, journals }, io);
  if (older !== null || isFirst || journals === undefined) return older;
  return ofOtherServer(folder, { journals, server }, io);
}

async function olderBase(
  folder: string,
  {
    ref,
    isFirst,
    journals,
  }: Omit<MissingBase, 'server'> & { readonly journals: SharedJournals | undefined },
  io: Io,
): Promise<{ readonly message: string; readonly hint: string } | null> {
  const signer = signerIn(io);
  if (signer === null) return null;
  const { shared } = io;
  const host = { ...machineOf(io), ...(shared && { shared }) };
  const known = { host, signer, journals };
  // A failure of git is ignored here, because the later search for the base reports it.
  const older = await notNewest(folder, { ref, stored: null }, known).catch(() => null);
  if (older === null) return null;
  if (isFirst && !isNotedStill(await newestFirst({ folder, ref }, known))) return null;
  return { message: olderBaseText(older, io), hint: olderBaseHint(older) };
}

// Without this, a server that reports the id of an account of another server would be told to take over the base of that account.
async function ofOtherServer(
  folder: string,
  { journals, server }: { readonly journals: SharedJournals; readonly server: ServerOfRun },
  { env }: Io,
): Promise<{ readonly message: string; readonly hint: string } | null> {
  const url = server.url ?? env.MESHFORM_URL;
  if (!url) return null;
  const reached = { url, formerUrl: server.formerUrl, isAny: server.anyServer };
  const addresses = await addressesOfOther(journals, reached).catch(() => null);
  if (addresses === null) return null;
  const account = quoted(accountOfJournals(journals.ref));
  return {
    message: `${quoted(folder)} has no base, and the other bases of the account ${account} belong to the server ${addresses.map(nameText).join(', ')}, while this run reaches ${nameText(serverAddress(url) ?? url)}: a server may report the id of an account of another server`,
    hint: 'if these addresses lead to the same server, plan with the address that is noted, or note this one first: with one `meshform apply FOLDER --any-server` of a folder that has a base, in a fleet with `former_url` in the credentials of the account; the locks, bases and journals of another server need a repository of their own',
  };
}
