// Whether a path leads to where the output of this process goes: a shell may have opened the same file twice.
import { fstatSync, statSync } from 'node:fs';

const STREAMS: readonly (readonly [descriptor: number, name: string])[] = [
  [1, 'the standard output'],
  [2, 'the standard error'],
];

/**
 * The stream of this process that writes to the file or the pipe at `path`; undefined if none does. What is written by both ways is
 * mixed, or one overwrites the other. A terminal and `/dev/null` may be both.
 */
export function standardStreamAt(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (!found?.isFile() && !found?.isFIFO()) return undefined;
  const [, name] =
    STREAMS.find(([descriptor]) => {
      const stream = statsOf(descriptor);
      return stream?.dev === found.dev && stream.ino === found.ino;
    }) ?? [];
  return name;
}

// A stream may be closed.
function statsOf(descriptor: number) {
  try {
    return fstatSync(descriptor, { bigint: true });
  } catch {
    return undefined;
  }
}
