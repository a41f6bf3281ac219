// The only file that starts git.
import type { EndGroup } from '../environment.ts';
import { outputOf } from '../programs/startProgram.ts';
import { remembered } from './rememberedAnswers.ts';

/** In bytes. */
const LARGEST_OUTPUT = 256 * 1024 * 1024;

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
  const { input = '', timeout = 0, ...limits } = options;
  const program = { file: 'git', args, env, input, largestOutput: LARGEST_OUTPUT };
  return remembered(asked, [args, options.input, env], () =>
    outputOf(program, { timeout, ...limits }),
  );
}

/** Whether git is not installed. */
export const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'EACCES'].includes(Object(error).code);
