// Finds notes, on this machine or at the remote, which show that an apply recorded a base for a
// folder that has none now.

import { resolve } from 'node:path';
import { isNotedStill, newestFirst } from '../../apply/recordedBase/newest.ts';
import { notNewest } from '../../apply/recordedBase/older.ts';
import { nearPath } from '../../read/files/nearPath.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import type { Io } from '../io.ts';
import { machineOf, signerIn } from '../machine.ts';
import { olderBaseHint, olderBaseText } from '../refusals/olderBase.ts';

/**
 * Why a folder has no base at `ref`, and what to do, if notes show that an apply recorded a base;
 * otherwise null. If the user says that this is the first run, it is accepted only if the base in
 * the notes was forgotten.
 */
export async function formerBase(
  path: string,
  { ref, isFirst }: { readonly ref: string; readonly isFirst: boolean },
  io: Io,
): Promise<{ readonly message: string; readonly hint: string } | null> {
  const signer = signerIn(io);
  if (signer === null) return null;
  const { shared } = io;
  const host = { ...machineOf(io), ...(shared && { shared }) };
  const journals = (await io.sharedJournals?.()) ?? undefined;
  const known = { host, signer, journals };
  const folder = nearPath(io.cwd, folderOf(resolve(io.cwd, path)));
  // A failure of git is ignored here, because the search for the base reports it later.
  const older = await notNewest(folder, { ref, stored: null }, known).catch(() => null);
  if (older === null) return null;
  if (isFirst && !isNotedStill(await newestFirst({ folder, ref }, known))) return null;
  return { message: olderBaseText(older, io), hint: olderBaseHint(older) };
}
