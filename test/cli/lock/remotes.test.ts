// Applies with all kinds of remotes: what they allow, refuse and lose. Either an apply is complete, with its lock given back, its base
// recorded and its journal closed, or it ends in time with a sentence that says why.
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { gitAccountLock } from '../../../src/apply/lock/gitAccountLock.ts';
import { separateObjects } from '../../../src/read/remote/objectFolder.ts';
import { git } from '../../support/git.ts';
import { type HttpRemote, hasHttpBackend, httpRemote, PASSWORD, USER } from './httpRemote.ts';
import {
  expectCode,
  FILES,
  type Machine,
  type Machines,
  machines,
  refsAt,
} from './sharedMachines.ts';
import { hasSshServer, type SshRemote, sshRemote } from './sshRemote.ts';

/** An apply that takes, renews and gives back the lock, copies its journal and records its base; then a second one with nothing to do. */
async function applies({ remote, base, groups }: Machines, one: Machine): Promise<void> {
  await one.declare('a', 'b');
  expectCode(await one.apply(), 0);
  expect(await groups()).toEqual(['a', 'b']);
  expect(refsAt(remote, 'refs/meshform-base')).toBe(base);
  const runs = await one.run('runs', 'network', '--format', 'json');
  expectCode(runs, 0);
  expect(JSON.parse(runs.stdout).runs).toMatchObject([{ outcome: 'complete' }]);
  await one.declare('a');
  expectCode(await one.apply(), 0);
  expect(await groups()).toEqual(['a']);
  const shown = await one.run('lock', 'show', 'network');
  expect(shown.stdout).toContain('Nobody holds');
}

/** An apply that ends before its first write with this code, and says so. */
async function refuses({ groups }: Machines, one: Machine, said: RegExp, code = 6): Promise<void> {
  await one.declare('a');
  const refused = await one.apply();
  expectCode(refused, code);
  expect(refused.stderr).toMatch(said);
  expect(await groups()).toEqual([]);
}

async function script(path: string, ...lines: string[]): Promise<string> {
  await writeFile(path, `#!/bin/sh\n${lines.join('\n')}\n`);
  await chmod(path, 0o755);
  return path;
}

async function hook({ remote }: Machines, name: string, ...lines: string[]): Promise<string> {
  await mkdir(join(remote, 'hooks'), { recursive: true });
  return script(join(remote, 'hooks', name), ...lines);
}

