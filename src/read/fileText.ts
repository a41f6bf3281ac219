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

/** What the system calls the fault; its message where it has no name. */
export function faultCode(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
