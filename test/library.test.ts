// The example of docs/library.md, run as a program of its own against an emulator: what it applies is as safe as `meshform apply`.
// BLESS=1 writes the example into the page.
import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { type AnsweredRequest, startEmulator } from '../src/emulator/index.ts';
import { isObject, type Json, type JsonObject } from '../src/model/value.ts';
import { inFolder } from './support/cli.ts';
import { onlyFolderIn } from './support/journals.ts';
import { LIBRARY } from './support/program/program.ts';

const EXAMPLE = new URL('../examples/library/apply.ts', import.meta.url);
const PAGE = new URL('../docs/library.md', import.meta.url);

const FILES = `groups: [{ name: devs }, { name: ops }]
networks:
  - name: office
    resources: [{ name: wiki, address: 10.0.0.5, groups: [ops] }]
`;

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly signal: NodeJS.Signals | null;
}

/** A program and an account in a folder with `FILES`. */
async function program(
  use: (
    run: Run,
    folder: string,
    call: (method: string, path: string, body?: JsonObject) => Promise<unknown>,
  ) => Promise<void>,
): Promise<void> {
  let watch: (request: AnsweredRequest) => void = () => {};
  const emulator = await startEmulator({ onRequest: request => watch(request) });
  try {
    await inFolder(async folder => {
      await writeFile(join(folder, 'network.yaml'), FILES);
      // The package is not installed here: its name is that of the built library.
      const code = await readFile(EXAMPLE, 'utf8');
      const file = join(folder, 'apply.ts');
      await writeFile(file, code.replace("from 'meshform'", `from '${LIBRARY}'`));
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
      const env = {
        ...process.env,
        MESHFORM_URL: emulator.url,
        MESHFORM_TOKEN: emulator.token,
        NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
        XDG_STATE_HOME: join(folder, 'state'),
      };
      const run: Run = async (args, onRequest, more = {}) => {
        const child = spawn(process.execPath, [file, ...args], {
          cwd: folder,
          env: { ...env, ...more },
        });
        watch = request => onRequest?.(request, child);
        const ended = new Promise<NodeJS.Signals | null>(settle =>
          child.on('close', (_, signal) => settle(signal)),
        );
        const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
        return { stdout, stderr, signal: await ended };
      };
      const call = async (method: string, path: string, body?: JsonObject) => {
        const headers = { authorization: `Token ${emulator.token}` };
        const sent = body && { body: JSON.stringify(body) };
        const answer = await fetch(`${emulator.url}${path}`, { method, headers, ...sent });
        return answer.json();
      };
      await use(run, folder, call);
    });
  } finally {
    await emulator.close();
  }
}

type Run = (
  args: readonly string[],
  onRequest?: OnRequest,
  env?: Readonly<Record<string, string>>,
) => Promise<Ended>;

type OnRequest = (request: AnsweredRequest, child: ChildProcess) => void;

const reportOf = ({ stdout, stderr }: Ended): JsonObject => {
  const line = stdout.trim().split('\n').at(-1) ?? '';
  expect(line, stderr).not.toBe('');
  const report = JSON.parse(line) as Json;
  if (!isObject(report)) throw new Error(line);
  return report;
};

test('the page shows the example unchanged', async () => {
  const [page, example] = await Promise.all([readFile(PAGE, 'utf8'), readFile(EXAMPLE, 'utf8')]);
  const fresh = page.replace(
    /```ts\n\/\/ A program that applies.*?```\n/s,
    () => `\`\`\`ts\n${example}\`\`\`\n`,
  );
  if (process.env.BLESS === '1') await writeFile(PAGE, fresh);
  else expect(page).toBe(fresh);
  expect(fresh).toContain(example);
});

/** The only journal of the programs in `folder`: it is in the state folder of the user, and not beside the files. */
async function journalIn(folder: string): Promise<string> {
  const own = onlyFolderIn(join(folder, 'state/meshform/journals'));
  const [journal = ''] = (await readdir(own)).filter(name => name.endsWith('.jsonl'));
  expect(await readdir(folder)).not.toContain('.meshform');
  return join(own, journal);
}

