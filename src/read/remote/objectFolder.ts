// A separate folder for objects that are fetched from a remote or written for it, so that the clone of the user gets no object,
// no ref and no shallow boundary.
import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { makeOwnFolder } from '../files/ownFolder.ts';
import { temporaryFolder } from '../files/temporaryFolder.ts';
import { writeWhole } from '../files/writeFile.ts';
import { objectsIn } from '../git/objectNames.ts';
import { repositoryOf } from '../git/repository.ts';
import type { GitPlace } from '../git/runGit.ts';

/** A place whose new objects are written into a separate folder. */
export interface SeparateObjects {
  readonly place: GitPlace;
  /** The commits that an earlier run fetched, so that the remote need not send their objects again. */
  readonly fetched: () => Promise<readonly string[]>;
  readonly remember: (commits: readonly string[]) => Promise<void>;
  /** Removes the folder, if it is only for this run. */
  readonly close: () => Promise<void>;
}

const FETCHED = 'fetched';

/** The state folder, in which folders for objects are kept, and the time in milliseconds since 1970. */
export interface KeptIn {
  readonly state: string;
  readonly now: number;
}

/**
 * The place with a separate folder for its objects. The folder is in the state folder, where runs of the same month reuse it. If
 * the state folder cannot be written, or if others can write to it, a temporary folder is used. Rejects if the place is not in a
 * repository, or if git fails.
 */
export async function separateObjects(place: GitPlace, keptIn: KeptIn): Promise<SeparateObjects> {
  const objects = await objectsIn(place);
  const root = repositoryOf(place.folder)?.root ?? place.folder;
  const repositoryObjects = resolve(root, objects.path);
  const kept = await keptFolder(repositoryObjects, basename(root), keptIn).catch(() => null);
  const path = kept ?? (await temporaryFolder('meshform-git-'));
  const list = join(path, FETCHED);
  return {
    place: { ...place, objects: { path, repositoryObjects } },
    fetched: async () => {
      const text = await readFile(list, 'utf8').catch(() => '');
      return text.split('\n').filter(line => /^[0-9a-f]{40,64}$/.test(line));
    },
    remember: commits =>
      writeWhole(list, commits.map(commit => `${commit}\n`).join('')).catch(() => undefined),
    close: async () => {
      if (kept === null) await rm(path, { recursive: true, force: true });
    },
  };
}

// The folder for the current month. Folders of months before the previous month are deleted, together with objects that no run
// needs any more.
async function keptFolder(
  repositoryObjects: string,
  name: string,
  { state, now }: KeptIn,
): Promise<string> {
  const digest = createHash('sha256').update(repositoryObjects).digest('hex').slice(0, 8);
  const folder = join(state, 'git', `${name}-${digest}`);
  const months = [monthOf(now), monthOf(now - MONTH_MS)];
  const path = join(folder, monthOf(now));
  await makeOwnFolder({ path: join(path, 'pack'), root: state, isChosen: false });
  for (const entry of await readdir(folder))
    if (!months.includes(entry)) await rm(join(folder, entry), { recursive: true, force: true });
  return path;
}

const MONTH_MS = 31 * 24 * 3_600_000;

const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);
