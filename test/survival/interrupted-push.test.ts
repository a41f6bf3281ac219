// An interrupt while git pushes, in a real process: the push is waited for, a second interrupt ends it with all that it started, and either way
// the report says what holds.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { startAccount, type TestAccount } from '../support/account.ts';
import { environmentOf, inFolder } from '../support/cli.ts';
import { git } from '../support/git.ts';
import { LAUNCHER } from '../support/program/program.ts';

const APPLY = [
  'apply',
  'network',
  '--prune',
  'removed',
  '--base',
  'auto',
  '--record-base',
  '--yes',
];

/** A push that has begun, and waits. */
interface HeldPush {
  /** The process that git has started to reach the remote. */
  readonly pid: number;
  readonly go: () => void;
  /** Resolves once that process is gone. */
  readonly gone: Promise<unknown>;
}

interface Story {
  readonly account: TestAccount;
  readonly remote: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** The next push, counted from now. */
  readonly pushed: () => Promise<HeldPush>;
  readonly run: (...argv: string[]) => Running;
  readonly refs: () => string;
  readonly declare: (...names: string[]) => Promise<void>;
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly out: string }>;
}

async function story(use: (story: Story) => Promise<void>): Promise<void> {
  const account = await startAccount();
  const waiting: ((push: HeldPush) => void)[] = [];
  const server = createServer(socket => void serve(socket, waiting));
  try {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    await inFolder(folder => prepared(folder, { account, port, waiting }, use));
  } finally {
    server.close();
    await account.close();
  }
}

/** What git starts as `ssh` tells its number, and waits for a line, before it pushes. */
async function serve(socket: Socket, waiting: ((push: HeldPush) => void)[]): Promise<void> {
  socket.on('error', () => {});
  const gone = once(socket, 'close');
  const [said] = (await once(socket, 'data')) as [Buffer];
  const take = waiting.shift();
  const push = { pid: Number(said.toString()), go: () => void socket.end('go\n'), gone };
  if (take === undefined) push.go();
  else take(push);
}

