// Machines that share nothing but the Git remote and the account.
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';

const KEY = 'a signing key of all machines';
export const PRUNE = ['--prune', 'removed', '--allow', 'DELETES_OBJECT'];
/** An apply of the files that records the base; it asks a person. */
export const FILES = ['apply', 'network', ...PRUNE, '--base', 'auto', '--record-base'];

export interface Machines {
  readonly account: TestAccount;
  readonly id: string;
  readonly remote: string;
  readonly base: string;
  readonly lock: string;
  /** A clone with a home of its own. */
  readonly machine: (name: string, ...options: string[]) => Promise<Machine>;
  readonly groups: () => Promise<string[]>;
}

export interface Machine {
  readonly folder: string;
  readonly run: (...argv: string[]) => Promise<Ended>;
  /** The same at another time, in milliseconds. */
  readonly runAt: (now: number, ...argv: string[]) => Promise<Ended>;
  /** The same with more variables. */
  readonly runWith: (more: Readonly<Record<string, string>>, ...argv: string[]) => Promise<Ended>;
  /** The same at a terminal, where somebody gives this answer to every question. */
  readonly runAnswering: (answer: string, ...argv: string[]) => Promise<Ended>;
  /** The same with a clock that goes on in pauses; something else happens before each of them. */
  readonly runPausing: (beforePause: () => Promise<unknown>, ...argv: string[]) => Promise<Ended>;
  /** Applies and records the base. */
  readonly apply: (...more: string[]) => Promise<Ended>;
  /** The same at another time, in milliseconds. */
  readonly applyAt: (now: number) => Promise<Ended>;
  /** Commits this text as a file of the folder, and pushes it. */
  readonly write: (file: string, text: string) => Promise<void>;
  /** Commits groups of these names, on top of what the remote has, and pushes them. */
  readonly declare: (...names: string[]) => Promise<void>;
}

export async function machines(
  story: (machines: Machines) => Promise<void>,
  dialect: 'spec' | 'netbird' = 'spec',
): Promise<void> {
  const account = await startAccount({ dialect });
  try {
    const [all] = (await account.call('GET', '/api/groups')) as { id: string }[];
    const id = all?.id ?? '';
    await inFolder(async folder => {
      const remote = join(folder, 'remote.git');
      git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
      // Each push starts it otherwise, and it finds nothing to tidy up.
      git(remote, 'config', 'receive.autogc', 'false');
      await story({
        account,
        id,
        remote,
        base: `refs/meshform-base/${id}/network`,
        lock: `refs/meshform-locks/${id}`,
        machine: (name, ...options) =>
          machineAt(join(folder, name), { account, id, remote, options }),
        groups: async () =>
          ((await account.call('GET', '/api/groups')) as { name: string }[])
            .map(({ name }) => name)
            .filter(name => name !== 'All')
            .sort(),
      });
    });
  } finally {
    await account.close();
  }
}

async function machineAt(
  folder: string,
  {
    account,
    id,
    remote,
    options,
  }: { account: TestAccount; id: string; remote: string; options: readonly string[] },
): Promise<Machine> {
  git(join(folder, '..'), 'clone', '--quiet', ...options, `file://${remote}`, folder);
  const env = {
    ...environmentOf(account),
    PATH: process.env.PATH ?? '',
    HOME: `${folder}-home`,
    XDG_STATE_HOME: `${folder}-state`,
    MESHFORM_JOURNALS: `${folder}-journals`,
    MESHFORM_SIGNING_KEY: KEY,
  };
  let time = 0;
  const runWith: Machine['runWith'] = async (more, ...argv) => {
    const ended = await meshform(argv, { cwd: folder, env: { ...env, ...more }, now: time });
    return { ...ended, stderr: ended.stderr.replaceAll(/\s+/g, ' ') };
  };
  const run: Machine['run'] = (...argv) => runWith({}, ...argv);
  const runAt: Machine['runAt'] = (now, ...argv) => {
    time = now;
    return run(...argv);
  };
  const runAnswering: Machine['runAnswering'] = async (answer, ...argv) => {
    const ended = await meshform(argv, { cwd: folder, env, now: time, answer });
    return { ...ended, stderr: ended.stderr.replaceAll(/\s+/g, ' ') };
  };
  const write: Machine['write'] = async (file, text) => {
    await mkdir(join(folder, 'network'), { recursive: true });
    await writeFile(join(folder, 'network/meshform.yaml'), `account: ${id}\n`);
    await writeFile(join(folder, 'network', file), text);
    git(folder, 'add', '--all', '.');
    git(folder, 'commit', '--quiet', '--message=a change');
    // A remote of the test may be a server in this process.
    await promisify(execFile)('git', ['-C', folder, 'push', '--quiet', 'origin', 'HEAD:main']);
  };
  const runPausing: Machine['runPausing'] = async (beforePause, ...argv) => {
    const sleep = async (milliseconds: number): Promise<void> => {
      await beforePause();
      time += milliseconds;
    };
    const ended = await meshform(argv, { cwd: folder, env, clock: { now: () => time, sleep } });
    return { ...ended, stderr: ended.stderr.replaceAll(/\s+/g, ' ') };
  };
  const apply = [...FILES, '--yes'];
  return {
    folder,
    run,
    runWith,
    runPausing,
    runAnswering,
    runAt,
    apply: (...more) => run(...apply, ...more),
    applyAt: now => runAt(now, ...apply),
    write,
    declare: async (...names) => {
      const groups = names.map(name => `{ name: ${name} }`).join(', ');
      await write('groups.yaml', `groups: [${groups}]\n`);
    },
  };
}

/** Where a git of a test fails. */
interface Failing {
  /** Its arguments, as a pattern of the shell, with a blank before and after them. */
  readonly where: string;
  /** What it says. */
  readonly says: string;
  /** A command of the shell that succeeds if it is to fail; without it, it always fails. */
  readonly when?: string;
}

/** Variables with a git that fails where the arguments match; otherwise it is the git of the machine. */
export async function failingGit(
  { folder }: Machine,
  { where, says, when = ':' }: Failing,
): Promise<{ readonly PATH: string }> {
  const programs = await mkdtemp(`${folder}-programs-`);
  const lines = [
    '#!/bin/sh',
    `case " $* " in ${where})`,
    `  if ${when}; then echo "${says}" >&2; exit 128; fi;; esac`,
    `PATH='${process.env.PATH}' exec git "$@"`,
  ];
  await writeFile(join(programs, 'git'), `${lines.join('\n')}\n`);
  await chmod(join(programs, 'git'), 0o755);
  return { PATH: `${programs}:${process.env.PATH}` };
}

/** Everything below a prefix that the remote has. */
export const refsAt = (remote: string, prefix: string): string =>
  git(remote, 'for-each-ref', '--format=%(refname)', prefix).trim();

export function expectCode(ended: Ended, code: number): void {
  expect(ended.code, ended.stderr).toBe(code);
}
