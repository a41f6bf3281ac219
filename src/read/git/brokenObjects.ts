// Files of objects that are not what their names say, in a folder that only meshform uses.
import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { isWholeHash } from './wholeHash.ts';

/** Larger objects are left to git, in bytes. */
const LARGEST = 16 * 1024 * 1024;

/**
 * Removes the files of a folder of objects that are not what their names say, as a power failure leaves them; resolves to their
 * number. git would fail at such a file for good, because it neither reads it nor fetches what it has a file for. Larger objects
 * and packs are not checked. git writes a file under its name only when it is complete, so no file of another run is removed.
 */
export async function removeBroken(folder: string): Promise<number> {
  let removed = 0;
  for (const start of await readdir(folder).catch(() => [])) {
    if (!/^[0-9a-f]{2}$/.test(start)) continue;
    for (const rest of await readdir(join(folder, start)).catch(() => [])) {
      const file = join(folder, start, rest);
      if (!isWholeHash(start + rest) || !(await isBroken(file, start + rest))) continue;
      await rm(file, { force: true });
      removed += 1;
    }
  }
  return removed;
}

async function isBroken(file: string, name: string): Promise<boolean> {
  const packed = await readFile(file).catch(() => null);
  if (packed === null) return false;
  const whole = inflated(packed);
  if (whole === 'larger') return false;
  return whole === null || hashOf(whole, name) !== name;
}

const hashOf = (whole: Buffer, name: string): string =>
  createHash(name.length === 64 ? 'sha256' : 'sha1')
    .update(whole)
    .digest('hex');

/** The content of a file of an object, `larger` than is read here, or null if the file is cut or something else. */
export function inflated(packed: Buffer): Buffer | 'larger' | null {
  try {
    return inflateSync(packed, { maxOutputLength: LARGEST });
  } catch (error) {
    return Object(error).code === 'ERR_BUFFER_TOO_LARGE' ? 'larger' : null;
  }
}
