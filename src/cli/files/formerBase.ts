// What is known here of the base of a folder that has none: the note of an apply that recorded one.

import { resolve } from 'node:path';
import { isNotedStill, newestFirst } from '../../apply/recordedBase/newest.ts';
import { notNewest } from '../../apply/recordedBase/older.ts';
import { nearPath } from '../../read/files/nearPath.ts';
import { folderOf } from '../../read/files/upwards.ts';
import type { Io } from '../io.ts';
import { machineOf, signerIn } from '../machine.ts';
import { olderBaseHint, olderBaseText } from '../refusals/olderBase.ts';

/**
 * Why a folder has no base at `ref`, and what to do, if an apply recorded one; null if none that is known here did. A person who says that
 * the run is the first decides it only if that base was forgotten.
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
  // If git fails, it says why where the base is looked for.
  const older = await notNewest(folder, { ref, stored: null }, known).catch(() => null);
  if (older === null) return null;
  if (isFirst && !isNotedStill(await newestFirst({ folder, ref }, known))) return null;
  return { message: olderBaseText(older, io), hint: olderBaseHint(older) };
}
