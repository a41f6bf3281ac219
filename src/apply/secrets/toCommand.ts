// Passes each secret to the standard input of a command. The output of the command is not shown, because it may contain
// the secret.
import { spawn } from 'node:child_process';
import { foreignEnvironment } from '../../read/environment.ts';
import type { KeepSecret } from '../port.ts';
import type { PlaceHost } from './placeHost.ts';
import type { PlaceKind } from './placeKind.ts';
import { secretLine } from './toFile.ts';

/** The time limit of a command, in milliseconds. */
const LONGEST = 60_000;

/** `exec:COMMAND`: runs the command in a shell once for each secret. */
export const toCommand: PlaceKind<{ readonly to: 'exec'; readonly command: string }> = {
  forms: ['exec:COMMAND'],
  parse: command => (command?.trim() ? { to: 'exec', command } : null),
  open: ({ command }, _, host) => run(command, host),
};

function run(command: string, host: PlaceHost): KeepSecret {
  return secret =>
    new Promise(settle => {
      const running = spawn(command, {
        shell: true,
        cwd: host.cwd,
        env: foreignEnvironment(host),
        timeout: LONGEST,
        stdio: ['pipe', 'ignore', 'ignore'],
        // After an interrupt, running actions are still completed. The command belongs to an
        // action, so it must not be interrupted.
        detached: true,
      });
      running.on('error', ({ message }) => settle(`the command cannot be run: ${message}`));
      running.on('close', (code, signal) => settle(failure(code, signal)));
      // If the command does not read its input, its exit code shows whether it succeeded.
      running.stdin.on('error', () => {});
      running.stdin.end(secretLine(secret));
    });
}

function failure(code: number | null, signal: string | null): string | null {
  if (code === 0) return null;
  return code === null
    ? `the command was ended by ${signal}`
    : `the command exited with code ${code}`;
}
