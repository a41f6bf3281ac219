// Secrets to a command, each on the standard input of one run. What the command says is not shown: it may say the secret.
import { spawn } from 'node:child_process';
import { foreignEnvironment } from '../../read/environment.ts';
import type { KeepSecret } from '../run/port.ts';
import type { PlaceHost } from './placeHost.ts';
import { secretLine } from './toFile.ts';

/** Milliseconds. */
const LONGEST = 60_000;

/** Hands each secret to a run of `command` in a shell. */
export function toCommand(command: string, { cwd, env }: PlaceHost): KeepSecret {
  return secret =>
    new Promise(settle => {
      const running = spawn(command, {
        ...{ shell: true, cwd, env: foreignEnvironment(env), timeout: LONGEST },
        stdio: ['pipe', 'ignore', 'ignore'],
        // An interrupt lets what is under way be finished, and this is.
        detached: true,
      });
      running.on('error', ({ message }) => settle(`the command cannot be run: ${message}`));
      running.on('close', (code, signal) => settle(failure(code, signal)));
      // A command that does not read ends as it ends: its exit code says how.
      running.stdin.on('error', () => {});
      running.stdin.end(secretLine(secret));
    });
}

function failure(code: number | null, signal: string | null): string | null {
  if (code === 0) return null;
  return code === null ? `the command was ended by ${signal}` : `the command ended with ${code}`;
}
