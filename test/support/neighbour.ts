// Another user of the machine, who has prepared something.
import { chownSync, lchownSync } from 'node:fs';

/** Whether a test may give files away. */
export const mayGiveAway = process.getuid?.() === 0;

/** The id of another user. */
export const NEIGHBOUR = 65_534;

/** Makes the neighbour the owner of files. */
export function give(...paths: readonly string[]): void {
  for (const path of paths) chownSync(path, NEIGHBOUR, NEIGHBOUR);
}

/** The same for a link itself. */
export const giveLink = (path: string): void => lchownSync(path, NEIGHBOUR, NEIGHBOUR);
