// Appends secrets to a file that only its owner can read, or to a pipe.
import { lstatSync } from 'node:fs';
import { resolve } from 'node:path';
import { quoted } from '../../model/text/visible.ts';
import { appendPrivately, openStream } from '../../read/files/appendFile.ts';
import { readIfThere, reasonOf } from '../../read/files/fileText.ts';
import { ForeignFile } from '../../read/files/owners.ts';
import { placeAt } from '../../read/files/place.ts';
import type { PlaceRefusal } from '../refusal.ts';
import type { PlaceHost } from './placeHost.ts';

type Add = (text: string) => Promise<string | null>;

/**
 * Appends texts to the file at `path`, which may contain only our own lines. Each append resolves to why it failed, or
 * to null.
 * Returns a refusal if nothing can be appended.
 */
export async function appendingTo(
  path: string,
  isOurs: (line: string) => boolean,
  host: PlaceHost,
): Promise<Add | PlaceRefusal> {
  try {
    const write = await writerTo(resolve(host.cwd, path), isOurs, host);
    await write('');
    return text => write(text).then(() => null, because(path));
  } catch (error) {
    const refused = error instanceof ForeignFile ? 'secret-place-foreign' : 'secret-place';
    return { refused, why: because(path)(error) };
  }
}

const because = (path: string) => (error: unknown) =>
  `${quoted(path)} cannot be written: ${reasonOf(error)}`;

async function writerTo(
  file: string,
  isOurs: (line: string) => boolean,
  { stdout, stderr }: PlaceHost,
): Promise<(text: string) => Promise<void>> {
  const place = placeAt(file);
  if (place.is === 'stream' && place.descriptor !== undefined) {
    if (place.descriptor === 1) return async text => stdout(text);
    return place.descriptor === 2 ? async text => stderr(text) : openStream(file);
  }
  // Anyone who may create links in the folder could redirect the secrets.
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) throw new Error('it is a link');
  if (place.is === 'unusable')
    throw place.isForeign ? new ForeignFile(place.why) : new Error(place.why);
  if (place.is === 'stream') return openStream(file);
  const lines = ((await readIfThere(file)) ?? '').split(/\r?\n/).filter(line => line.trim() !== '');
  if (!lines.every(isOurs)) throw new Error('it has other content, and is not changed');
  return text => appendPrivately(file, text);
}
