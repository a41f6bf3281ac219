// Reports what the remote of a new folder supports: whether it can store the lock, the bases and
// the journals.
import { resolve } from 'node:path';
import { repositoryOf } from '../../read/git/repository.ts';
import type { Io } from '../io.ts';
import { withRemote } from '../remoteOfClone.ts';
import { tellRemote } from './showing.ts';

/** Prints what the remote of a folder allows, if the folder is in a clone with a remote. */
export async function tellRemoteOf(path: string, io: Io): Promise<void> {
  const folder = resolve(io.cwd, path);
  if (repositoryOf(folder) === null) return;
  await withRemote({ folder, host: io }, undefined, io, async open => {
    const remote = await open();
    if (remote !== null) await tellRemote(remote, io);
  });
}
