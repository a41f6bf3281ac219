// The company that demonstrations use: a copy of its files, and its own emulator.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Agent } from 'undici';
import { type WriteTransport, writeTransport } from '../../api/transport/transport.ts';
import { type EmulatorOptions, startEmulator } from '../../emulator/index.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { temporaryFolder } from '../../read/files/temporaryFolder.ts';
import { shippedFiles, shippedText } from '../../shipped.ts';
import { styleFor } from '../colour.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';

const COMPANY = 'examples/company';

/** The folder of the company's files, relative to the folder of a demonstration. */
export const FOLDER = 'company';

/**
 * The secrets of the example's webhooks. A real company keeps such secrets outside its repository.
 */
const SECRETS = { HELPDESK_TOKEN: 'demo', HELPDESK_QUEUE_KEY: 'demo', CHAT_AUTHORIZATION: 'demo' };

/** The program whose commands a demonstration runs. */
export type DemoProgram = Pick<CommandContext, 'version' | 'run'>;

/** The inputs of a demonstration. */
export interface DemoCompany {
  /** The effects of the company's commands. Their folder and their account are temporary. */
  readonly io: Io;
  /** The account, for requests that no command sends. */
  readonly account: WriteTransport;
  /** The controls of the emulator, if it has controls. */
  readonly controls: WriteTransport;
}

/** Calls `use` with a new company, which is deleted afterwards. */
export async function withDemoCompany(
  io: Io,
  options: EmulatorOptions,
  use: (company: DemoCompany) => Promise<number>,
): Promise<number> {
  const emulator = await startEmulator(options);
  const scratch = await temporaryFolder('meshform-demo-');
  const agent = new Agent();
  try {
    const { url, token, controlsToken } = emulator;
    // The demonstration must never reach a real account, whatever the environment contains.
    const account = { MESHFORM_URL: url, MESHFORM_TOKEN: token };
    const env = {
      ...io.env,
      ...SECRETS,
      ...account,
      MESHFORM_JOURNALS: join(scratch, 'journals'),
    };
    // The files are copied to the temporary folder. Elsewhere, a project file above the example
    // could apply to it and name another server.
    await copyCompany(scratch);
    const transport = { ...io, url, dispatcher: agent };
    return await use({
      io: { ...io, env, cwd: scratch },
      account: writeTransport({ ...transport, token }),
      controls: writeTransport({ ...transport, token: controlsToken }),
    });
  } finally {
    await agent.close();
    await emulator.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

async function copyCompany(folder: string): Promise<void> {
  for (const path of shippedFiles(COMPANY).filter(path => !path.includes('/.'))) {
    const target = join(folder, path.replace(COMPANY, FOLDER));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, shippedText(path));
  }
}

/** The steps of a demonstration, each with its title. */
export interface DemoSteps {
  readonly begin: (title: string) => void;
  /** Shows a command and runs it. */
  readonly step: (title: string, argv: readonly string[], expected: number) => Promise<void>;
  /** Reports the steps that did not end as expected. Returns the exit code of the demonstration. */
  readonly end: () => number;
}

/** Steps whose commands have the effects of `io`. */
export function demoSteps(io: Io, { version, run }: DemoProgram): DemoSteps {
  const begin = (title: string) =>
    io.stdout.write(['', styleFor(io.stdout, io).strong(`── ${title}`), '', ''].join('\n'));
  const isWrong: string[] = [];
  return {
    begin,
    step: async (title, argv, expected) => {
      begin(title);
      say(io.stdout, `$ meshform ${argv.map(shellWord).join(' ')}`);
      say(io.stdout, '');
      const code = await run(argv, io, version);
      if (code !== expected) isWrong.push(`${title}: exit code ${code} instead of ${expected}`);
    },
    end: () => {
      for (const message of isWrong) say(io.stderr, message);
      return isWrong.length === 0 ? EXIT.done : EXIT.failed;
    },
  };
}
