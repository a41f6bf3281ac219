// Locates meshform and runs it. Its standard output is captured and shown in the log. Its standard error goes only to the log and
// the runner, because it may contain commands for the runner, such as masks of new secrets, and text that is not for comments.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Interrupts } from './interrupts.ts';
import { InputError } from './settings.ts';

/** The result of a program. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
}

/**
 * The script that starts meshform: from the packed version that an earlier step has installed, if one is requested, otherwise
 * from this checkout.
 */
export function programOf(env: NodeJS.ProcessEnv, checkout: string): string {
  const { INPUT_VERSION: version, MESHFORM_PACKED: packed } = env;
  if (!version) return join(checkout, 'bin/meshform.js');
  if (!packed) throw new InputError('the input `version` names a version that was not installed');
  return join(packed, 'node_modules/meshform/bin/meshform.js');
}

/**
 * Runs a program until it ends. Interrupts are forwarded to it, and the action waits for it: an interrupted apply writes its
 * journal.
 */
export function runProgram(
  command: string,
  args: readonly string[],
  { cwd, env, interrupts }: { cwd: string; env: NodeJS.ProcessEnv; interrupts: Interrupts },
): Promise<Ended> {
  interrupts.signal.throwIfAborted();
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const release = interrupts.forwardTo(child);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    process.stdout.write(text);
  });
  return new Promise<Ended>((settle, reject) => {
    child.on('error', reject);
    child.on('close', code => settle({ code: code ?? 1, stdout }));
  }).finally(release);
}
