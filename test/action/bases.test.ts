// Recorded bases of a job: the program reads and records them at the remote with the token that the action lends it. Only where the lock
// is a file does the action fetch and push them.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { mayLockInFile } from '../../action/lockPlace.ts';
import { settingsFrom } from '../../action/settings.ts';
import { startAccount } from '../support/account.ts';
import { startGitServer } from './gitServer.ts';

const MAIN = fileURLToPath(new URL('../../action/main.ts', import.meta.url));
const TOKEN = 'ghs_exampleToken';
const BASIC = `basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`;

async function openJobs() {
  const folder = mkdtempSync(join(tmpdir(), 'meshform-test-'));
  const account = await startAccount();
  const server = await startGitServer(folder, BASIC);
  onTestFinished(async () => {
    await server.close();
    await account.close();
    rmSync(folder, { recursive: true });
  });
  const git = (...args: string[]) => {
    const who = ['-c', 'user.name=Mia', '-c', 'user.email=mia@example.com'];
    const ended = spawnSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8' });
    if (ended.status !== 0) throw new Error(`git ${args.join(' ')}\n${ended.stderr}`);
    return ended.stdout.trim();
  };
  const [all] = Object.values((await account.call('GET', '/api/groups')) ?? {});
  const bare = join(folder, 'network.git');
  git('init', '--quiet', '--bare', '--initial-branch', 'main', bare);
  // As if it were a packed version, so that it is the program of these sources.
  mkdirSync(join(folder, 'packed/node_modules'), { recursive: true });
  symlinkSync(inject('program'), join(folder, 'packed/node_modules/meshform'));
  let jobs = 0;
  /** The checkout of a new runner, with a commit on top of what the remote has. */
  const checkout = (groups: string, project = ''): string => {
    jobs += 1;
    const at = join(folder, `job-${jobs}`);
    git('clone', '--quiet', bare, at);
    mkdirSync(join(at, 'network'), { recursive: true });
    writeFileSync(join(at, 'network/meshform.yaml'), `account: ${all?.id}\n${project}`);
    writeFileSync(join(at, 'network/groups.yaml'), `groups: [${groups}]\n`);
    git('-C', at, 'add', '--all');
    git('-C', at, 'commit', '--quiet', '--message', 'A change');
    git('-C', at, 'push', '--quiet', 'origin', 'HEAD:main');
    git('-C', at, 'remote', 'set-url', 'origin', `${server.url}/network.git`);
    return at;
  };
  const action = async (at: string, inputs: NodeJS.ProcessEnv) => {
    const temporary = `${at}-temp`;
    mkdirSync(temporary, { mode: 0o700 });
    const child = spawn(process.execPath, [MAIN], {
      cwd: at,
      env: {
        PATH: process.env.PATH,
        HOME: `${at}-home`,
        RUNNER_TEMP: temporary,
        GITHUB_TOKEN: TOKEN,
        GITHUB_SERVER_URL: server.url,
        GIT_SSL_CAINFO: server.authority,
        MESHFORM_URL: account.url,
        MESHFORM_TOKEN: account.token,
        INPUT_VERSION: 'packed.tgz',
        MESHFORM_PACKED: join(folder, 'packed'),
        INPUT_PATH: 'network',
        INPUT_BASE: 'auto',
        INPUT_COMMENT: 'never',
        ...inputs,
      },
    });
    const code = new Promise<number | null>(settle => child.on('close', settle));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await code, stdout, stderr: stderr.replaceAll(/\s+/g, ' ') };
  };
  const refs = () =>
    git('--git-dir', bare, 'for-each-ref', '--format=%(refname)')
      .split('\n')
      .filter(ref => ref.startsWith('refs/meshform-'))
      .join('\n');
  const names = async () =>
    Object.values((await account.call('GET', '/api/groups')) ?? {}).map(({ name }) => name);
  return {
    account,
    server,
    checkout,
    action,
    refs,
    names,
    base: `refs/meshform-base/${all?.id}/network`,
  };
}

const APPLY = {
  INPUT_COMMAND: 'apply',
  INPUT_ARGS: '--record-base --prune removed --allow DELETES_OBJECT',
};

const two = '{ name: one }, { name: two }';

