// Finds applies of folders that no longer have files. What such an apply left cannot be found by
// later applies of its folder, so applies of other folders report it.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plan } from '../../model/plan.ts';
import { isInCheckout } from '../../read/git/folderInUse.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import { pathInRepository } from '../../read/git/workRevision.ts';
import { type BaseHost, placeOf } from '../recordedBase/gitPlace.ts';

/** The files that a command is about, and the machine. */
export interface AskingFiles {
  readonly path: string;
  readonly host: BaseHost;
}

/** Finds the folders that have no files in the checkout. */
export interface GoneFolders {
  /** Whether a folder, given by its path in the repository, has no files. Rejects if git fails. */
  readonly isGone: (folder: string) => Promise<boolean>;
  /** The folder of a plan if that folder has no files; otherwise undefined. Rejects if git fails. */
  readonly goneOf: (plan: Pick<Plan, 'folder' | 'base'>) => Promise<string | undefined>;
}

/**
 * Looks up folders without files, in the repository of the files at `path`. Each folder is looked
 * up once.
 */
export function goneFolders({ path, host }: AskingFiles): GoneFolders {
  const file = resolve(host.cwd, path);
  const root = repositoryOf(file)?.root;
  const own = pathInRepository(file);
  const known = new Map<string, Promise<boolean>>();
  const isGone = (folder: string): Promise<boolean> => {
    if (root === undefined || folder === own) return Promise.resolve(false);
    const found =
      known.get(folder) ?? isInCheckout(placeOf(path, host), folder, own).then(is => !is);
    known.set(folder, found);
    return found;
  };
  return {
    isGone,
    goneOf: async ({ folder, base }) => {
      const recorded = base?.content?.folder;
      if (recorded !== undefined) return (await isGone(recorded)) ? recorded : undefined;
      // The plan of a run that records no base contains only the path that the user typed.
      const places = root === undefined ? [] : [resolve(host.cwd, folder), join(root, folder)];
      return places.length === 0 || places.some(place => existsSync(place)) ? undefined : folder;
    },
  };
}
