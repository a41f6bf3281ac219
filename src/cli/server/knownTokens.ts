// Adds the token and the keys of meshform to the known secrets before the command begins. This is
// early because git may start before the connection, a variable of the job may contain the same
// token, and a message about a wrong setting may show it.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ownSecretValues } from '../../read/environment.ts';
import type { Io } from '../io.ts';

/**
 * The minimum length, in characters. A shorter value is probably a placeholder, and may occur as a
 * part of any word in a message.
 */
const SHORTEST = 8;

/**
 * Makes every command of a program add to the known secrets: the values of meshform's secret
 * variables, and the token in `--token-file`. An unreadable file is reported later.
 */
export function knowTokens(program: Command, { cwd, env, secrets }: Io): void {
  program.hook('preAction', async (_, command) => {
    for (const value of ownSecretValues(env)) if (value.length >= SHORTEST) secrets.add(value);
    const { tokenFile } = command.opts<{ readonly tokenFile?: string }>();
    if (tokenFile === undefined) return;
    const { readIfThere } = await import('../../read/files/fileText.ts');
    // A pipe can be read only once, so only regular files are read here.
    const text = await readIfThere(resolve(cwd, tokenFile)).catch(() => null);
    secrets.add(text?.trim() ?? '');
  });
}
