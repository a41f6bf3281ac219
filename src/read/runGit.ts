// Runs git in a folder.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LARGEST_ANSWER = 256 * 1024 * 1024;

/** What git answers on stdout. Throws where it ends with a fault. */
export async function git(folder: string, args: readonly string[], input = ''): Promise<Buffer> {
  const running = run('git', ['-C', folder, ...args], {
    maxBuffer: LARGEST_ANSWER,
    encoding: 'buffer',
  });
  // Git may end before it has read all; what it says then is in its exit code.
  running.child.stdin?.on('error', () => {});
  running.child.stdin?.end(input);
  return (await running).stdout;
}
