// What is in a folder, so that it can be seen what a command has changed.
import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Everything below a folder, by path: what it is, who may do what with it, and what is in it. */
export async function contentsOf(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const look = async (path: string): Promise<void> => {
    const at = join(folder, path);
    const stats = await lstat(at);
    const mode = stats.mode.toString(8);
    if (stats.isSymbolicLink()) found.set(path, `${mode} to ${await readlink(at)}`);
    else if (stats.isFile()) {
      // A file that is too large to be compared is compared by its size and time.
      const isLarge = stats.size > 10_000_000;
      const content = isLarge ? `${stats.size} ${stats.mtimeMs}` : digest(await readFile(at));
      found.set(path, `${mode} ${content}`);
    } else found.set(path, mode);
    if (!stats.isDirectory()) return;
    for (const name of await readdir(at)) await look(join(path, name));
  };
  await look('');
  return found;
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Paths whose content is another than before, new and gone ones included, but for those below `allowed`. */
export function changedPaths(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  allowed: readonly string[],
): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  const isAllowed = (path: string) =>
    allowed.some(one => path === one || path.startsWith(`${one}/`));
  return [...paths].filter(path => before.get(path) !== after.get(path) && !isAllowed(path));
}
