// Files that are none: pipes and devices, made where a test may break them.
import { execFileSync } from 'node:child_process';

/** Makes a pipe at `path`. */
export function pipe(path: string): void {
  execFileSync('mknod', [path, 'p']);
}

/** Whether this user may make devices. */
export const mayMakeDevices = process.getuid?.() === 0;

/** Makes a device at `path` that is always full. */
export function device(path: string): void {
  execFileSync('mknod', [path, 'c', '1', '7']);
}