describe('a remote that is configured', () => {
  test('a remote that is configured by its path is reached', { tags: 'variation' }, async () => {
    await machines(async all => {
      const one = await all.machine('one');
      git(one.folder, 'remote', 'set-url', 'origin', all.remote);
      await applies(all, one);
    });
  });

  test('a remote that is configured by a relative path is reached', {
    tags: 'variation',
  }, async () => {
    await machines(async all => {
      const one = await all.machine('one');
      git(one.folder, 'remote', 'set-url', 'origin', '../remote.git');
      await applies(all, one);
    });
  });

  test('a remote whose address the user’s git settings replace is reached', {
    tags: 'variation',
  }, async () => {
    await machines(async all => {
      const one = await all.machine('one');
      const home = `${one.folder}-home`;
      await mkdir(home, { recursive: true });
      const lines = [`[url "${all.remote}"]`, '\tinsteadOf = https://forge.invalid/network'];
      await writeFile(join(home, '.gitconfig'), `${lines.join('\n')}\n`);
      await one.declare('a', 'b');
      git(one.folder, 'remote', 'set-url', 'origin', 'https://forge.invalid/network');
      expectCode(await one.apply(), 0);
      expect(refsAt(all.remote, 'refs/meshform-base')).toBe(all.base);
      expect(await all.groups()).toEqual(['a', 'b']);
    });
  });

  test('a remote that would start a program is refused, even if the settings of the repository allow it', async () => {
    await machines(async all => {
      const one = await all.machine('one');
      await one.declare('a', 'b');
      const started = join(one.folder, '../started');
      git(one.folder, 'remote', 'set-url', 'origin', `ext::touch ${started}`);
      git(one.folder, 'config', 'protocol.ext.allow', 'always');
      const refused = await one.apply();
      expectCode(refused, 6);
      expect(refused.stderr).toContain("transport 'ext' not allowed");
      expect(existsSync(started)).toBe(false);
      expect(await all.groups()).toEqual([]);
    });
  });

  // The program in the place of ssh runs what it is told to run on the other machine.
  test('a remote over ssh is reached', { tags: 'variation' }, async () => {
    await machines(async all => {
      const one = await all.machine('one');
      const log = join(one.folder, '../ssh.log');
      const ssh = await script(
        join(one.folder, '../ssh'),
        'for last; do :; done',
        `echo "$last" >> ${log}`,
        'exec sh -c "$last"',
      );
      git(one.folder, 'config', 'core.sshCommand', ssh);
      git(one.folder, 'config', 'ssh.variant', 'ssh');
      git(one.folder, 'remote', 'set-url', 'origin', `ssh://git@example.com${all.remote}`);
      await applies(all, one);
      const asked = await readFile(log, 'utf8');
      expect(asked).toMatch(/^git-upload-pack '/m);
      expect(asked).toMatch(/^git-receive-pack '/m);
    });
  });
});

describe.skipIf(!hasSshServer)('a remote over SSH', () => {
  async function overSsh(
    use: (all: Machines, one: Machine, ssh: SshRemote) => Promise<void>,
  ): Promise<void> {
    await machines(async all => {
      const ssh = await sshRemote(all.remote, join(all.remote, '../ssh'));
      onTestFinished(() => ssh.close());
      const one = await all.machine('one');
      await one.declare('a', 'b');
      git(one.folder, 'remote', 'set-url', 'origin', ssh.url);
      await use(all, one, ssh);
    });
  }

  test('is reached with the key that `GIT_SSH_COMMAND` names', () =>
    overSsh(async (all, one, ssh) => {
      const key = { GIT_SSH_COMMAND: ssh.command };
      expectCode(await one.runWith(key, ...FILES, '--yes'), 0);
      expect(await all.groups()).toEqual(['a', 'b']);
      expect(refsAt(all.remote, 'refs/meshform-base')).toBe(all.base);
      expect(refsAt(all.remote, 'refs/meshform-locks')).toBe('');
      const runs = await one.runWith(key, 'runs', 'network', '--format', 'json');
      expect(JSON.parse(runs.stdout).runs).toMatchObject([{ outcome: 'complete' }]);
      expectCode(await one.runWith(key, 'plan', 'network', '--base', 'auto'), 0);
    }));

  test('is refused before the first write if its key is unknown, and nobody is asked', () =>
    overSsh(async (all, one) => {
      const refused = await one.apply();
      expectCode(refused, 6);
      expect(refused.stderr).toContain('Host key verification failed. Could not read');
      expect(await all.groups()).toEqual([]);
    }));
});

describe.skipIf(!hasHttpBackend)('a remote over HTTP', () => {
  async function overHttp(
    use: (all: Machines, one: Machine, http: HttpRemote) => Promise<void>,
  ): Promise<void> {
    await machines(async all => {
      const http = await httpRemote(all.remote);
      onTestFinished(() => http.close());
      const one = await all.machine('one');
      git(one.folder, 'remote', 'set-url', 'origin', http.url);
      const says = `case "$1" in User*) echo ${USER} ;; *) echo ${PASSWORD} ;; esac`;
      const asking = await script(join(one.folder, '../askpass'), says);
      git(one.folder, 'config', 'core.askPass', asking);
      await use(all, one, http);
    });
  }

  test('is reached with the credentials of the job', () =>
    overHttp(async (all, one, http) => {
      await applies(all, one);
      expect(http.asked.filter(line => line.includes('POST')).join('\n')).toContain('receive-pack');
    }));

  test('a remote over HTTP without credentials is refused before the first write, without a prompt', () =>
    overHttp(async (all, one) => {
      const declared = one.declare('a');
      await declared;
      git(one.folder, 'config', '--unset', 'core.askPass');
      const refused = await one.apply();
      expectCode(refused, 6);
      expect(refused.stderr).toMatch(
        /cannot be read.*could not read Username|terminal prompts disabled/,
      );
      expect(await all.groups()).toEqual([]);
    }));

  test(
    'a remote that rejects pushes of this job is refused before the first write, after a few attempts',
    { tags: 'variation' },
    () =>
      overHttp(async (all, one, http) => {
        await one.declare('a');
        http.isReadOnly = true;
        const before = http.asked.length;
        const refused = await one.apply();
        expectCode(refused, 6);
        expect(refused.stderr).toMatch(/403/);
        expect(refused.stderr).toContain('--lock file');
        expect(await all.groups()).toEqual([]);
        expect(http.asked.length - before).toBeLessThan(60);
      }),
  );

  test(
    'a remote that loses responses to pushes is asked for the result',
    { tags: 'variation' },
    () =>
      overHttp(async (all, one, http) => {
        await one.declare('a', 'b');
        // Of the lock, of the journal with the renewal, and of the base with the release.
        http.lostAnswers = 3;
        expectCode(await one.apply(), 0);
        expect(http.lostAnswers).toBe(0);
        expect(await all.groups()).toEqual(['a', 'b']);
        expect(refsAt(all.remote, 'refs/meshform-base')).toBe(all.base);
        expect(refsAt(all.remote, 'refs/meshform-locks')).toBe('');
      }),
  );
});

const NO_DELETIONS = 'case $3 in *[!0]*) ;; *) echo "no deletions"; exit 1 ;; esac';
const ONLY_FORWARD =
  'case $2$3 in *0000000000*) ;; *) git merge-base --is-ancestor $2 $3 || { echo "only forward"; exit 1; } ;; esac';

describe('a remote that restricts ref updates', () => {
  test.for([
    ['no deletions', [NO_DELETIONS]],
    ['only moves forward', [ONLY_FORWARD]],
    ['neither', [NO_DELETIONS, ONLY_FORWARD]],
  ] as const)('accepts an apply with %s allowed', { tags: 'variation' }, async ([, lines]) => {
    await machines(async all => {
      // Git itself applies `receive.denyDeletes` and `receive.denyNonFastForwards` to branches alone.
      git(all.remote, 'config', 'receive.denyDeletes', 'true');
      git(all.remote, 'config', 'receive.denyNonFastForwards', 'true');
      const one = await all.machine('one');
      await hook(all, 'update', ...lines, 'exit 0');
      await applies(all, one);
      const two = await all.machine('two');
      await two.declare('a', 'c');
      expectCode(await two.apply(), 0);
      expect(await all.groups()).toEqual(['a', 'c']);
      const checked = await two.run('lock', 'show', 'network', '--check');
      expectCode(checked, 0);
      expect(checked.stderr).toContain('`lock: git` works with this remote');
    });
  });

  test('refuses an apply before its first write if it allows only branches and tags', async () => {
    await machines(async all => {
      const one = await all.machine('one');
      await hook(
        all,
        'pre-receive',
        'while read old new ref; do case $ref in refs/heads/*|refs/tags/*) ;; *) echo "branches and tags only"; exit 1 ;; esac; done',
      );
      await refuses(all, one, /branches and tags only.*--lock file/);
      const checked = await one.run('lock', 'show', 'network', '--check');
      expectCode(checked, 6);
      expect(checked.stderr).toContain('does not work with this remote');
      expectCode(await one.apply('--lock', 'file'), 0);
    });
  });
});

describe('a remote whose disk is full', () => {
  // No file may become larger than nothing: as on a full disk, a write fails.
  const FULL = ['trap "" XFSZ', 'ulimit -f 0', 'exec git-receive-pack "$@"'];

  test('refuses an apply before its first write', { tags: 'variation' }, async () => {
    await machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      const full = await script(join(one.folder, '../receive-pack'), ...FULL);
      git(one.folder, 'config', 'remote.origin.receivepack', full);
      const refused = await one.apply();
      expectCode(refused, 6);
      expect(refused.stderr).toMatch(/File too large|unpack/);
      expect(await all.groups()).toEqual([]);
    });
  });

  // A person is asked between the lock and the journal; without them both go in one push.
  test('ends an apply before its first write if it fills up after the lock was taken', async () => {
    await machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      const once = join(one.folder, '../taken');
      const full = await script(
        join(one.folder, '../receive-pack'),
        `[ -e ${once} ] || { touch ${once}; exec git-receive-pack "$@"; }`,
        ...FULL,
      );
      git(one.folder, 'config', 'remote.origin.receivepack', full);
      const ended = await one.runAnswering('yes', ...FILES);
      expectCode(ended, 6);
      expect(`${ended.stdout}${ended.stderr}`).toMatch(/File too large|unpack/);
      expect(`${ended.stdout}${ended.stderr}`).toContain('free disk space at the remote');
      expect(await all.groups()).toEqual([]);
    });
  });
});

