// Creates a folder and its parents. The recursive `mkdir` of the platform never returns if a folder cannot be created at all.
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates the folder at `path` and its parents; resolves to the topmost folder that was created, or undefined if `path` existed.
 */
export async function makeFolder(path: string, mode?: number): Promise<string | undefined> {
  const above = await missingAbove(path, mode);
  try {
    await mkdir(path, { mode });
    return above ?? path;
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    if (isThere && (await stat(path)).isDirectory()) return above;
    throw error;
  }
}

async function missingAbove(path: string, mode?: number): Promise<string | undefined> {
  const parent = dirname(path);
  const isThere = await stat(parent).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
  return isThere || parent === path ? undefined : makeFolder(parent, mode);
}
