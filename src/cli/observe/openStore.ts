// The store of a run. Allows only one writer at a time, and turns its errors into messages.
import { join, resolve } from 'node:path';
import { type HeldLock, isOwner, takeLock } from '../../apply/lockFile.ts';
import { nameText } from '../../model/text/visible.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import { makeFolder } from '../../read/files/makeFolder.ts';
import { folderTargetAt, usable } from '../../read/files/writeTarget.ts';
import { existingManifest } from '../../read/observations/storeFolder.ts';
import { StoreWriter } from '../../read/observations/writeStore.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { refusedPlace } from '../refusedPlace.ts';
import { Stop } from '../stop.ts';
import { storeStop } from './storeStop.ts';

/** An open store that no other process writes. */
export interface OpenStore {
  /** The path as the user named it. */
  readonly name: string;
  readonly writer: StoreWriter;
  /** Throws a `Stop` if another run took the store over. */
  readonly keep: () => Promise<void>;
}

export interface WrittenStoreFlags {
  readonly store: string;
  readonly people?: boolean;
  /** Machines to delete. There is nothing to delete from a store that does not exist. */
  readonly forget?: readonly string[];
}

/** Opens or creates the store, and keeps it open while `use` runs. */
export async function withStore<T>(
  { store: name, people, forget }: WrittenStoreFlags,
  io: Io,
  use: (store: OpenStore) => Promise<T>,
): Promise<T> {
  const folder = resolve(io.cwd, name);
  if (forget !== undefined)
    await existingManifest(folder).catch((error: unknown) => {
      throw stopOf(error, name);
    });
  const lock = await lockOf(folder, name, io);
  let writer: StoreWriter | undefined;
  try {
    writer = await StoreWriter.open(folder, {
      server: '',
      account: '',
      hasPeople: people === true,
    });
    if (people && !writer.manifest.hasPeople) throw idsOnly(name);
    await writer.sweep();
    return await use({ name, writer, keep: () => kept(lock, name) });
  } catch (error) {
    throw stopOf(error, name);
  } finally {
    await writer?.close();
    await lock.release();
  }
}

/** Converts an error of a store, or of its folder, to a `Stop`; returns any other error unchanged. */
function stopOf(error: unknown, name: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isOfFolder = typeof code === 'string' && typeof syscall === 'string';
  return storeStop(error, name) ?? (isOfFolder ? unwritable(name, error) : error);
}

function unwritable(name: string, error: unknown): Stop {
  const message = `the store ${nameText(name)} cannot be written: ${reasonOf(error)}`;
  const hint = 'name a folder that this user may write';
  return refusedPlace(message, error) ?? new Stop(EXIT.environment, message, hint);
}

const idsOnly = (name: string): Stop =>
  new Stop(
    EXIT.usage,
    `the store ${nameText(name)} keeps ids only`,
    'omit --people, or start a new store with it',
  );

async function lockOf(folder: string, name: string, io: Io): Promise<HeldLock> {
  const taken = await Promise.resolve()
    .then(() => usable(folderTargetAt(folder)))
    .then(() => makeFolder(folder, 0o700))
    .then(() => takeLock(join(folder, 'lock'), { ...io.self, now: io.now }))
    .catch((error: unknown) => {
      throw unwritable(name, error);
    });
  if (!isOwner(taken)) return taken;
  throw new Stop(
    EXIT.refused,
    `process ${taken.pid} on ${nameText(taken.host)} writes the store ${nameText(name)}`,
    'a store has one writer at a time: stop the other run, or name another folder',
  );
}

async function kept(lock: HeldLock, name: string): Promise<void> {
  if (await lock.keep()) return;
  throw new Stop(
    EXIT.refused,
    `another run took over the store ${nameText(name)}, because this run was paused for 15 minutes`,
    'start it again when the other one has ended',
  );
}