// Each runs up to five programs, one after the other.
describe.concurrent('a program', () => {
  test('applies a plan once, and can undo an apply', () =>
    program(async (run, folder, call) => {
      const saved = await run(['save', '.', 'plan.json']);
      expect(saved.stdout).toContain('group.devs');
      const first = reportOf(await run(['saved', 'plan.json']));
      expect(first).toMatchObject({ isAlreadyApplied: false });
      expect(first.outcomes).toContainEqual(['group.devs', 'done']);
      const journal = await journalIn(folder);
      expect(reportOf(await run(['saved', 'plan.json']))).toMatchObject({ isAlreadyApplied: true });
      const undone = reportOf(await run(['undo', journal]));
      expect(undone.outcomes).toContainEqual(['group.devs', 'done']);
      expect(JSON.stringify(await call('GET', '/api/groups'))).not.toContain('devs');
    }));

  test('resumes a killed run from its journal, and takes over the lock', () =>
    program(async (run, folder) => {
      let writes = 0;
      const killed = await run(['apply', '.'], ({ method }, child) => {
        if (method !== 'GET' && ++writes === 2) child.kill('SIGKILL');
      });
      expect(killed).toMatchObject({ signal: 'SIGKILL', stdout: '' });
      const resumed = await run(['resume', await journalIn(folder)]);
      expect(resumed.stderr).toContain('note: lock-taken-over');
      const { outcomes } = reportOf(resumed);
      expect(outcomes).toHaveLength(4);
      expect(outcomes).toEqual(expect.arrayContaining([['network.office', 'done']]));
    }));

  test('signs its journal with `host.signingKey`, and resumes it only with that key', () =>
    program(async (run, folder) => {
      const env = { MESHFORM_SIGNING_KEY: 'a signing key of enough length' };
      let writes = 0;
      await run(
        ['apply', '.'],
        ({ method }, child) => {
          if (method !== 'GET' && ++writes === 2) child.kill('SIGKILL');
        },
        env,
      );
      const journal = await journalIn(folder);
      expect(reportOf(await run(['resume', journal]))).toMatchObject({
        refused: 'journal-unverified',
      });
      const { outcomes } = reportOf(await run(['resume', journal], undefined, env));
      expect(outcomes).toHaveLength(4);
    }));

  test('gets a stale plan if the account has changed, and nothing is written', () =>
    program(async (run, _folder, call) => {
      await run(['save', '.', 'plan.json']);
      await call('POST', '/api/groups', { name: 'devs' });
      const methods: string[] = [];
      const ended = await run(['saved', 'plan.json'], ({ method }) => void methods.push(method));
      expect(reportOf(ended).outcomes).toContainEqual(['group.devs', 'failed', 'PLAN_STALE']);
      expect(new Set(methods)).toEqual(new Set(['GET']));
    }));

  test('gets refused hazards and edited plans as values', () =>
    program(async (run, folder) => {
      await writeFile(
        join(folder, 'keys.yaml'),
        'setup_keys: [{ name: ci, type: reusable, expires_in: 86400 }]',
      );
      expect(reportOf(await run(['apply', '.']))).toMatchObject({
        refused: 'hazards',
        missing: [{ code: 'REVEALS_SECRET' }],
      });
      await run(['save', '.', 'plan.json']);
      const plan = join(folder, 'plan.json');
      const whole = await readFile(plan, 'utf8');
      await writeFile(plan, whole.replace('"devs"', '"boss"'));
      expect(reportOf(await run(['saved', 'plan.json']))).toMatchObject({
        refused: 'plan-unreadable',
        finding: { code: 'PLAN_FILE_INVALID' },
      });
    }));

  test('sends a changed secret again, with a key', () =>
    program(async (run, folder) => {
      const provider =
        '{ type: oidc, name: staff, issuer: "https://login.example.com", client_id: x, client_secret: "${file:hush}" }';
      await writeFile(join(folder, 'people.yaml'), `identity_providers: [${provider}]\n`);
      const env = { MESHFORM_FINGERPRINT_KEY: 'a key of enough length' };
      const outcomes = async (value: string, more: Readonly<Record<string, string>> = env) => {
        await writeFile(join(folder, 'hush'), value);
        return reportOf(await run(['apply'], undefined, more)).outcomes;
      };
      expect(await outcomes('first')).toContainEqual(['identity_provider.staff', 'done']);
      expect(await outcomes('first')).toEqual([]);
      expect(await outcomes('second', {}), 'without a key nothing is compared').toEqual([]);
      expect(await outcomes('second')).toEqual([['identity_provider.staff', 'done']]);
      const short = { MESHFORM_FINGERPRINT_KEY: 'short' };
      const refused = await run(['apply'], undefined, short);
      expect(refused.stderr).toContain('fingerprint-key');
    }));
});