async function prepared(
  folder: string,
  {
    account,
    port,
    waiting,
  }: { account: TestAccount; port: number; waiting: ((push: HeldPush) => void)[] },
  use: (story: Story) => Promise<void>,
): Promise<void> {
  const remote = join(folder, 'remote.git');
  const clone = join(folder, 'clone');
  const ssh = join(folder, 'ssh');
  const lines = [
    '#!/bin/bash',
    'for command; do :; done',
    `case $command in git-receive-pack*) exec 3<>/dev/tcp/127.0.0.1/${port}; echo $$ >&3; read -r _ <&3 || exit 1; exec 3>&-;; esac`,
    'eval "exec $command"',
  ];
  await writeFile(ssh, `${lines.join('\n')}\n`);
  await chmod(ssh, 0o755);
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  git(folder, 'init', '--quiet', '--initial-branch=main', clone);
  git(clone, 'remote', 'add', 'origin', `ssh://git.example.com${remote}`);
  const [all] = (await account.call('GET', '/api/groups')) as { id: string }[];
  const env = {
    ...environmentOf(account),
    PATH: process.env.PATH ?? '',
    HOME: join(folder, 'home'),
    XDG_STATE_HOME: join(folder, 'state'),
    GIT_SSH_COMMAND: ssh,
    GIT_SSH_VARIANT: 'simple',
  };
  const declare = async (...names: string[]): Promise<void> => {
    await mkdir(join(clone, 'network'), { recursive: true });
    await writeFile(join(clone, 'network/meshform.yaml'), `account: ${all?.id}\n`);
    const groups = names.map(name => `{ name: ${name} }`).join(', ');
    await writeFile(join(clone, 'network/groups.yaml'), `groups: [${groups}]\n`);
    git(clone, 'add', '--all');
    git(clone, 'commit', '--quiet', '--message=a change');
  };
  const run = (...argv: string[]): Running => {
    // Without a terminal, as in a pipeline.
    const child = spawn(process.execPath, [LAUNCHER, ...argv], {
      cwd: clone,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { child, ended: ended.then(([out, err, [code]]) => ({ code, out: `${out}${err}` })) };
  };
  await use({
    account,
    remote,
    folder: clone,
    env,
    run,
    declare,
    pushed: () => new Promise(resolve => waiting.push(resolve)),
    refs: () => git(remote, 'for-each-ref', '--format=%(objectname) %(refname)'),
  });
}

/** Resolves once the process has said that it stops. */
async function stopping({ stderr }: ChildProcess): Promise<void> {
  let said = '';
  while (!said.includes('press Ctrl-C again')) {
    const [part] = (await once(stderr as NodeJS.ReadableStream, 'data')) as [Buffer];
    said += part.toString();
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('an interrupt in the last push', { timeout: 120_000 }, () => {
  test('waits for the push, and the report says what was done', () =>
    story(async ({ declare, run, pushed, refs }) => {
      await declare('a');
      const first = pushed();
      const { child, ended } = run(...APPLY);
      (await first).go();
      const last = await pushed();
      child.kill('SIGTERM');
      await stopping(child);
      last.go();
      const { code, out } = await ended;
      expect(code, out).toBe(143);
      expect(out).toContain('stopping: waiting for the remote `origin`, for at most 30 s');
      expect(out).toContain('Apply complete! 1 added');
      expect(out).toMatch(/refs\/meshform-base\/\S+ is [0-9a-f]{12} now/);
      expect(refs()).toMatch(/^\S+ refs\/meshform-base\/\S+\n\S+ refs\/meshform-journal\/\S+\n$/);
    }));

  test('a second interrupt ends the push with all processes that git has started, so it takes no effect later', () =>
    story(async ({ declare, run, pushed, refs }) => {
      await declare('a');
      const first = pushed();
      const { child, ended } = run(...APPLY);
      (await first).go();
      const last = await pushed();
      const before = refs();
      child.kill('SIGTERM');
      await stopping(child);
      child.kill('SIGTERM');
      const { code, out } = await ended;
      expect(code, out).toBe(143);
      expect(isAlive(last.pid)).toBe(false);
      await last.gone;
      expect(before).toContain('refs/meshform-locks/');
      expect(refs()).toBe(before);
      expect(out).toContain('Apply complete! 1 added');
      expect(out).toContain('it is unknown whether the remote has recorded its base');
      expect(out).toContain('meshform base show network');
      expect(out).toContain('may still have the lock of this run');
      expect(out).toContain('meshform lock show network');
    }));
});

describe('an interrupt in the push that takes the lock', { timeout: 120_000 }, () => {
  test('waits for the push, releases the lock, and sends nothing to the account', () =>
    story(async ({ declare, run, pushed, refs, account, remote }) => {
      await declare('a');
      const first = pushed();
      const { child, ended } = run(...APPLY);
      const push = await first;
      child.kill('SIGINT');
      await stopping(child);
      push.go();
      const { code, out } = await ended;
      expect(code, out).toBe(130);
      expect(out).toContain('nothing was sent to the account');
      // The journal of the run is gone again.
      const [, journals = ''] = /^(\S+) refs\/meshform-journal\/\S+\n$/.exec(refs()) ?? [];
      expect(git(remote, 'ls-tree', journals)).toBe('');
      expect(await account.call('GET', '/api/groups')).toHaveLength(1);
    }));

  test('a second interrupt ends the push, and no process of its group is left', () =>
    story(async ({ declare, run, pushed, refs, account }) => {
      await declare('a');
      const first = pushed();
      const { child, ended } = run(...APPLY);
      const push = await first;
      child.kill('SIGTERM');
      await stopping(child);
      child.kill('SIGTERM');
      const { code, out } = await ended;
      expect(code, out).toBe(143);
      expect(isAlive(push.pid)).toBe(false);
      await push.gone;
      expect(refs()).toBe('');
      expect(out).toContain('meshform lock show network');
      expect(await account.call('GET', '/api/groups')).toHaveLength(1);
    }));
});
