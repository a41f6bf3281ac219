// A PATH on which git takes every repository for one of another user.
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Writes a `git` into `folder` that finds another owner everywhere, and returns the PATH on which it comes before that of `path`. */
export async function pathWithStrictGit(
  folder: string,
  path: string | undefined = process.env.PATH,
): Promise<string> {
  const PATH = path ?? '/usr/bin:/bin';
  const script = `#!/bin/sh\nPATH='${PATH}'\nexport GIT_TEST_ASSUME_DIFFERENT_OWNER=1\nexec git "$@"\n`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'git'), script);
  await chmod(join(folder, 'git'), 0o755);
  return [folder, PATH].join(delimiter);
}
