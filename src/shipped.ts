// The files that are shipped with meshform: schemas, the contract, examples, the script and style of pages. In the single
// executable they are assets; otherwise they are in the folder above this file, for `src/` and `dist/` alike.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
// Imported as a namespace: Node before 24.8 has no `getAssetKeys`, and only the executable, which contains its own Node, calls
// it.
import * as sea from 'node:sea';
import { fileURLToPath } from 'node:url';

/** The text of a shipped file, by its path from the root of the package. */
export function shippedText(path: string): string {
  return sea.isSea() ? sea.getAsset(path, 'utf8') : readFileSync(new URL(path, root()), 'utf8');
}

/** The address of a shipped file, by its path from the root of the package; null in the single executable, which has no files. */
export function shippedFile(path: string): URL | null {
  return sea.isSea() ? null : new URL(path, root());
}

/** The paths of all files in a shipped folder and the folders in it, from the root of the package, sorted. */
export function shippedFiles(folder: string): readonly string[] {
  if (sea.isSea())
    return sea
      .getAssetKeys()
      .filter(path => path.startsWith(`${folder}/`))
      .sort();
  return readdirSync(new URL(folder, root()), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(fileURLToPath(root()), join(entry.parentPath, entry.name)))
    .map(path => path.split(sep).join('/'))
    .sort();
}

const root = (): URL => new URL('../', import.meta.url);