describe('a remote that loses connections', { tags: 'variation' }, () => {
  // After the refs were moved, and before that: in the first case the push is done, in the second one it is not.
  test.for([
    ['after', 'reference-transaction', '[ "$1" = committed ] || exit 0'],
    ['before', 'pre-receive', ''],
  ] as const)(
    '%s it moves refs is asked again, and the apply is completed',
    async ([, name, first]) => {
      const lost = [
        { nth: 1, pushes: 2, isAsked: false },
        { nth: 2, pushes: 2, isAsked: false },
        { nth: 2, pushes: 3, isAsked: true },
      ];
      for (const { nth, pushes, isAsked } of lost)
        await machines(async all => {
          const one = await all.machine('one');
          await one.declare('a', 'b');
          const count = join(one.folder, '../count');
          await hook(
            all,
            name,
            first,
            `echo >> ${count}`,
            `[ $(wc -l < ${count}) = ${nth} ] && kill -9 $PPID`,
            'exit 0',
          );
          expectCode(await (isAsked ? one.runAnswering('yes', ...FILES) : one.apply()), 0);
          const { length } = await readFile(count, 'utf8');
          expect(length, `${nth} of ${pushes}`).toBeGreaterThanOrEqual(pushes);
          expect(await all.groups()).toEqual(['a', 'b']);
          expect(refsAt(all.remote, 'refs/meshform-base')).toBe(all.base);
          expect(refsAt(all.remote, 'refs/meshform-locks')).toBe('');
          await rm(join(all.remote, 'hooks', name));
          expectCode(await one.run('plan', 'network', '--base', 'auto'), 0);
        });
    },
  );
});

