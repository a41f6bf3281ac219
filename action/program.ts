// Locates meshform and runs it. Its standard output is captured and shown in the log. Its standard error is for the log and the
// runner alone: it may hold the runner's commands, such as the masks of new secrets, and what was not rendered for a comment.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The result of a program. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
}

/** The temporary folder of this job. */
export function jobFolder(env: NodeJS.ProcessEnv): string {
  const folder = join(env.RUNNER_TEMP || '/tmp', 'meshform');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The script that starts meshform: of a packed version if that is requested, otherwise of this checkout. */
export const programOf = (env: NodeJS.ProcessEnv, checkout: string): string =>
  env.INPUT_VERSION
    ? join(jobFolder(env), 'packed/node_modules/meshform/bin/meshform.js')
    : join(checkout, 'bin/meshform.js');

/**
 * Runs a program until it ends. Signals are forwarded to it, and the action waits for it: an interrupted apply writes its
 * journal.
 */
export function runProgram(
  command: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<Ended> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGINT', forward).on('SIGTERM', forward);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    process.stdout.write(text);
  });
  return new Promise((settle, reject) => {
    child.on('error', reject);
    child.on('close', code => {
      process.off('SIGINT', forward).off('SIGTERM', forward);
      settle({ code: code ?? 1, stdout });
    });
  });
}
