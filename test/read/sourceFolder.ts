// A folder that a test writes, and what reading it gives and says.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { expect } from 'vitest';
import { readFolder } from '../../src/read/files/folder.ts';

export const read = (folder: string, path = '.', exclude: readonly string[] = []) =>
  readFolder(
    join(folder, path),
    { projectFile: 'meshform.yaml', exclude },
    file => relative(folder, file) || '.',
  );

/** The names that are read, and what is said of the others. */
export async function said(folder: string, path = '.', exclude: readonly string[] = []) {
  const { files, diagnostics } = await read(folder, path, exclude);
  for (const { code, hint } of diagnostics) {
    expect(code).toBe('SOURCE_UNREADABLE');
    expect(hint).toContain('`exclude`');
  }
  return {
    files: files.map(({ file, text: content }) => `${file}: ${content}`),
    faults: diagnostics.map(({ message }) => message),
  };
}

export async function write(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}
