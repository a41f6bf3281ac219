// `emulator`: serves the Management API on this machine until it is interrupted.
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../context.ts';
import type { EmulatorFlags } from '../emulator/emulating.ts';
import { EXIT } from '../exitCodes.ts';
import { portNumber, withFormat } from '../flags/flags.ts';
import { withVariables } from '../flags/variableFlags.ts';

const EXAMPLES = `
Examples:
  meshform emulator --port 8080
  meshform emulator --account network/ --db rehearsal.db
  meshform emulator --dialect netbird --edition self-hosted
  meshform emulator --controls --bearer-tokens --format json
  meshform emulator --rate-limit 120/1200 --shuffle
  meshform emulator --accounts 13 --msp --rate-limit 120/1200`;

/** Adds the command. */
export function addEmulator(program: Command, { io, finish }: CommandContext): void {
  const command = program
    .command('emulator')
    .description('run an emulator of the Management API on this machine, with a new account');
  addServerOptions(command.optionsGroup('Server:'));
  addDataOptions(command.optionsGroup('Data:'));
  addTestOptions(command.optionsGroup('For tests:'));
  withFormat(withVariables(command.optionsGroup('Desired state:')), ['text', 'json'])
    .addHelpText('after', EXAMPLES)
    .action(async (flags: EmulatorFlags) => {
      const { interrupted, machineLine, startFor, welcome } = await import(
        '../emulator/emulating.ts'
      );
      const end = interrupted(io);
      const emulator = await startFor(flags, io);
      try {
        io.stdout.write(
          flags.format === 'json' ? machineLine(emulator, flags) : welcome(emulator, flags),
        );
        await end;
      } finally {
        await emulator.close();
      }
      finish(EXIT.done);
    });
}

function addServerOptions(command: Command): void {
  command
    .option('--port <number>', 'port on loopback; 0 chooses a free port', portNumber, 0)
    .option('--token <text>', 'API token of the account; generated if omitted', oneWord)
    .addOption(choice('--dialect <name>', 'the dialect to speak', ['spec', 'netbird']))
    .addOption(choice('--edition <name>', 'the edition of the server', ['cloud', 'self-hosted']))
    .option('--bearer-tokens', 'accept bearer tokens, which the controls create')
    .addOption(
      choice('--sign-in <provider>', 'the identity provider', ['embedded', 'external', 'none']),
    )
    .option(
      '--rate-limit <requests[/burst]>',
      'requests per minute for each token, and the burst after a pause',
      rateLimit,
    )
    .addOption(
      choice('--deliver <where>', 'where webhooks and event streams may connect to', [
        'loopback',
        'anywhere',
      ]),
    );
}

function addDataOptions(command: Command): void {
  command
    .option('--db <file>', 'store all data in this SQLite file; in memory if omitted')
    .option('--snapshot <file>', 'start with a snapshot taken through the controls')
    .option('--account <path>', 'start with the desired state in a folder or file')
    .option('--accounts <number>', 'minimum number of accounts', accountNumber, 1)
    .option('--msp', 'the first account is a managed service provider, the others its tenants')
    .addOption(
      new Option(
        '--tenant-snapshot <file>',
        'each new tenant starts like the first account of a snapshot; implies --msp',
      ).implies({ msp: true }),
    );
}

function addTestOptions(command: Command): void {
  command
    .option('--controls', 'serve the operations under /emulator, with a separate token')
    .addOption(
      new Option('--controls-token <text>', 'token of the controls; turns the controls on')
        .argParser(oneWord)
        .implies({ controls: true }),
    )
    .option('--stub <file>', 'answer other paths with the responses in this JSON file')
    .option('--request-log <file>', 'append a line of JSON to this file for each request')
    .option('--shuffle', 'return lists in random order, as a server may');
}

/** An option whose first choice is the default. */
function choice(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices([...choices]).default(choices[0]);
}

function oneWord(value: string): string {
  if (!/^\S+$/.test(value)) throw new InvalidArgumentError('It must be a single word.');
  return value;
}

function accountNumber(value: string): number {
  if (!/^[1-9]\d{0,2}$/.test(value))
    throw new InvalidArgumentError('It must be a number from 1 to 999.');
  return Number(value);
}

function rateLimit(value: string): NonNullable<EmulatorFlags['rateLimit']> {
  const [, requests, burst] = value.match(/^([1-9]\d*)(?:\/([1-9]\d*))?$/) ?? [];
  if (requests === undefined)
    throw new InvalidArgumentError('It must be a number, or two such as 120/1200.');
  return { requestsPerMinute: Number(requests), burst: Number(burst ?? requests) };
}
