// `meshform lock`: who holds the lock of an account in the Git remote, and what people may do with it.
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitLock } from '../../../src/apply/lock/gitLock.ts';
import { takeRemoteLock } from '../../../src/apply/lock/remoteLock.ts';
import { separateObjects } from '../../../src/read/remote/objectFolder.ts';
import type { Pushed } from '../../../src/read/remote/remoteRefs.ts';
import { type Ended, inFolder, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import { virtualTime } from '../../support/virtualTime.ts';
import { expectCode, machines } from './sharedMachines.ts';

const ACCOUNT = 'ch8i4ug6lnn4g9hqv7m0';
const REF = `refs/meshform-locks/${ACCOUNT}`;
const START = Date.parse('2026-11-24T10:00:00Z');

interface Shared {
  readonly remote: string;
  /** Runs a command in a clone of its own. */
  readonly run: (clone: string, ...argv: string[]) => Promise<Ended>;
  /** The same; before each pause, something else happens. */
  readonly runWith: (
    also: { readonly beforeSleep: () => Promise<unknown> },
    clone: string,
    ...argv: string[]
  ) => Promise<Ended>;
  /** Holds the lock as a run does; resolves to a function that renews it. */
  readonly running: (clone: string, ttl?: number) => Promise<() => Promise<Pushed>>;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
}

async function shared(story: (shared: Shared) => Promise<void>): Promise<void> {
  await inFolder(async folder => {
    const clock = virtualTime({ start: START });
    const remote = join(folder, 'remote.git');
    git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
    const cloneOf = async (name: string): Promise<string> => {
      const clone = join(folder, name);
      await mkdir(clone, { recursive: true });
      git(clone, 'init', '--quiet', '--initial-branch=main');
      await writeFile(join(clone, 'meshform.yaml'), `account: ${ACCOUNT}\n`);
      await writeFile(join(clone, 'network.yaml'), 'groups: [{ name: staff }]\n');
      git(clone, 'remote', 'add', 'origin', remote);
      return clone;
    };
    const clones = new Map<string, Promise<string>>();
    const at = (name: string): Promise<string> => {
      const clone = clones.get(name) ?? cloneOf(name);
      clones.set(name, clone);
      return clone;
    };
    const runWith: Shared['runWith'] = async ({ beforeSleep }, name, ...argv) => {
      const cwd = await at(name);
      const env = {
        PATH: process.env.PATH ?? '',
        XDG_STATE_HOME: join(folder, `${name}-state`),
        MESHFORM_URL: 'http://127.0.0.1:9',
        MESHFORM_TOKEN: 'nbp_exampleToken',
      };
      const sleep = async (milliseconds: number): Promise<void> => {
        await beforeSleep();
        await clock.sleep(milliseconds);
      };
      return meshform(argv, { cwd, env, clock: { now: clock.now, sleep } });
    };
    await story({
      remote,
      ...clock,
      runWith,
      run: (name, ...argv) => runWith({ beforeSleep: () => Promise.resolve() }, name, ...argv),
      running: async (name, ttl = 180) => {
        const place = { folder: await at(name), host: { env: process.env } };
        const state = join(folder, `${name}-state`);
        const objects = await separateObjects(place, { state, now: START });
        const lock = await takeRemoteLock(
          gitLock({ objects, name: 'origin', patience: 30_000 }, ACCOUNT, clock.now),
          {
            holder: { id: 'run-1', machine: 'runner-7', since: new Date(START).toISOString() },
            ttl,
            wait: 0,
            clocks: { monotonic: clock.now, wall: clock.now },
            sleep: clock.sleep,
          },
        );
        if (lock.is !== 'held') throw new Error(lock.is);
        return () => lock.renew();
      },
    });
  });
}

test('a free lock is shown as free', async () => {
  await shared(async ({ run }) => {
    expect(await run('a', 'lock', 'show')).toEqual({
      code: 0,
      stdout: `Nobody holds the lock of the account ${ACCOUNT}: ${REF} at origin.\n`,
      stderr: '',
    });
    const { stdout } = await run('a', 'lock', 'show', '--format', 'json');
    expect(JSON.parse(stdout)).toEqual({
      account: ACCOUNT,
      remote: 'origin',
      ref: REF,
      locked: false,
    });
  });
});

test('a hold is shown on every machine with its reason, and ends by its release', async () => {
  await shared(async ({ run, remote }) => {
    const held = await run('a', 'lock', 'hold', '--reason', 'change freeze');
    expect(held.code).toBe(0);
    // The server does not answer: a hold is possible all the same.
    expect(held.stderr).toContain('no server was asked whether it is right');
    expect(held.stderr).toContain(
      `The account ${ACCOUNT} is held at the remote \`origin\` until \`meshform lock release .\`: no apply starts, and no machine takes the lock over.\n`,
    );
    expect((await run('b', 'lock', 'show')).stdout).toContain('Reason    change freeze');
    const again = await run('b', 'lock', 'hold', '--reason', 'mine');
    expect(again.code).toBe(6);
    expect(again.stderr).toContain('is held on purpose already');
    expect(again.stderr).toContain('change freeze');
    expect((await run('b', 'lock', 'release')).code).toBe(0);
    expect(git(remote, 'for-each-ref', 'refs/meshform-locks')).toBe('');
    expect((await run('a', 'lock', 'release')).code).toBe(6);
  });
});

test('a hold with an end time expires', async () => {
  await shared(async ({ run, sleep }) => {
    await run('a', 'lock', 'hold', '--reason', 'tonight', '--until', '2026-11-24T11:00:00+01:00');
    expect((await run('b', 'lock', 'hold', '--reason', 'mine')).code).toBe(0);
    await run('b', 'lock', 'release');
    const until = '2026-11-24T12:00:00+01:00';
    await run('a', 'lock', 'hold', '--reason', 'tonight', '--until', until);
    expect((await run('b', 'lock', 'hold', '--reason', 'mine')).code).toBe(6);
    await sleep(3_600_000);
    expect((await run('b', 'lock', 'hold', '--reason', 'mine')).code).toBe(0);
  });
});

test('a hold lists objects that expire during it, and so does the refusal of an apply and of `expire`', async () => {
  await machines(async ({ machine }) => {
    const one = await machine('one');
    const until = (day: string) => `{ name: until-${day}, lifecycle: { until: ${day} } }`;
    const ends = ['1970-01-03', '1970-01-02', '1970-01-09'].map(until).join(', ');
    await one.write('ends.yaml', `groups: [${ends}]\n`);
    const hold = ['lock', 'hold', 'network', '--reason', 'freeze', '--until'];
    const held = await one.run(...hold, '1970-01-06T00:00:00Z');
    expectCode(held, 0);
    const listed =
      'According to the files, these end during the hold, but stay in the account until the hold is over: group until-1970-01-02, until 1970-01-03T00:00:00Z group until-1970-01-03, until 1970-01-04T00:00:00Z';
    expect(held.stderr).toContain(listed);
    expect(held.stderr).not.toContain('until-1970-01-09');
    for (const run of [one.apply, () => one.run('expire', 'network', '--yes', '--lock', 'git')]) {
      const refused = await run();
      expectCode(refused, 6);
      expect(refused.stderr).toContain(listed);
      expect(refused.stderr).not.toContain('until-1970-01-09');
    }
    expectCode(await one.run('lock', 'release', 'network'), 0);
    await one.write('ends.yaml', 'groups: [{ nam: a }]\n');
    const blind = await one.run('lock', 'hold', 'network', '--reason', 'freeze');
    expectCode(blind, 0);
    expect(blind.stderr).toContain('in the files at `network`: they have errors');
  });
});

test.for([
  ['yesterday', 64],
  ['2026-11-24', 64],
  ['2026-11-24T09:00:00Z', 64],
  ['2026-11-24T09:00:00', 64],
])('--until %s is refused', async ([until, code]) => {
  await shared(async ({ run }) => {
    const ended = await run('a', 'lock', 'hold', '--reason', 'x', '--until', String(until));
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(/zone|in the past/);
  });
});

describe('the lock of a run', () => {
  test('is shown with its holder, and is neither held nor released by a person', async () => {
    await shared(async ({ run, running }) => {
      await running('a');
      const { stdout } = await run('b', 'lock', 'show');
      expect(stdout).toContain('By        runner-7');
      expect(stdout).toContain('Run       run-1');
      const held = await run('b', 'lock', 'hold', '--reason', 'x');
      expect(held.code).toBe(6);
      expect(held.stderr).toContain('a run holds the lock');
      expect((await run('b', 'lock', 'release')).code).toBe(6);
    });
  });

  test('is broken once it was not renewed for its duration', async () => {
    await shared(async ({ run, running, now, remote }) => {
      await running('a');
      const broken = await run('b', 'lock', 'break', 'run-1');
      expect(broken.stderr).toContain('Watching the lock for 180 s');
      expect([broken.code, now() - START]).toEqual([0, 180_000]);
      expect(git(remote, 'for-each-ref', 'refs/meshform-locks')).toBe('');
    });
  });

  test('is not broken while the run renews it', async () => {
    await shared(async ({ running, runWith }) => {
      const renew = await running('a');
      const { code, stderr } = await runWith({ beforeSleep: renew }, 'b', 'lock', 'break', 'run-1');
      expect(code).toBe(6);
      expect(stderr).toContain('the run renews its lock');
    });
  });

  test('is broken only if its holder is named', async () => {
    await shared(async ({ run, running }) => {
      await running('a');
      const other = await run('b', 'lock', 'break', 'run-2');
      expect(other.code).toBe(6);
      expect(other.stderr).toContain('that run does not hold the lock');
    });
  });
});

test.for(
  someOf(
    [
      ['--wait=10s', 10_000],
      ['--wait=90s', 90_000],
    ] as const,
    1,
  ),
)(
  'apply %s waits for the given time for a run that renews its lock, and is then refused',
  async ([flag, least]) => {
    await shared(async ({ running, runWith, now }) => {
      const renew = await running('a');
      const ended = await runWith({ beforeSleep: renew }, 'b', 'apply', '--yes', flag);
      expect([ended.code, ended.stderr]).toEqual([6, expect.stringContaining('runner-7')]);
      expect(now() - START).toBeGreaterThanOrEqual(least);
      expect(now() - START).toBeLessThan(least + 20_000);
    });
  },
);

test.each([
  ['lock', 'break'],
  ['runs', 'show'],
])('`%s %s` with a folder and no run says that the run is missing', (...command) =>
  machines(async ({ machine }) => {
    const one = await machine('one');
    await one.declare('a');
    const refused = await one.run(...command, 'network');
    expectCode(refused, 64);
    expect(refused.stderr).toContain(`\`meshform ${command.join(' ')} RUN network\``);
  }),
);

describe('lock show --check', () => {
  test('says what to do if the remote no longer exists, or its disk is full', async () => {
    await shared(async ({ run, remote }) => {
      const hook = join(remote, 'hooks/update');
      await mkdir(join(remote, 'hooks'), { recursive: true });
      await writeFile(hook, '#!/bin/sh\necho "fatal: No space left on device"; exit 1\n');
      await chmod(hook, 0o755);
      const full = await run('a', 'lock', 'show', '--check');
      expect(full.code).toBe(6);
      expect(full.stderr).toContain('free disk space at the remote');
      expect(full.stderr).not.toContain('the right to push');
      git(join(remote, '../a'), 'remote', 'set-url', 'origin', `${remote}-gone`);
      const gone = await run('a', 'init', 'other');
      expect(gone.stderr).toContain('make it reachable for git');
      expect(gone.stderr).not.toContain('the right to push');
    });
  });

  test('reports what works, and leaves nothing behind', async () => {
    await shared(async ({ run, remote }) => {
      const { code, stderr } = await run('a', 'lock', 'show', '--check');
      expect(code).toBe(0);
      expect(stderr.match(/^ {2}yes /gm)).toHaveLength(4);
      expect(git(remote, 'for-each-ref', 'refs/meshform-probe')).toBe('');
    });
  });

  test('quotes the error of a remote that accepts only branches', async () => {
    await shared(async ({ run, remote }) => {
      const hook = join(remote, 'hooks/update');
      await mkdir(join(remote, 'hooks'), { recursive: true });
      await writeFile(hook, '#!/bin/sh\ncase $1 in refs/heads/*) ;; *) echo no; exit 1;; esac\n');
      await chmod(hook, 0o755);
      const { code, stderr } = await run('a', 'lock', 'show', '--check');
      expect(code).toBe(6);
      expect(stderr).toContain('no   creates a ref');
      expect(stderr).toContain('hook declined');
      expect(stderr).toContain('--lock file');
    });
  });
});

test('a remote that is unreachable, missing, or not configured in git is reported', async () => {
  await shared(async ({ run, remote }) => {
    await run('a', 'lock', 'show');
    git(join(remote, '../a'), 'remote', 'set-url', 'origin', '/nowhere');
    const away = await run('a', 'lock', 'show');
    expect(away.code).toBe(1);
    expect(away.stderr).toContain('does not answer');
    await writeFile(
      join(remote, '../a/meshform.yaml'),
      `account: ${ACCOUNT}\nlock_remote: upstream\n`,
    );
    const other = await run('a', 'lock', 'show');
    expect(other.code).toBe(3);
    expect(other.stderr).toContain('`upstream`, which is no remote of this clone');
    git(join(remote, '../a'), 'remote', 'remove', 'origin');
    await writeFile(join(remote, '../a/meshform.yaml'), `account: ${ACCOUNT}\n`);
    expect((await run('a', 'lock', 'show')).stderr).toContain('this clone has no remote');
  });
});

test('a new folder in a clone reports what its remote allows', async () => {
  await shared(async ({ run, remote }) => {
    const begun = await run('a', 'init', 'network');
    expect(begun.code, begun.stderr).toBe(0);
    expect(begun.stderr).toContain('`lock: git` works with this remote.');
    expect(git(remote, 'for-each-ref', 'refs/meshform-probe')).toBe('');
  });
});
