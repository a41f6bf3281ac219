// The demonstration: an example company becomes a live account, somebody changes it by hand, and it is put right.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Agent } from 'undici';
import { type WriteTransport, writeTransport } from '../../api/transport/transport.ts';
import { startEmulator } from '../../emulator/index.ts';
import { present } from '../../model/errors.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { jsonString } from '../../model/text/visible.ts';
import { isList, isObject, type JsonObject } from '../../model/value.ts';
import { shippedFiles, shippedText } from '../../shipped.ts';
import { styleFor } from '../colour.ts';
import type { CommandContext, RunCommand } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';

const COMPANY = 'examples/company';

/** What the example's webhooks are called with; a real company keeps these outside its repository. */
const SECRETS = { HELPDESK_TOKEN: 'demo', HELPDESK_QUEUE_KEY: 'demo', CHAT_AUTHORIZATION: 'demo' };

/** Runs the demonstration; resolves to 0 if every step ended as it should. */
export async function demo(io: Io, version: string, run: RunCommand): Promise<number> {
  const emulator = await startEmulator();
  const scratch = await mkdtemp(join(tmpdir(), 'meshform-demo-'));
  const agent = new Agent();
  try {
    const { url, token } = emulator;
    // Whatever the environment says, the demonstration must never reach a real account.
    const env = { ...io.env, ...SECRETS, MESHFORM_URL: url, MESHFORM_TOKEN: token };
    // Elsewhere, a project file above the example would apply to it, and name another server.
    await copyCompany(scratch);
    const account = writeTransport({ ...io, url, token, dispatcher: agent });
    return await play({ ...io, env, cwd: scratch }, account, { version, run });
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
  const [folder, plan] = ['company', 'plan.json'];
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

// Opens every port of a narrow policy and takes a route away: what a hurried hand does in a web page.
async function changeByHand(account: WriteTransport): Promise<string> {
  const policy = await find(
    account,
    '/api/policies',
    'name',
    'web contractors see the staging portal',
  );
  const rules = (isList(policy.rules) ? policy.rules : []).filter(isObject).map(widened);
  const opened = await account.write('PUT', `/api/policies/${policy.id}`, { ...policy, rules });
  const [route] = await account
    .get('/api/routes')
    .then(body => (isList(body) ? body.filter(isObject) : []));
  const gone = present(route, 'a route');
  await account.write('DELETE', `/api/routes/${gone.id}`);
  return [
    `PUT    /api/policies/${policy.id}   every port of ${jsonString(String((opened as JsonObject).name))} is open`,
    `DELETE /api/routes/${gone.id}     the route ${jsonString(String(gone.network_id))} is gone`,
    '',
  ].join('\n');
}

async function find(
  account: WriteTransport,
  path: string,
  field: string,
  value: string,
): Promise<JsonObject> {
  const items = await account.get(path);
  const found = isList(items)
    ? items.filter(isObject).find(item => item[field] === value)
    : undefined;
  return present(found, `${value} among ${path}`);
}

// What is read is not quite what may be written: groups come as objects and go as ids, empty sides must go.
function widened(rule: JsonObject): JsonObject {
  const groups = (field: string) => {
    const value = rule[field];
    return isList(value) ? { [field]: value.filter(isObject).map(group => group.id ?? null) } : {};
  };
  const { sources: _, destinations: __, ...rest } = rule;
  return { ...rest, ports: [], ...groups('sources'), ...groups('destinations') };
}
