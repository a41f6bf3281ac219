// `events`: prints the logs of the account, once or continuously. Read-only.
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { LogName } from '../../api/events/logs.ts';
import type { CommandContext } from '../context.ts';
import type { EventFlags } from '../events/eventRequest.ts';
import { withServerFlags } from '../flags/flags.ts';

const LOGS: Readonly<Record<LogName, string>> = {
  audit: 'changes of the account and who made them; the server shows the newest 10,000 events',
  traffic: 'traffic between peers; a flow appears again with each of its events',
  proxy: 'requests to the reverse proxy',
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
  // The filters come from the contract. They are loaded only for the help of this command.
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
      'only events since this time or for this duration: 2026-01-31T12:00:00Z, 2h',
    )
    .option('--until <time|span>', 'only events up to this time')
    .addOption(
      new Option('--follow', 'continue with new events, oldest first, until interrupted').conflicts(
        'until',
      ),
    )
    .option('--interval <seconds>', 'seconds between two requests with --follow', pause, 5)
    .option(
      '--grace <seconds>',
      'how late an event may be logged and still be printed in order',
      seconds,
      2,
    )
    .addOption(
      new Option(
        '--format <name>',
        'output format: jsonl has one event per line; the default at a terminal is a table',
      ).choices(['jsonl', 'table']),
    );
}

function pause(text: string): number {
  const given = seconds(text);
  if (given < 0.1) throw new InvalidArgumentError('It must be at least 0.1.');
  return given;
}

function seconds(text: string): number {
  if (!/^\d{1,5}(\.\d{1,3})?$/.test(text))
    throw new InvalidArgumentError('It must be a number of seconds.');
  return Number(text);
}
