// `emulator`: the Management API on this machine, until it is interrupted.
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { withFormat } from '../flags.ts';
import { Stop } from '../stop.ts';

interface Flags {
  readonly port: number;
  readonly token?: string;
  readonly dialect: 'spec' | 'netbird';
  readonly controls?: boolean;
  readonly format: 'text' | 'json';
}

/** Adds the command. */
export function addEmulator(program: Command, { io, finish }: CommandContext): void {
  const command = program
    .command('emulator')
    .description('run the Management API on this machine, with a new account')
    .optionsGroup('Emulator:')
    .option('--port <number>', 'the port on loopback; 0 is a free one', portNumber, 0)
    .option(
      '--token <text>',
      'the token that opens the account; one is made up where none is given',
    )
    .addOption(
      new Option('--dialect <name>', 'the dialect to speak')
        .choices(['spec', 'netbird'])
        .default('spec'),
    )
    .option('--controls', 'offer the operations under /emulator, with a token of their own');
  withFormat(command, ['text', 'json'])
    .addHelpText(
      'after',
      '\nExamples:\n  meshform emulator --port 8080\n  meshform emulator --format json',
    )
    .action(async (flags: Flags) => {
      const { startEmulator } = await import('../../emulator/index.ts');
      const emulator = await startEmulator(flags).catch((error: NodeJS.ErrnoException) => {
        throw new Stop(
          EXIT.failed,
          `the emulator cannot listen on port ${flags.port}: ${error.message}`,
        );
      });
      const { url, token, controlsToken } = emulator;
      const controls = flags.controls ? { controls_token: controlsToken } : {};
      if (flags.format === 'json')
        io.stdout.write(`${JSON.stringify({ url, token, ...controls })}\n`);
      else io.stdout.write(welcome(url, token, flags.controls ? controlsToken : undefined));
      await new Promise<void>(resolve => {
        const release = io.onInterrupt(() => {
          release();
          resolve();
        });
      });
      await emulator.close();
      finish(EXIT.done);
    });
}

function welcome(url: string, token: string, controlsToken: string | undefined): string {
  const controls = controlsToken === undefined ? '' : `\n  controls  ${controlsToken}`;
  return `The emulator is ready. Stop it with Ctrl-C.

  url       ${url}
  token     ${token}${controls}

In another terminal:

  export MESHFORM_URL=${url}
  export MESHFORM_TOKEN=${token}
  meshform plan
`;
}

function portNumber(value: string): number {
  if (!/^\d+$/.test(value) || Number(value) > 65535) {
    throw new InvalidArgumentError('It must be a port from 0 to 65535.');
  }
  return Number(value);
}
