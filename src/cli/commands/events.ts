// `events`: the logs of the account, all of them or on and on. Read-only.
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { LogName } from '../../api/events/logs.ts';
import type { CommandContext } from '../context.ts';
import type { EventFlags } from '../events/eventRequest.ts';
import { withServerFlags } from '../flags/flags.ts';

const LOGS: Readonly<Record<LogName, string>> = {
  audit: 'who changed what in the account; the server shows the newest 10,000 events',
  traffic: 'which peers talked to which; a flow is told again with each thing that happens to it',
  proxy: 'what the reverse proxy was asked for',
};

const EXAMPLES = `
Examples:
  meshform events audit --since 7d
  meshform events audit --follow --format jsonl > audit.jsonl
  meshform events proxy --since 2026-01-31T12:00:00Z`;

/** Adds the command. */
export function addEvents(program: Command, { io, finish }: CommandContext): void {
  const events = program
    .command('events')
    .description('read or follow the logs of the account')
    .addHelpText('after', EXAMPLES);
  // The filters come from the contract, which is read for nothing else: not for the help of other commands.
  events.hook('preSubcommand', async (_, command) => {
    const { addFilters } = await import('../events/eventFlags.ts');
    addFilters(command, logOf(command));
  });
  for (const [log, description] of Object.entries(LOGS)) {
    const command = events.command(log).description(description);
    withTimes(withServerFlags(command)).action(async (flags: EventFlags) => {
      const { filtersFrom } = await import('../events/eventFlags.ts');
      const { showEvents } = await import('../events/events.ts');
      const own = logOf(command);
      finish(await showEvents(own, filtersFrom(command, own), flags, io));
    });
  }
}

const logOf = (command: Command): LogName => {
  const name = command.name();
  return name === 'traffic' || name === 'proxy' ? name : 'audit';
};

function withTimes(command: Command): Command {
  return command
    .optionsGroup('Events:')
    .option(
      '--since <time|span>',
      'only from then on, or from so long ago: 2026-01-31T12:00:00Z, 2h',
    )
    .option('--until <time|span>', 'only up to then')
    .addOption(
      new Option('--follow', 'go on with new events, oldest first, until interrupted').conflicts(
        'until',
      ),
    )
    .option('--interval <seconds>', 'between two questions when following', pause, 5)
    .option(
      '--grace <seconds>',
      'how late an event may be logged and still be in order',
      seconds,
      2,
    )
    .addOption(
      new Option(
        '--format <name>',
        'jsonl is an event a line; a terminal gets a table by default',
      ).choices(['jsonl', 'table']),
    );
}

function pause(text: string): number {
  const given = seconds(text);
  if (given < 0.1) throw new InvalidArgumentError('It must be 0.1 at least.');
  return given;
}

function seconds(text: string): number {
  if (!/^\d{1,5}(\.\d{1,3})?$/.test(text))
    throw new InvalidArgumentError('It must be a number of seconds.');
  return Number(text);
}
