// Detects a full disk of this machine, on which git or meshform itself cannot store anything.
import { quoted } from '../../model/text/visible.ts';

/** The error for a full disk, so that neither the remote nor a lock is blamed. The message names the folder. */
class FullDisk extends Error {
  override readonly name = 'FullDisk';
}

/** The same error, or a `FullDisk` that names the folder if the error comes from a full disk of this machine. */
export const withFullDisk = (error: unknown, folder: string | undefined): unknown => {
  const why = fullDiskIn(error);
  if (why === null || error instanceof FullDisk) return error;
  const where = folder === undefined ? '' : `: git stores its objects in ${quoted(folder)}`;
  return new FullDisk(`the disk of this machine is full${where}: ${why}`, { cause: error });
};

/** The words of a full disk of this machine in an error; null for any other error. */
export function fullDiskIn(error: unknown): string | null {
  const { code, stderr, message } = Object(error);
  if (error instanceof FullDisk) return error.message;
  if (code === 'ENOSPC' || code === 'EDQUOT') return String(message);
  const said = Buffer.isBuffer(stderr) ? stderr.toString('utf8') : '';
  // A message about the disk of a remote begins with the name of the remote.
  const line = said.split('\n').find(one => NO_SPACE.test(one) && !one.startsWith('remote: '));
  return line === undefined ? null : line.replace(/^(?:fatal|error): /, '').trim();
}

const NO_SPACE = /no space left on device|disk quota exceeded/i;
