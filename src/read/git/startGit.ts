// The only file that starts git.
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { EndGroup } from '../environment.ts';
import { endWithProcess } from '../runningPrograms.ts';
import { remembered } from './rememberedAnswers.ts';

const LARGEST_ANSWER = 256 * 1024 * 1024;

/** The options of a command of git. */
export interface GitOptions {
  readonly input?: string | Uint8Array;
  /** In milliseconds. */
  readonly timeout?: number;
  /** Ends git when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Ends a group of processes. With this function, programs that git starts, such as ssh for a remote that does not answer, end
   * together with git.
   */
  readonly endGroup?: EndGroup | undefined;
}

/** The first arguments of a command: it runs in the folder `root`. */
export const inFolder = (root: string): string[] => ['-C', root, '--no-pager'];

/** The standard output of git. Rejects if git fails. */
export function startGit(
  args: readonly string[],
  options: GitOptions,
  env: Record<string, string>,
): Promise<Buffer> {
  const asked = args.slice(inFolder('').length);
  return remembered(asked, [args, options.input, env], () => start(args, options, env));
}

async function start(
  args: readonly string[],
  options: GitOptions,
  env: Record<string, string>,
): Promise<Buffer> {
  const { input = '', timeout = 0, signal, endGroup } = options;
  if (endGroup || signal) return startEnded(args, options, env);
  // Loaded here, because most runs do not start git.
  const { execFile } = await import('node:child_process');
  const running = promisify(execFile)('git', args, {
    maxBuffer: LARGEST_ANSWER,
    encoding: 'buffer',
    timeout,
    env,
  });
  endWithProcess(running.child);
  // git may end before it has read all input; its exit code gives the reason.
  running.child.stdin?.on('error', () => {});
  running.child.stdin?.end(input);
  const { stdout } = await running.catch((error: unknown) => {
    throw Object.assign(Object(error), { timeout });
  });
  return stdout;
}

// Starts a command that may be ended before it is done. With `endGroup`, git and its child processes form a separate group, which
// is ended as a whole, because a program that waits for a remote does not notice that git is gone. The result settles once all of
// them have ended.
async function startEnded(
  args: readonly string[],
  { input = '', timeout = 0, signal, endGroup }: GitOptions,
  env: Record<string, string>,
): Promise<Buffer> {
  const { spawn } = await import('node:child_process');
  const isGroup = endGroup !== undefined;
  const child = spawn('git', args, { env, detached: isGroup });
  endWithProcess(child, isGroup);
  let killed = false;
  let ending: Promise<void> | undefined;
  const end = (): void => {
    if (killed) return;
    killed = true;
    if (!isGroup) child.kill();
    else if (child.pid !== undefined) ending = Promise.resolve(endGroup(child.pid));
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const stdout = collected(child.stdout, end);
  const stderr = collected(child.stderr, end);
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = await codeOf(child, end, { timeout, signal });
  await ending;
  if (code === 0 && !killed) return stdout.all();
  throw Object.assign(new Error(`git ${args.join(' ')} failed`), {
    code: stdout.isTooLarge() || stderr.isTooLarge() ? 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER' : code,
    killed,
    timeout,
    isInterrupted: signal?.aborted === true,
    stdout: stdout.all(),
    stderr: stderr.all(),
  });
}

// The exit code of a program; null if a signal ended it. Calls `end` after the timeout, in milliseconds, or once the signal is aborted.
async function codeOf(
  child: ChildProcess,
  end: () => void,
  { timeout, signal }: Required<Pick<GitOptions, 'timeout'>> & Pick<GitOptions, 'signal'>,
): Promise<number | null> {
  const timer = timeout > 0 ? setTimeout(end, timeout) : undefined;
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  return new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  }).finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  });
}

function collected(stream: Readable, onTooLarge: () => void) {
  const chunks: Buffer[] = [];
  let size = 0;
  const isTooLarge = (): boolean => size > LARGEST_ANSWER;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (isTooLarge()) onTooLarge();
    else chunks.push(chunk);
  });
  return { all: () => Buffer.concat(chunks), isTooLarge };
}

/** Whether git is not installed. */
export const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'EACCES'].includes(Object(error).code);
