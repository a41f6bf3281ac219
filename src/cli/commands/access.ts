// `access`: shows who can reach what, according to files, the live account, or saved answers.
import { type Command, Option } from 'commander';
import type { AccessFlags } from '../access/accessing.ts';
import type { CommandContext } from '../context.ts';
import { withAccountFlags, withFormat, withSourceFlags } from '../flags/flags.ts';
import { lifetime } from '../flags/lifetime.ts';
import { moment } from '../flags/moment.ts';
import { refuseStore, type StoreFlags } from '../flags/storeFlags.ts';

const EXAMPLES = `
Examples:
  meshform access from group/on-call
  meshform access to network_resource/production/orders-db:tcp/5432 --live
  meshform access from group/on-call to group/bastions:tcp/22 --why network/
  meshform access from all --live --format graphml > access.graphml
  meshform access used group/contractors --store traffic --since 30d
  meshform access --html access.html network/
  meshform access --state - --format ndjson < accounts.ndjson`;

/** Adds the command. */
export function addAccess(program: Command, { io, finish }: CommandContext): void {
  const command = program
    .command('access')
    .argument(
      '[question...]',
      'from SELECTOR, to SELECTOR, or both; then a folder or file, by default .; several are layers. Or: used [SELECTOR...]',
    )
    .description('show who can reach what');
  withFormat(withAccountFlags(withSourceFlags(command)), [
    'text',
    'json',
    'markdown',
    'csv',
    'graphml',
    'ndjson',
  ])
    .option('--html <file>', 'write an HTML page with a matrix of who reaches what; - for stdout')
    .option('--force', 'allow --html to replace a file that is not a page');
  addStateOptions(command.optionsGroup('State:'));
  addUseOptions(command.optionsGroup('Use:'));
  command
    .addHelpText('after', EXAMPLES)
    .action(async (words: readonly string[], flags: AccessFlags & StoreFlags) => {
      const [first, ...selectors] = words;
      if (first === 'used') {
        const { showUsedAccess } = await import('../usage/showUsedAccess.ts');
        return finish(await showUsedAccess(selectors, flags, io));
      }
      if (flags.html === undefined || flags.format === 'ndjson') refuseStore(flags);
      const { observedFrom } = await import('../usage/observedFrom.ts');
      const observed = await observedFrom(flags, io);
      const { showAccess } = await import('../access/accessing.ts');
      finish(await showAccess(words, { ...flags, observed }, io));
    });
}

function addStateOptions(command: Command): void {
  command
    .addOption(new Option('--live', 'use the account instead of the files').conflicts('state'))
    .option('--state <file>', 'use a saved account (`export --state`); - for stdin')
    .addOption(
      new Option('--at <time>', 'judge the files as they are at this time; default: now')
        .argParser(moment)
        .conflicts(['live', 'state']),
    )
    .option('--why', 'show the reason for missing access');
}

function addUseOptions(command: Command): void {
  command
    .option(
      '--store <folder>',
      'for `used` and `--html`: the traffic that `meshform observe` collected',
    )
    .option(
      '--since <span>',
      'with --store: only this duration up to the last observation, such as 30d',
      lifetime,
    );
}