describe('a remote that hangs', { tags: 'variation' }, () => {
  test('is given up after the time limit of a connection', async () => {
    await machines(async all => {
      const { folder } = await all.machine('one');
      const log = join(folder, '../ssh.log');
      const ssh = await script(join(folder, '../ssh'), `echo $$ >> ${log}`, 'exec cat');
      git(folder, 'config', 'core.sshCommand', ssh);
      git(folder, 'config', 'ssh.variant', 'ssh');
      git(folder, 'remote', 'set-url', 'origin', `ssh://git@example.com${all.remote}`);
      const place = { folder, host: { env: process.env } };
      const objects = await separateObjects(place, { state: `${folder}-state`, now: 0 });
      const lock = gitAccountLock(
        { objects, name: 'origin', patience: 300 },
        {
          account: 'a1',
          now: () => 0,
          holder: { id: 'r1', machine: 'one', since: '' },
          ttl: 180,
          wait: 0,
          clocks: { monotonic: () => 0, wall: () => 0 },
          sleep: async () => {},
        },
      );
      expect(await lock.take()).toMatchObject({
        refused: 'remote-unreachable',
        why: expect.stringContaining('did not finish'),
      });
      // The lock was asked for, and nothing waited longer than it may.
      expect((await readFile(log, 'utf8')).trim().split('\n').length).toBeGreaterThan(1);
    });
  });
});

/** The refs, the history and the depth of a clone. */
const stateOf = ({ folder }: Machine): string =>
  git(folder, 'for-each-ref') + git(folder, 'log', '--format=%H');

