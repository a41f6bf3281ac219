// The files of a folder as they are, and what became of them since: texts that are new, and files that are others.
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { inflateSync } from 'node:zlib';

/** The content of every file below a folder, by its path; links are not followed. `isLeftOut` says which folders do not count. */
export function filesIn(
  folder: string,
  isLeftOut: (path: string) => boolean = () => false,
): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  const walk = (inner: string) => {
    for (const name of readdirSync(inner)) {
      const path = join(inner, name);
      const at = relative(folder, path);
      if (isLeftOut(at)) continue;
      const entry = lstatSync(path);
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) found.set(at, readFileSync(path));
    }
  };
  walk(folder);
  return found;
}

/** What is new or changed. */
export function changedSince(
  before: ReadonlyMap<string, Buffer>,
  now: ReadonlyMap<string, Buffer>,
): ReadonlyMap<string, string> {
  return new Map(
    [...now].flatMap(([path, bytes]) =>
      before.get(path)?.equals(bytes) ? [] : [[path, textOf(path, bytes)] as const],
    ),
  );
}

// git packs its objects.
function textOf(path: string, bytes: Buffer): string {
  if (!/(?:^|\/)objects\/[\da-f]{2}\/[\da-f]{38}$/.test(path)) return bytes.toString('utf8');
  return inflateSync(bytes).toString('utf8');
}
