// The folders of the action. Each is newly created in the temporary folder of the job, and no other user can read or change its
// content.
import {
  closeSync,
  constants,
  lstatSync,
  mkdtempSync,
  openSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { inLine } from './forgeError.ts';

/**
 * A new folder with a name that nobody can predict. Throws without a temporary folder of the job, because a folder that all users
 * of the machine share is not safe.
 */
export function freshFolder({ RUNNER_TEMP: parent = '' }: NodeJS.ProcessEnv): string {
  const stats = isAbsolute(parent) ? statSync(parent, { throwIfNoEntry: false }) : undefined;
  if (!stats?.isDirectory())
    throw new Error(
      `RUNNER_TEMP must be the path of the temporary folder of the job, but is "${inLine(parent)}"`,
    );
  const isReplaceable = (stats.mode & 0o002) !== 0 && (stats.mode & 0o1000) === 0;
  if (isReplaceable)
    throw new Error(
      `every user of the machine can replace files in ${inLine(parent)}: set RUNNER_TEMP to a folder of the job, or run chmod o-w on it`,
    );
  const folder = mkdtempSync(join(parent, 'meshform-'));
  if (!isPrivate(folder)) throw new Error(`the folder ${inLine(folder)} is open to other users`);
  return folder;
}

function isPrivate(folder: string): boolean {
  const stats = lstatSync(folder);
  // Windows has neither such owners nor such modes, so only the type is checked.
  if (process.getuid === undefined) return stats.isDirectory();
  return stats.isDirectory() && stats.uid === process.getuid() && (stats.mode & 0o077) === 0;
}

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

/** Writes a new file that only the user of the job can read. Throws if the path exists, even as a link. */
export function writeNewFile(path: string, content: string | Buffer): void {
  // Windows has no such flag.
  const file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), 0o600);
  try {
    writeFileSync(file, content);
  } finally {
    closeSync(file);
  }
}