describe('a clone', () => {
  test('a clone with several remotes uses the one that `lock_remote` names, for locks, bases and journals', {
    tags: 'variation',
  }, async () => {
    await machines(async all => {
      const other = join(all.remote, '../other.git');
      git(all.remote, 'clone', '--quiet', '--bare', all.remote, other);
      const one = await all.machine('one');
      git(one.folder, 'remote', 'add', 'locks', `file://${other}`);
      await one.declare('a');
      const project = join(one.folder, 'network/meshform.yaml');
      await writeFile(project, `account: ${all.id}\nlock_remote: locks\n`);
      git(one.folder, 'commit', '--quiet', '--all', '--message=another remote');
      expectCode(await one.apply(), 0);
      expect(refsAt(all.remote, 'refs/meshform-*')).toBe('');
      expect(refsAt(other, 'refs/meshform-base')).toBe(all.base);
      expect(refsAt(other, 'refs/meshform-journal')).not.toBe('');
      expectCode(await one.run('lock', 'show', 'network', '--check'), 0);
      await writeFile(project, `account: ${all.id}\nlock_remote: nowhere\n`);
      git(one.folder, 'commit', '--quiet', '--all', '--message=no remote');
      const unknown = await one.apply();
      expectCode(unknown, 3);
      expect(unknown.stderr).toContain('remotes are: `origin`, `locks`');
    });
  });

  describe('whose files name a remote that lacks the bases of another remote', {
    tags: 'variation',
  }, () => {
    /** A clone with two remotes: the first one has the base of `a` and its guard, the files of the next change name the other one. */
    async function forked(
      use: (all: Machines, two: Machine, fork: string) => Promise<void>,
    ): Promise<void> {
      await machines(async all => {
        const one = await all.machine('one');
        await one.declare('a');
        expectCode(await one.apply(), 0);
        const fork = join(all.remote, '../fork.git');
        git(all.remote, 'init', '--quiet', '--bare', fork);
        const two = await all.machine('two');
        git(two.folder, 'remote', 'add', 'fork', `file://${fork}`);
        const project = `account: ${all.id}\nlock_remote: fork\n`;
        await writeFile(join(two.folder, 'network/meshform.yaml'), project);
        await writeFile(join(two.folder, 'network/groups.yaml'), 'groups: [{ name: b }]\n');
        git(two.folder, 'commit', '--quiet', '--all', '--message=another remote');
        git(two.folder, 'push', '--quiet', 'origin', 'HEAD:main');
        await use(all, two, fork);
      });
    }

    const PLAN = ['plan', 'network', '--base', 'auto', '--record-base', '--prune', 'removed'];

    test('is refused, and the commands that move the bases are printed', () =>
      forked(async (all, two, fork) => {
        const other = '`origin` has bases of the account';
        const refused = await two.apply();
        expectCode(refused, 6);
        expect(refused.stderr).toContain(other);
        const unlocked = await two.run('apply', 'network', '--yes');
        expectCode(unlocked, 6);
        const planned = await two.run(...PLAN);
        expectCode(planned, 6);
        expect(planned.stderr).toContain(other);
        expect(await all.groups()).toEqual(['a']);
        expect(refsAt(fork, 'refs/meshform-*')).toBe('');
        const every = 'refs/meshform-base/*:refs/meshform-base/*';
        expect(refused.stderr).toContain(`git fetch origin '+${every}'`);
        expect(refused.stderr).toContain(`git push fork '${every}'`);
        git(two.folder, 'fetch', '--quiet', 'origin', `+${every}`);
        git(two.folder, 'push', '--quiet', 'fork', every);
        expectCode(await two.apply(), 0);
        expect(await all.groups()).toEqual(['b']);
        // The remote that is named has the newer base now.
        expectCode(await two.run(...PLAN), 0);
      }));

    test('is refused too if the named remote has an older base', { tags: 'variation' }, () =>
      forked(async (all, two, fork) => {
        git(all.remote, 'push', '--quiet', fork, `${all.base}:${all.base}`);
        const three = await all.machine('three');
        const project = join(three.folder, 'network/meshform.yaml');
        await writeFile(project, `account: ${all.id}\n`);
        git(three.folder, 'commit', '--quiet', '--all', '--message=the remote as before');
        expectCode(await three.apply(), 0);
        expect(await all.groups()).toEqual(['b']);
        const refused = await two.apply();
        expectCode(refused, 6);
        expect(refused.stderr).toContain('`origin` has newer bases of the account');
      }),
    );
  });

  describe('whose files choose a lock file while a remote has bases of the account', {
    tags: 'variation',
  }, () => {
    const PLAN = ['plan', 'network', '--base', 'auto', '--record-base', '--prune', 'removed'];
    const EVERY = 'refs/meshform-base/*:refs/meshform-base/*';

    /** A clone without bases, whose files declare `b`, where the base at the remote has `a`, and say `lock: file`. */
    async function withFile(use: (all: Machines, two: Machine) => Promise<void>): Promise<void> {
      await machines(async all => {
        const one = await all.machine('one');
        await one.declare('a');
        expectCode(await one.apply(), 0);
        const two = await all.machine('two');
        const project = join(two.folder, 'network/meshform.yaml');
        await writeFile(project, `account: ${all.id}\nlock: file\n`);
        await writeFile(join(two.folder, 'network/groups.yaml'), 'groups: [{ name: b }]\n');
        git(two.folder, 'commit', '--quiet', '--all', '--message=a file');
        git(two.folder, 'push', '--quiet', 'origin', 'HEAD:main');
        await use(all, two);
      });
    }

    test('is refused until it has fetched them', () =>
      withFile(async (all, two) => {
        for (const words of [['--base', 'auto', '--record-base', '--first'], []]) {
          const refused = await two.run('apply', 'network', '--yes', ...words);
          expectCode(refused, 6);
          expect(refused.stderr).toContain('`origin` has bases of the account');
          expect(refused.stderr).toContain(`git fetch origin '+${EVERY}'`);
        }
        const planned = await two.run(...PLAN);
        expectCode(planned, 3);
        expect(planned.stderr).toContain(`git fetch origin '+${EVERY}'`);
        expect(await all.groups()).toEqual(['a']);
        git(two.folder, 'fetch', '--quiet', 'origin', `+${EVERY}`);
        expectCode(await two.apply(), 0);
        expect(await all.groups()).toEqual(['b']);
        // What it recorded is newer than the base at the remote.
        expectCode(await two.run(...PLAN), 0);
      }));

    test('is refused if its bases are older, or if somebody holds the lock at that remote', () =>
      withFile(async (all, two) => {
        git(two.folder, 'fetch', '--quiet', 'origin', `+${EVERY}`);
        const one = await all.machine('three');
        await one.declare('a', 'c');
        expectCode(await one.apply(), 0);
        for (const older of [
          await two.apply(),
          await two.run(...PLAN),
          await two.run('base', 'adopt', 'network', 'network', '--yes'),
        ]) {
          expectCode(older, 6);
          expect(older.stderr).toContain('`origin` has newer bases of the account');
        }
        git(two.folder, 'fetch', '--quiet', 'origin', `+${EVERY}`);
        expectCode(await one.run('lock', 'hold', 'network', '--reason', 'a freeze'), 0);
        const held = await two.run('apply', 'network', '--yes');
        expectCode(held, 6);
        expect(held.stderr).toContain('a freeze');
        expect(await all.groups()).toEqual(['a', 'c']);
        // Whoever runs it may decide otherwise, the files may not.
        expectCode(await two.run('apply', 'network', '--yes', '--lock', 'file'), 0);
      }));
  });

  test('made with --mirror, which has a worktree, applies and gets no refs', {
    tags: 'variation',
  }, async () => {
    await machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      const mirror = join(all.remote, '../mirror.git');
      git(all.remote, 'clone', '--quiet', '--mirror', `file://${all.remote}`, mirror);
      git(mirror, 'worktree', 'add', '--quiet', '--detach', join(one.folder, '../tree'));
      const before = git(mirror, 'for-each-ref');
      const words = ['apply', '../tree/network', '--record-base', '--yes'];
      expectCode(await one.run('lock', 'hold', '../tree/network', '--reason', 'a freeze'), 0);
      expectCode(await one.run(...words), 6);
      expectCode(await one.run('lock', 'release', '../tree/network'), 0);
      expectCode(await one.run(...words), 0);
      expect(await all.groups()).toEqual(['a']);
      expect(refsAt(all.remote, 'refs/meshform-base')).not.toBe('');
      expect(refsAt(all.remote, 'refs/heads')).toBe('refs/heads/main');
      expect(git(mirror, 'for-each-ref')).toBe(before);
    });
  });

  test('a clone whose settings add options to pushes and fetches applies, and sends only its own refs', {
    tags: 'variation',
  }, async () => {
    await machines(async all => {
      const one = await all.machine('one');
      await one.declare('a', 'b');
      git(one.folder, 'tag', '--annotate', '--message=a tag', 'v1');
      for (const [key, value] of [
        ['push.pushOption', 'ci.skip'],
        ['push.followTags', 'true'],
        ['push.gpgSign', 'true'],
        ['push.negotiate', 'true'],
        ['push.useForceIfIncludes', 'true'],
        ['fetch.prune', 'true'],
        ['remote.origin.prune', 'true'],
        ['remote.origin.pruneTags', 'true'],
        ['remote.origin.tagOpt', '--tags'],
        ['remote.origin.push', '+refs/tags/*:refs/tags/*'],
        ['color.ui', 'always'],
        ['color.remote', 'always'],
      ] as const)
        git(one.folder, 'config', key, value);
      expectCode(await one.apply(), 0);
      expectCode(await one.run('plan', 'network', '--base', 'auto'), 0);
      expect(await all.groups()).toEqual(['a', 'b']);
      expect(refsAt(all.remote, 'refs/meshform-base')).toBe(all.base);
      expect(refsAt(all.remote, 'refs/tags')).toBe('');
      expect(git(one.folder, 'tag')).toBe('v1\n');
    });
  });

  test('a clone with a detached head applies, and its head stays detached', {
    tags: 'variation',
  }, async () => {
    await machines(async all => {
      const one = await all.machine('one');
      await one.declare('a', 'b');
      expectCode(await one.apply(), 0);
      await one.declare('a');
      const two = await all.machine('two');
      git(two.folder, 'checkout', '--quiet', '--detach');
      const before = stateOf(two);
      expectCode(await two.apply(), 0);
      expect(stateOf(two)).toBe(before);
      expect(await all.groups()).toEqual(['a']);
    });
  });

  test('a clone that lacks the history of the recorded base is refused before the first write, and stays unchanged', async () => {
    await machines(async all => {
      const one = await all.machine('one');
      await one.declare('a', 'b');
      expectCode(await one.apply(), 0);
      await one.declare('a');
      const two = await all.machine('two', '--depth=1');
      const before = stateOf(two);
      const refused = await two.apply();
      expectCode(refused, 3);
      expect(refused.stderr).toContain('git fetch --unshallow');
      expect(stateOf(two)).toBe(before);
      expect(await all.groups()).toEqual(['a', 'b']);
    });
  });

  test('has worktrees, which share the lock of its remote', { tags: 'variation' }, async () => {
    await machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      git(one.folder, 'worktree', 'add', '--quiet', '--detach', '../one-tree');
      const tree = { ...one, folder: join(one.folder, '../one-tree') };
      expectCode(await one.run('lock', 'hold', 'network', '--reason', 'a freeze'), 0);
      const words = ['apply', '../one-tree/network', '--record-base', '--yes'];
      expectCode(await one.run(...words), 6);
      expectCode(await one.run('lock', 'release', '../one-tree/network'), 0);
      expectCode(await one.run(...words), 0);
      expect(git(tree.folder, 'status', '--short')).toBe('');
      expect(refsAt(all.remote, 'refs/meshform-base')).toContain('network');
    });
  });
});

