// A file that secrets are added to, and that only its owner can read; or a pipe that they go through.
import { lstatSync } from 'node:fs';
import { resolve } from 'node:path';
import { quoted } from '../../model/text/visible.ts';
import { appendPrivately, openStream } from '../../read/files/appendFile.ts';
import { readIfThere, reasonOf } from '../../read/files/fileText.ts';
import { placeAt } from '../../read/files/place.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';

type Add = (text: string) => Promise<string | null>;

/**
 * Adds texts to the file at `path`, in which every line is one of ours; each resolves to why that failed, or to null.
 * Throws a `Stop` where nothing can be added.
 */
export async function appendingTo(
  path: string,
  isOurs: (line: string) => boolean,
  io: Pick<Io, 'cwd' | 'stdout' | 'stderr'>,
): Promise<Add> {
  try {
    const write = await writerTo(resolve(io.cwd, path), isOurs, io);
    await write('');
    return text => write(text).then(() => null, because(path));
  } catch (error) {
    const hint = 'choose another destination with --secrets-to';
    throw new Stop(EXIT.usage, `secrets cannot be stored: ${because(path)(error)}`, hint);
  }
}

const because = (path: string) => (error: unknown) =>
  `${quoted(path)} cannot be written: ${reasonOf(error)}`;

async function writerTo(
  file: string,
  isOurs: (line: string) => boolean,
  { stdout, stderr }: Pick<Io, 'stdout' | 'stderr'>,
): Promise<(text: string) => Promise<void>> {
  const place = placeAt(file);
  if (place.is === 'stream' && place.descriptor !== undefined) {
    if (place.descriptor === 1) return async text => stdout.write(text);
    return place.descriptor === 2 ? async text => stderr.write(text) : openStream(file);
  }
  // Whoever may make links here would have the secrets.
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) throw new Error('it is a link');
  if (place.is === 'unusable') throw new Error(place.why);
  if (place.is === 'stream') return openStream(file);
  const lines = ((await readIfThere(file)) ?? '').split(/\r?\n/).filter(line => line.trim() !== '');
  if (!lines.every(isOurs)) throw new Error('it has other content, and is not changed');
  return text => appendPrivately(file, text);
}
