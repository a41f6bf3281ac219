// `observe`: collects the traffic log into a store. Reads the account, writes nothing to it.
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { spanOf } from '../../model/text/duration.ts';
import type { CommandContext } from '../context.ts';
import { collect, withAccountFlags } from '../flags/flags.ts';
import type { ObserveFlags } from '../observe/observing.ts';

const EXAMPLES = `
Examples:
  meshform observe --store traffic/ --follow
  meshform observe --store traffic/ --keep 90d
  meshform observe --store traffic/ --from export.json
  meshform observe --store traffic/ --forget peer/annas-laptop`;

/** Adds the command. */
export function addObserve(program: Command, { io, finish }: CommandContext): void {
  const command = program
    .command('observe')
    .description('collect the traffic log into a folder, to see which access is used');
  withAccountFlags(command)
    .optionsGroup('Store:')
    .requiredOption('--store <folder>', 'folder of the store; only one run writes it at a time')
    .addOption(
      new Option('--keep <span>', 'how long flows are kept')
        .argParser(keepOf)
        .default(180 * DAY, '180d'),
    )
    .option('--people', 'keep the names of machines and people; without it, only ids are stored')
    .optionsGroup('What:')
    .addOption(
      new Option('--follow', 'look repeatedly, until interrupted').conflicts(['from', 'forget']),
    )
    .option('--interval <seconds>', 'seconds between two observations with --follow', seconds, 60)
    .addOption(
      new Option(
        '--from <file>',
        'store the records of an exported log, in JSON or with one record per line (`-`: stdin), instead of looking at the account; may be repeated',
      )
        .argParser(collect)
        .conflicts('forget'),
    )
    .option(
      '--forget <machine>',
      'delete everything that the store has about a machine, peer/NAME or id:ID; may be repeated',
      collect,
    )
    .addHelpText('after', EXAMPLES)
    .action(async (flags: ObserveFlags) => {
      const { observe } = await import('../observe/observing.ts');
      finish(await observe(flags, io));
    });
}

const DAY = 86_400_000;

/**
 * The minimum time for which records are kept. The server keeps the log for 7 days. If the store
 * deleted records earlier, it would collect them again.
 */
const SHORTEST = 8 * DAY;

function keepOf(text: string): number {
  const span = spanOf(text);
  if (span === null) throw new InvalidArgumentError('It must be a duration such as 90d or 26w.');
  if (span < SHORTEST)
    throw new InvalidArgumentError('It must be at least 8d: the server keeps the log 7 days.');
  return span;
}

function seconds(text: string): number {
  const given = /^\d{1,5}(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (given < 1 || given > 600)
    throw new InvalidArgumentError('It must be a number of seconds, from 1 to 600.');
  return given;
}
