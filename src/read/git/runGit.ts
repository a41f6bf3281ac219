// Runs git in a folder, and explains its errors.
import { promisify } from 'node:util';
import { shellWord } from '../../model/text/shellWord.ts';

const LARGEST_ANSWER = 256 * 1024 * 1024;

/** The standard output of git. Throws if git fails; `gitFault` explains the error. */
export async function git(
  folder: string,
  args: readonly string[],
  { input = '', timeout = 0 }: { readonly input?: string; readonly timeout?: number } = {},
): Promise<Buffer> {
  // Most runs ask nothing of git: what starts programs is loaded here.
  const { execFile } = await import('node:child_process');
  const running = promisify(execFile)('git', ['-C', folder, ...args], {
    ...{ maxBuffer: LARGEST_ANSWER, encoding: 'buffer', timeout },
  });
  // git may end before it has read all input; its exit code tells why.
  running.child.stdin?.on('error', () => {});
  running.child.stdin?.end(input);
  return (await running).stdout;
}

/** Why git failed, and what to do about it. */
export interface GitFault {
  /** `missing`: git is not installed. `untrusted`: it refuses a repository of another user. */
  readonly is: 'missing' | 'untrusted' | 'other';
  /** Completes "…: ". */
  readonly why: string;
  readonly hint?: string;
}

/** The fault of a failed run of git. */
export function gitFault(error: unknown): GitFault {
  const { code, stderr, killed, message } = Object(error);
  if (code === 'ENOENT' || code === 'EACCES') {
    const why = 'git is not installed, or not on the PATH';
    return {
      is: 'missing',
      why,
      hint: 'install git, or use a folder as the base: --base ./FOLDER',
    };
  }
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return { is: 'other', why: 'the output of git is larger than 256 MB' };
  if (killed === true) return { is: 'other', why: 'git did not finish within 30 seconds' };
  const said = Buffer.isBuffer(stderr) ? stderr.toString('utf8') : String(message);
  // git translates its sentences, but not the command that it recommends.
  const [, home] = said.match(/safe\.directory[ =](.+)$/m) ?? [];
  if (home === undefined)
    return { is: 'other', why: said.split('\n')[0]?.replace(/^fatal: /, '') || 'git failed' };
  return {
    is: 'untrusted',
    why: 'dubious ownership: git refuses a repository that another user owns',
    hint: `run \`git config --global --add safe.directory ${shellWord(home)}\`, or run this command as its owner`,
  };
}