test('a folder that does not exist is reported as missing, where no file names the account', () =>
  machines(async ({ machine }) => {
    const one = await machine('one');
    await one.declare('a');
    for (const argv of [
      ['runs', 'nowhere'],
      ['lock', 'show', 'nowhere'],
      ['base', 'show', 'nowhere'],
    ]) {
      const { code, stderr } = await one.run(...argv);
      expect([argv, code, stderr]).toEqual([
        argv,
        3,
        expect.stringContaining('`nowhere` does not exist'),
      ]);
    }
  }));

describe('files that no longer name their account', { tags: 'variation' }, () => {
  const WITHOUT = /`account`|has a recorded base that was not fetched/;

  test('are neither planned nor expired without the bases of the remote, because these depend on the account', () =>
    machines(async ({ machine, groups }) => {
      const one = await machine('one');
      await one.declare('a');
      expectCode(await one.apply(), 0);
      const two = await machine('two');
      const ended = 'groups: [{ name: a, lifecycle: { until: 1969-01-01 } }]\n';
      const { folder } = two;
      await writeFile(join(folder, 'network/meshform.yaml'), '{}\n');
      await writeFile(join(folder, 'network/groups.yaml'), ended);
      for (const argv of [
        ['plan', 'network', '--base', 'auto'],
        ['plan', 'network', '--record-base'],
        ['expire', 'network', '--yes'],
      ]) {
        const { code, stderr } = await two.run(...argv);
        expect([argv, code, stderr]).toEqual([argv, 3, expect.stringMatching(WITHOUT)]);
      }
      // What is missing is said at once.
      const missing = await two.run('apply', 'network', '--record-base', '--yes');
      expectCode(missing, 3);
      expect(missing.stderr).toContain('write `account` into meshform.yaml');
      expect(missing.stderr).toContain(
        "if the lock is a file, fetch the base too: git fetch origin '+refs/meshform-base/*:refs/meshform-base/*'",
      );
      expect(await groups()).toEqual(['a']);
      // The bases may be at any remote of the clone.
      git(folder, 'init', '--quiet', '--bare', join(folder, '../empty.git'));
      git(folder, 'remote', 'add', 'aside', join(folder, '../empty.git'));
      git(folder, 'remote', 'rename', 'origin', 'zone');
      git(folder, 'remote', 'rename', 'aside', 'origin');
      const { code, stderr } = await two.run('plan', 'network', '--record-base');
      expect([code, stderr]).toEqual([3, expect.stringMatching(WITHOUT)]);
    }));
});
