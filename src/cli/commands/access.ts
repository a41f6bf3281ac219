// `access`: who can reach what, judged from files, from the live account, or from saved answers.
import type { Command } from 'commander';
import type { AccessFlags } from '../accessing.ts';
import type { CommandContext } from '../context.ts';
import { withAccountFlags, withFormat, withSourceFlags } from '../flags.ts';

const EXAMPLES = `
Examples:
  meshform access --state - --format ndjson < accounts.ndjson`;

/** Adds the command. */
export function addAccess(program: Command, { io, finish }: CommandContext): void {
  const command = program
    .command('access')
    .argument('[words...]')
    .description('show who can reach what');
  withFormat(withAccountFlags(withSourceFlags(command)), [
    'text',
    'json',
    'markdown',
    'csv',
    'ndjson',
  ])
    .optionsGroup('State:')
    .option('--state <file>', 'judge saved answers of an account (`export --state`); - for stdin')
    .addHelpText('after', EXAMPLES)
    .action(async (words: readonly string[], flags: AccessFlags) => {
      const { showAccess } = await import('../accessing.ts');
      finish(await showAccess(words, flags, io));
    });
}
