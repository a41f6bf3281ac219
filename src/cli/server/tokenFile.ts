// The token of `--token-file` is known before the command begins: git may start earlier than the connection, and a variable of
// the job may have the same token.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Io } from '../io.ts';

/** Makes every command of a program know the token in its `--token-file`. A file that cannot be read is an error later. */
export function knowTokenFile(program: Command, { cwd, secrets }: Io): void {
  program.hook('preAction', async (_, command) => {
    const { tokenFile } = command.opts<{ readonly tokenFile?: string }>();
    if (tokenFile === undefined) return;
    const { readIfThere } = await import('../../read/files/fileText.ts');
    // A pipe can be read only once, so only regular files are read here.
    const text = await readIfThere(resolve(cwd, tokenFile)).catch(() => null);
    secrets.add(text?.trim() ?? '');
  });
}
