// Finds out whether the output of this process goes to a path: a shell may have opened the file
// that a command is asked to write.
import { type BigIntStats, fstatSync, statSync } from 'node:fs';

const STREAMS: readonly (readonly [descriptor: number, name: string])[] = [
  [1, 'the standard output'],
  [2, 'the standard error'],
];

/**
 * The name of the stream of this process that writes to the file or the pipe at `path`; undefined if no stream does. If both were
 * written, their texts would be mixed, or one would overwrite the other. A terminal and `/dev/null` are allowed.
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

// The stats of an entry; undefined for a closed stream or a path that cannot be examined. Opening such a path later reports the
// reason.
function statsOf(look: () => BigIntStats): BigIntStats | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
