// A file that secrets are added to, and that only its owner can read.
import { resolve } from 'node:path';
import { quoted } from '../../model/visible.ts';
import { appendPrivately } from '../../read/appendFile.ts';
import { reasonOf } from '../../read/fileText.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';

/** Adds texts to the file at `path`; each resolves to why that failed, or to null. Throws a `Stop` where nothing can. */
export async function appendingTo(
  path: string,
  { cwd }: Pick<Io, 'cwd'>,
): Promise<(text: string) => Promise<string | null>> {
  const file = resolve(cwd, path);
  const add = (text: string) =>
    appendPrivately(file, text).then(
      () => null,
      (error: unknown) => `${quoted(path)} cannot be written: ${reasonOf(error)}`,
    );
  const why = await add('');
  if (why !== null) throw new Stop(EXIT.usage, `no secret can be kept: ${why}`);
  return add;
}
