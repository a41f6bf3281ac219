// The program as a process, for checks that are no tests of the suite.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The file that starts it. */
export const LAUNCHER = fileURLToPath(new URL('../../../bin/meshform.js', import.meta.url));

/** Runs it in a folder, with more in its environment; resolves to what it says on stdout, and throws where it fails. */
export async function meshform(
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [LAUNCHER, ...argv], {
    cwd,
    env: { ...process.env, ...env },
  });
  return stdout;
}
