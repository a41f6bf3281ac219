// Finds submodules that are not checked out. Their folders are empty, so their declarations would look removed.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { readConfined } from './confined.ts';

/** The paths of the submodules below `home` that are not checked out; '' for `home` itself. */
export function missingSubmodules(home: string): string[] {
  for (let folder = home; ; folder = dirname(folder)) {
    const list = readConfined(folder, join(folder, '.gitmodules'));
    if ('text' in list) return missingIn(home, folder, list.text);
    if (existsSync(join(folder, '.git')) || dirname(folder) === folder) return [];
  }
}

function missingIn(home: string, root: string, list: string): string[] {
  return pathsIn(list)
    .map(path => relative(home, join(root, path)).split(sep).join('/'))
    .filter(path => path.split('/')[0] !== '..' && isEmptyFolder(join(home, path)));
}

// `path = "network/shared"`, as git writes it: with quotes if the path needs them.
function pathsIn(list: string): string[] {
  return [...list.matchAll(/^[ \t]*path[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\r\n]*))/gim)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll(/\\(.)/g, '$1') ?? plain.trim(),
  );
}

/** Whether a folder has no entries, or does not exist. */
export function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
