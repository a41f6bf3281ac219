// One file's text, where there is one.
import { readFile } from 'node:fs/promises';

/** A file's text under the name that messages use for it. */
export interface FileText {
  readonly file: string;
  readonly text: string;
}

/** A file's text; null where there is no such file. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(faultCode(error))) return null;
    throw error;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ELOOP: 'its links lead in a circle',
  ENOSPC: 'no space is left',
  EROFS: 'nothing can be written there',
};

/** Why a file could not be read or written, in words. Completes "… cannot be read: ". */
export function reasonOf(error: unknown): string {
  return REASONS[faultCode(error)] ?? faultCode(error);
}

// What the system calls the fault; its message where it has no name.
function faultCode(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
