// Whether a path exists, even as a broken link.
import { lstatSync } from 'node:fs';

/** Whether the path has an entry. Links are not followed. */
export function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
