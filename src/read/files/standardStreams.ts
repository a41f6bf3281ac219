// Whether a path leads to where the output of this process goes: a shell may have opened the same file twice.
import { type BigIntStats, fstatSync, statSync } from 'node:fs';

const STREAMS: readonly (readonly [descriptor: number, name: string])[] = [
  [1, 'the standard output'],
  [2, 'the standard error'],
];

/**
 * The stream of this process that writes to the file or the pipe at `path`; undefined if none does. What is written by both ways is
 * mixed, or one overwrites the other. A terminal and `/dev/null` may be both.
 */
export function standardStreamAt(path: string): string | undefined {
  const found = statsOf(() => statSync(path, { bigint: true }));
  if (!found?.isFile() && !found?.isFIFO()) return undefined;
  const [, name] =
    STREAMS.find(([descriptor]) => {
      const stream = statsOf(() => fstatSync(descriptor, { bigint: true }));
      return stream?.dev === found.dev && stream.ino === found.ino;
    }) ?? [];
  return name;
}

// A stream may be closed, and whoever opens a path that cannot be looked at says why.
function statsOf(look: () => BigIntStats): BigIntStats | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
