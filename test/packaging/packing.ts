// Packs a fresh clone of the repository, as it is released.
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Bench } from './bench.ts';

/** The files of the working tree that git would commit: neither dependencies nor a build are there. */
export async function freshClone({ root, scratch, run }: Bench, name: string): Promise<string> {
  const clone = join(scratch, name);
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const { stdout } = await run('git', args, { cwd: root });
  for (const file of stdout.split('\0').filter(path => path !== '')) {
    await mkdir(dirname(join(clone, file)), { recursive: true });
    await copyFile(join(root, file), join(clone, file)).catch(error => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
  return clone;
}

/** Packs the clone. The last line of stdout is the name of the tarball. */
export async function pack({ run, scratch }: Bench, clone: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--pack-destination', scratch], { cwd: clone });
  return join(scratch, stdout.trim().split('\n').at(-1) ?? '');
}

/** The SHA-256 of a file. */
export const digestOf = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
