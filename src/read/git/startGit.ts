// The only file that starts git.
import { promisify } from 'node:util';

const LARGEST_ANSWER = 256 * 1024 * 1024;

/** The options of a command of git. */
export interface GitOptions {
  readonly input?: string;
  /** In milliseconds. */
  readonly timeout?: number;
  /** Ends git when it is aborted. */
  readonly signal?: AbortSignal;
}

/** The first arguments of a command that runs in the folder `root`. */
export const inFolder = (root: string): string[] => ['-C', root, '--no-pager'];

/** The standard output of git. It rejects if git fails. */
export async function startGit(
  args: readonly string[],
  { input = '', timeout = 0, signal }: GitOptions,
  env: Record<string, string>,
): Promise<Buffer> {
  // Most runs ask nothing of git: what starts programs is loaded here.
  const { execFile } = await import('node:child_process');
  const running = promisify(execFile)('git', args, {
    maxBuffer: LARGEST_ANSWER,
    encoding: 'buffer',
    timeout,
    env,
    ...(signal && { signal }),
  });
  // git may end before it has read all input; its exit code tells why.
  running.child.stdin?.on('error', () => {});
  running.child.stdin?.end(input);
  return (await running).stdout;
}

/** Whether there is no git. */
export const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'EACCES'].includes(Object(error).code);