test('an apply pushes its base to the remote, and the next runner starts from that base', async () => {
  const { checkout, action, refs, names, base } = await openJobs();
  const first = await action(checkout(two), APPLY);
  expect(first.code, first.stderr).toBe(0);
  expect(refs()).toMatch(new RegExp(`^${base}\nrefs/meshform-journal/\\S+$`));
  const second = await action(checkout('{ name: one }'), APPLY);
  expect(second.code, second.stderr).toBe(0);
  expect(await names()).toEqual(['All', 'one']);
});

test('a job that plans or checks drift needs no permission to push', {
  tags: 'variation',
}, async () => {
  const { checkout, action, server, base, refs } = await openJobs();
  expect((await action(checkout(two), APPLY)).code).toBe(0);
  server.refusePushes();
  const before = refs();
  const INPUT_ARGS = '--prune removed';
  const plan = await action(checkout('{ name: one }'), { INPUT_COMMAND: 'plan', INPUT_ARGS });
  expect(plan.code, plan.stderr).toBe(0);
  expect(plan.stdout).toContain('**Plan: 0 to add, 0 to change, 1 to destroy.**');
  const drift = await action(checkout(two), { INPUT_COMMAND: 'drift' });
  expect(drift.code, drift.stderr).toBe(0);
  expect(refs()).toBe(before);
  expect(before).toContain(base);
});

test('an apply with a read-only token ends before its first write, and says what to do', async () => {
  const { checkout, action, server, account, refs } = await openJobs();
  server.refusePushes();
  const sent = account.requests.length;
  const { code, stderr } = await action(checkout(two), APPLY);
  expect(code, stderr).toBe(6);
  expect(stderr).toContain('403');
  expect(stderr).toContain('give this job the right to push refs/meshform-*');
  expect(stderr).toContain('--lock file');
  expect(account.requests.slice(sent).filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(refs()).toBe('');
});

test.each([
  ['in meshform.yaml', 'lock: file\n', APPLY.INPUT_ARGS],
  ['in the arguments', '', `${APPLY.INPUT_ARGS} --lock file`],
])(
  'the action fetches and pushes the base if the lock is in a file, %s',
  { tags: 'variation' },
  async (_, project, args) => {
    const { checkout, action, refs, names, base } = await openJobs();
    const apply = { ...APPLY, INPUT_ARGS: args };
    const first = await action(checkout(two, project), apply);
    expect(first.code, first.stderr).toBe(0);
    expect(refs()).toBe(base);
    const second = await action(checkout('{ name: one }', project), apply);
    expect(second.code, second.stderr).toBe(0);
    expect(await names()).toEqual(['All', 'one']);
  },
);

describe('the project file decides whether the lock may be a file:', () => {
  const asked = (inputs: NodeJS.ProcessEnv) =>
    settingsFrom({ INPUT_COMMAND: 'apply', INPUT_PATH: 'network', ...inputs });
  const folderWith = (project: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'meshform-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, '.git'));
    mkdirSync(join(folder, 'network'));
    writeFileSync(join(folder, 'network/meshform.yaml'), project);
    return folder;
  };

  test.each([
    ['lock: file\n', true],
    ['{ "lock": "file", account: a }\n', true],
    ['lock: git\nname: file\n', false],
    ['account: a\n', false],
  ])('%j', async (project, isInFile) => {
    expect(await mayLockInFile(asked({}), folderWith(project))).toBe(isInFile);
  });

  test('arguments take precedence over the project file, and the last argument over earlier ones', {
    tags: 'variation',
  }, async () => {
    const folder = folderWith('lock: file\n');
    const inFile = (args: string) => mayLockInFile(asked({ INPUT_ARGS: args }), folder);
    expect(await inFile('--lock git')).toBe(false);
    expect(await inFile('--lock=git --lock=file')).toBe(true);
    expect(await mayLockInFile(asked({ INPUT_ARGS: '--lock file' }), folderWith(''))).toBe(true);
  });

  test('a project file above the folder is read, and the project file of a saved plan’s folder', {
    tags: 'variation',
  }, async () => {
    const folder = folderWith('account: a\n');
    writeFileSync(join(folder, 'meshform.yaml'), 'lock: file\n');
    expect(await mayLockInFile(asked({}), folder)).toBe(true);
    const other = folderWith('lock: file\n');
    writeFileSync(join(other, 'plan.json'), '{ "meshform": { "folder": "network" } }');
    const saved = (plan: string) =>
      mayLockInFile(asked({ INPUT_PATH: '.', INPUT_PLAN: plan }), other);
    expect(await saved('plan.json')).toBe(true);
    expect(await saved('missing.json')).toBe(false);
  });
});
