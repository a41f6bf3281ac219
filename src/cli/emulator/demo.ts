// The demonstration: applies an example company to an emulator, changes the account by hand, and corrects the drift.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Agent } from 'undici';
import { type WriteTransport, writeTransport } from '../../api/transport/transport.ts';
import { startEmulator } from '../../emulator/index.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { shippedFiles, shippedText } from '../../shipped.ts';
import { styleFor } from '../colour.ts';
import type { CommandContext, RunCommand } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { changeByHand } from './changesByHand.ts';

const COMPANY = 'examples/company';

/** The secrets of the example's webhooks; a real company keeps these outside its repository. */
const SECRETS = { HELPDESK_TOKEN: 'demo', HELPDESK_QUEUE_KEY: 'demo', CHAT_AUTHORIZATION: 'demo' };

/** Runs the demonstration; resolves to 0 if every step succeeded. */
export async function demo(io: Io, version: string, run: RunCommand): Promise<number> {
  const emulator = await startEmulator();
  const scratch = await mkdtemp(join(tmpdir(), 'meshform-demo-'));
  const agent = new Agent();
  try {
    const { url, token } = emulator;
    // Whatever the environment contains, the demonstration must never reach a real account.
    const account = { MESHFORM_URL: url, MESHFORM_TOKEN: token };
    const env = {
      ...io.env,
      ...SECRETS,
      ...account,
      MESHFORM_JOURNALS: join(scratch, 'journals'),
    };
    // In another folder, a project file above the example would apply to it and name another server.
    await copyCompany(scratch);
    const byHand = writeTransport({ ...io, url, token, dispatcher: agent });
    return await play({ ...io, env, cwd: scratch }, byHand, { version, run });
  } finally {
    await agent.close();
    await emulator.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

async function copyCompany(folder: string): Promise<void> {
  for (const path of shippedFiles(COMPANY).filter(path => !path.includes('/.'))) {
    const target = join(folder, path.replace(COMPANY, 'company'));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, shippedText(path));
  }
}

async function play(
  io: Io,
  account: WriteTransport,
  { version, run }: Pick<CommandContext, 'version' | 'run'>,
): Promise<number> {
  const folder = 'company';
  const plan = 'plan.json';
  const begin = (title: string) =>
    io.stdout.write(['', styleFor(io.stdout, io).strong(`── ${title}`), '', ''].join('\n'));
  const isWrong: string[] = [];
  const step = async (title: string, argv: readonly string[], expected: number): Promise<void> => {
    begin(title);
    say(io.stdout, `$ meshform ${argv.map(shellWord).join(' ')}`);
    say(io.stdout, '');
    const code = await run(argv, io, version);
    if (code !== expected) isWrong.push(`${title}: exit code ${code} instead of ${expected}`);
  };
  await step('Plan a new account', ['plan', folder, '--out', plan], EXIT.done);
  await step('Apply the plan', ['apply', plan, '--yes'], EXIT.done);
  await step('A second plan has no changes', ['plan', folder, '--detailed-exitcode'], EXIT.done);
  begin('Somebody changes the account by hand');
  io.stdout.write(await changeByHand(account));
  await step('Drift detection reports it', ['drift', folder], EXIT.changes);
  await step('Repair the drift', ['apply', folder, '--yes'], EXIT.done);
  await step('The account matches the files', ['plan', folder, '--detailed-exitcode'], EXIT.done);
  for (const message of isWrong) say(io.stderr, message);
  return isWrong.length === 0 ? EXIT.done : EXIT.failed;
}
