// The files of a change say where the lock and the bases are. Whatever they say, a run does not overlook who holds the lock of the account
// at another remote of the clone, what nobody finished there, and what is newer there.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitLock } from '../../../src/apply/lock/gitLock.ts';
import { takeRemoteLock } from '../../../src/apply/lock/remoteLock.ts';
import { separateObjects } from '../../../src/read/remote/objectFolder.ts';
import { git } from '../../support/git.ts';
import {
  expectCode,
  failingGit,
  type Machine,
  type Machines,
  machines,
  PRUNE,
  refsAt,
} from './sharedMachines.ts';

interface Copied extends Machines {
  /** Its clone has the remotes `origin`, which has the base of `a`, and `fork`, which has a copy of it. */
  readonly one: Machine;
  readonly fork: string;
}

const copied = (story: (all: Copied) => Promise<void>): Promise<void> =>
  machines(async all => {
    const one = await all.machine('one');
    await one.declare('a');
    expectCode(await one.apply(), 0);
    const fork = join(all.remote, '../fork.git');
    git(all.remote, 'init', '--quiet', '--bare', fork);
    git(all.remote, 'push', '--quiet', fork, 'refs/*:refs/*');
    git(one.folder, 'remote', 'add', 'fork', `file://${fork}`);
    await story({ ...all, one, fork });
  });

/** A merged change of the project file that adds this line, and a group `b`. */
async function merged({ id, one: { folder } }: Copied, line: string): Promise<void> {
  await writeFile(join(folder, 'network/groups.yaml'), 'groups: [{ name: a }, { name: b }]\n');
  await project({ id, folder }, line);
}

async function project(
  { id, folder }: { readonly id: string; readonly folder: string },
  line: string,
): Promise<void> {
  await writeFile(join(folder, 'network/meshform.yaml'), `account: ${id}\n${line}`);
  git(folder, 'commit', '--quiet', '--all', '--message=another remote');
}

/** An apply of the files that records the base. */
const RECORDS = ['--prune', 'removed', '--base', 'auto', '--record-base', '--yes'];
const FORK = 'lock_remote: fork\n';
const FILE = 'lock: file\n';

test(
  'a hold at another remote of the clone refuses the apply, whichever remote the files choose',
  { tags: 'variation' },
  () =>
    copied(async all => {
      const { one, groups } = all;
      expectCode(await one.run('lock', 'hold', 'network', '--reason', 'a freeze'), 0);
      for (const [line, because] of [
        [FORK, '`lock_remote: fork` in meshform.yaml would not see'],
        [FILE, '`lock: file` in meshform.yaml would not see'],
      ] as const) {
        await merged(all, line);
        for (const words of [[], ['--base', 'auto', '--record-base', '--prune', 'removed']]) {
          const held = await one.run('apply', 'network', '--yes', ...words);
          expectCode(held, 6);
          expect(held.stderr).toContain(
            `somebody holds the lock of the account at the remote \`origin\`, and ${because}`,
          );
          expect(held.stderr).toContain('a freeze');
        }
      }
      expect(await groups()).toEqual(['a']);
      await project({ ...all, folder: one.folder }, '');
      expectCode(await one.run('lock', 'release', 'network'), 0);
      await project({ ...all, folder: one.folder }, FORK);
      expectCode(await one.apply(), 0);
      expect(await groups()).toEqual(['a', 'b']);
    }),
);

test(
  'a hold at the remote that the files no longer choose refuses the apply',
  { tags: 'variation' },
  () =>
    copied(async all => {
      const { one, groups } = all;
      await merged(all, FORK);
      expectCode(await one.run('lock', 'hold', 'network', '--reason', 'a freeze'), 0);
      await project({ ...all, folder: one.folder }, '');
      const held = await one.apply();
      expectCode(held, 6);
      expect(held.stderr).toContain(
        'at the remote `fork`, and a run with its lock at `origin` would not see that',
      );
      expect(await groups()).toEqual(['a']);
    }),
);

test('an expired hold stops no apply', { tags: 'variation' }, () =>
  copied(async all => {
    const { one, groups } = all;
    const until = ['--reason', 'a freeze', '--until', '1970-01-01T00:01:00Z'];
    expectCode(await one.run('lock', 'hold', 'network', ...until), 0);
    await merged(all, FORK);
    expectCode(await one.apply(), 6);
    expectCode(await one.applyAt(60_000), 0);
    expect(await groups()).toEqual(['a', 'b']);
  }),
);

test('an unfinished apply at another remote refuses an apply, until it is closed at that remote', () =>
  copied(async all => {
    const { one, account } = all;
    await one.declare('a', 'c', 'd');
    const fault = { method: 'POST', path: '/api/groups', effect: 'status', status: 400, times: 1 };
    await account.fault(fault);
    expectCode(await one.apply(), 4);
    for (const line of [FORK, FILE]) {
      await merged(all, line);
      const refused = await one.apply();
      expectCode(refused, 6);
      expect(refused.stderr).toMatch(
        /the apply [0-9a-f]{8} of these files is not finished: its journal is at the remote `origin`/,
      );
    }
    await merged(all, FORK);
    const named = /--abandon (?<run>[0-9a-f]{8})/.exec((await one.apply()).stderr)?.groups;
    await project({ ...all, folder: one.folder }, '');
    expectCode(await one.run('apply', 'network', '--abandon', named?.run ?? '', '--yes'), 0);
    git(one.folder, 'revert', '--no-edit', 'HEAD');
    expectCode(await one.apply(), 0);
  }));

test('a base at another remote that the chosen one lacks, or does not follow, refuses the apply', () =>
  copied(async all => {
    const { one, fork, base } = all;
    await merged(all, FORK);
    git(fork, 'update-ref', `${base}-other`, base);
    git(all.remote, 'update-ref', `${base}-more`, base);
    const lacking = await one.apply();
    expectCode(lacking, 6);
    expect(lacking.stderr).toContain('`origin` has bases of the account');
    git(all.remote, 'update-ref', '-d', `${base}-more`);
    expectCode(await one.apply(), 0);
    const two = await all.machine('two');
    await two.declare('a', 'c');
    expectCode(await two.apply(), 0);
    const apart = await one.apply();
    expectCode(apart, 6);
    expect(apart.stderr).toContain('`origin` has newer bases of the account');
  }));

test(
  'an older copy of the remote, a second name for it, and an unreachable remote do not stop an apply',
  { tags: 'variation' },
  () =>
    copied(async all => {
      const { one, remote, fork, groups } = all;
      git(one.folder, 'remote', 'add', 'again', `file://${remote}`);
      git(one.folder, 'remote', 'add', 'gone', `file://${remote}-gone`);
      await one.declare('a', 'b');
      expectCode(await one.apply(), 0);
      const held = await one.run('lock', 'hold', 'network', '--reason', 'a freeze');
      expectCode(held, 0);
      const refused = await one.apply();
      expectCode(refused, 6);
      expect(refused.stderr).toContain('is held on purpose, at the remote `origin`');
      expectCode(await one.run('lock', 'release', 'network'), 0);
      await one.declare('a', 'b', 'c');
      expectCode(await one.apply(), 0);
      expect(await groups()).toEqual(['a', 'b', 'c']);
      expect(refsAt(fork, 'refs/meshform-locks')).toBe('');
    }),
);

test(
  'no hold is taken at a remote that the applies of others do not use',
  { tags: 'variation' },
  () =>
    copied(async all => {
      const { one, id, lock, remote } = all;
      const fork = join(all.remote, '../empty.git');
      git(all.remote, 'init', '--quiet', '--bare', fork);
      git(one.folder, 'remote', 'add', 'empty', `file://${fork}`);
      await project({ id, folder: one.folder }, 'lock_remote: empty\n');
      const bases = 'the remote `origin` has bases of the account that `empty` does not have';
      const refused = await one.run('lock', 'hold', 'network', '--reason', 'a freeze');
      expectCode(refused, 6);
      expect(refused.stderr).toContain(bases);
      expect(refsAt(fork, 'refs/meshform-locks')).toBe('');
      const checked = await one.run('lock', 'show', 'network', '--check');
      expectCode(checked, 6);
      expect(checked.stdout).toContain(bases);
      expect(checked.stderr).not.toContain('works with this remote');
      await project({ id, folder: one.folder }, '');
      const held = await one.run('lock', 'hold', 'network', '--reason', 'a freeze');
      expectCode(held, 0);
      expect(held.stderr).toContain('is held at the remote `origin`');
      await project({ id, folder: one.folder }, FORK);
      // A second hold would hide the first.
      const second = await one.run('lock', 'hold', 'network', '--reason', 'mine');
      expectCode(second, 6);
      expect(second.stderr).toContain(
        'somebody holds the lock of the account at the remote `origin`',
      );
      expect(refsAt(remote, 'refs/meshform-locks')).toBe(lock);
    }),
);

const APPLY = ['apply', 'network', ...PRUNE, '--base', 'auto', '--record-base', '--yes'];

/** What `lock show` says for programs. */
const shown = async (one: Machine) =>
  JSON.parse((await one.run('lock', 'show', 'network', '--format', 'json')).stdout);

/** Holds the lock at the fork as a run does; resolves to what gives it back. */
async function runAtFork({ id, one }: Copied): Promise<() => Promise<unknown>> {
  const place = { folder: one.folder, host: { env: process.env } };
  const objects = await separateObjects(place, { state: `${one.folder}-fork-state`, now: 0 });
  const held = await takeRemoteLock(
    gitLock({ objects, name: 'fork', patience: 30_000 }, id, () => 0),
    {
      holder: { id: 'run-at-fork', machine: 'runner-7', since: '1970-01-01T00:00:00Z' },
      ttl: 15,
      wait: 0,
      clocks: { monotonic: () => 0, wall: () => 0 },
      sleep: async () => {},
    },
  );
  if (held.is !== 'held') throw new Error(held.is);
  return () => held.release();
}

describe('an apply with --wait', () => {
  const waiting = [...APPLY, '--wait', '10m'];

  test('waits for a run that holds the lock at another remote', { tags: 'variation' }, () =>
    copied(async all => {
      const { one, groups } = all;
      await one.declare('a', 'b');
      const release = await runAtFork(all);
      const refused = await one.apply();
      expectCode(refused, 6);
      expect(refused.stderr).toContain('--wait');
      let pauses = 0;
      const applied = await one.runPausing(
        async () => {
          pauses += 1;
          if (pauses === 3) await release();
        },
        ...waiting,
      );
      expectCode(applied, 0);
      expect(
        applied.stderr.match(/holds the lock of the account at the remote `fork`/g),
      ).toHaveLength(1);
      expect(await groups()).toEqual(['a', 'b']);
    }),
  );

  test(
    'waits for a lock at another remote that nobody renews until it expires, and no longer',
    { tags: 'variation' },
    () =>
      copied(async all => {
        const { one, groups } = all;
        await one.declare('a', 'b');
        await runAtFork(all);
        expectCode(await one.runPausing(async () => {}, ...waiting), 0);
        expect(await groups()).toEqual(['a', 'b']);
      }),
  );

  test(
    'is refused if somebody holds the account at another remote meanwhile, and releases its lock',
    { tags: 'variation' },
    () =>
      copied(async all => {
        const { one, remote, fork, lock, groups } = all;
        await one.declare('a', 'b');
        const two = await all.machine('two');
        git(two.folder, 'remote', 'set-url', 'origin', `file://${fork}`);
        let pauses = 0;
        // The lock of a run that is gone: it is watched before it is taken over.
        const release = await runAtFork(all);
        git(all.remote, 'fetch', '--quiet', fork, `${lock}:${lock}`);
        await release();
        const refused = await one.runPausing(
          async () => {
            pauses += 1;
            if (pauses === 2)
              expectCode(await two.run('lock', 'hold', 'network', '--reason', 'a freeze'), 0);
          },
          ...waiting,
        );
        expectCode(refused, 6);
        expect(refused.stderr).toContain('at the remote `fork`');
        expect(refused.stderr).toContain('a freeze');
        expect(refsAt(remote, 'refs/meshform-locks')).toBe('');
        expect(await groups()).toEqual(['a']);
      }),
  );
});

describe('a lock or an apply at another remote that stops an apply', { tags: 'variation' }, () => {
  test('is shown by `lock show`, and named by `lock release` and `runs`', () =>
    copied(async all => {
      const { one, fork, lock } = all;
      expect(await shown(one)).not.toHaveProperty('elsewhere');
      expectCode(await one.run('lock', 'hold', 'network', '--reason', 'a freeze'), 0);
      git(all.remote, 'push', '--quiet', fork, 'refs/*:refs/*');
      // It is one hold, as long as the remote of the lock has it.
      expect(await shown(one)).not.toHaveProperty('elsewhere');
      const released = await one.run('lock', 'release', 'network');
      expectCode(released, 0);
      expect(released.stderr).toContain('at the remote `fork`');
      expect(released.stderr).toContain(`git push fork --delete ${lock}`);
      // Each of its lines is a line.
      expect(released.stderr).not.toContain('\\n');
      const text = await one.run('lock', 'show', 'network');
      expect(text.stdout).toContain('at the remote `fork`');
      expect(text.stdout).toContain('a freeze');
      expect((await shown(one)).elsewhere).toMatchObject([
        { remote: 'fork', is: 'lock', holder: { is: 'hold', reason: 'a freeze' } },
      ]);
      const listed = await one.run('runs', 'network');
      expect(listed.stderr).toContain('at the remote `fork`');
      expect(listed.stderr).not.toContain('\\n');
      git(one.folder, 'push', '--quiet', 'fork', '--delete', lock);
      expect(await shown(one)).not.toHaveProperty('elsewhere');
      expectCode(await one.apply(), 0);
    }));

  test('is shown, also if it is an unfinished apply', () =>
    copied(async all => {
      const { one, account } = all;
      await one.declare('a', 'c', 'd');
      const fault = { method: 'POST', path: '/api/groups', effect: 'status', status: 400 };
      await account.fault({ ...fault, times: 1 });
      expectCode(await one.apply(), 4);
      await merged(all, FORK);
      expect((await shown(one)).elsewhere).toMatchObject([{ remote: 'origin', is: 'apply' }]);
      const runs = await one.run('runs', 'network');
      expect(runs.stderr).toContain('its journal is at the remote `origin`');
    }));

  test('is unknown if the remote does not respond, and commands that write or show locks say so', () =>
    copied(async all => {
      const { one, remote } = all;
      git(one.folder, 'remote', 'add', 'gone', `file://${remote}-gone`);
      await one.declare('a', 'b');
      const note = 'note: the remote `gone` does not answer';
      const applied = await one.apply();
      expectCode(applied, 0);
      expect(applied.stderr.split(note)).toHaveLength(2);
      expect((await one.run('lock', 'show', 'network')).stderr).toContain(note);
      expect((await one.run('plan', 'network', '--base', 'auto')).stderr).not.toContain(note);
    }));
});

describe('unreadable data does not count as absent', () => {
  /** The clone uses the copy `fork`, and `origin` has a newer base. */
  const behind = async (all: Copied): Promise<void> => {
    await all.one.declare('a', 'b');
    expectCode(await all.one.apply(), 0);
    await merged(all, FORK);
  };

  test(
    'an apply is refused if the newer bases of another remote cannot be fetched',
    { tags: 'variation' },
    () =>
      copied(async all => {
        await behind(all);
        // Journals that cannot be fetched would refuse it before.
        git(all.remote, 'update-ref', '-d', `refs/meshform-journal/${all.id}`);
        const two = await all.machine('two');
        git(two.folder, 'remote', 'add', 'fork', `file://${all.fork}`);
        git(two.folder, 'pull', '--quiet', all.one.folder);
        const more = await failingGit(two, {
          where: "*' fetch '*' origin '*",
          says: 'fatal: the connection ended',
        });
        const refused = await two.runWith(more, 'apply', 'network', ...RECORDS);
        expectCode(refused, 6);
        expect(refused.stderr).toContain(
          'it is unknown whether the bases of the account at the remote `origin` are newer: `origin` cannot be read: the connection ended',
        );
      }),
  );

  test(
    'an apply is refused if its own remote cannot be listed beside another remote with bases',
    { tags: 'variation' },
    () =>
      copied(async all => {
        const listed = join(all.one.folder, '../listed');
        const more = await failingGit(all.one, {
          where: "*' ls-remote '*' origin '*",
          says: 'fatal: the connection ended',
          when: `[ ! -e '${listed}' ] && touch '${listed}'`,
        });
        const refused = await all.one.runWith(more, 'apply', 'network', ...RECORDS);
        expectCode(refused, 6);
        expect(refused.stderr).toContain(
          'it is unknown whether the bases of the account at the remote `fork` are newer: `origin` cannot be read',
        );
      }),
  );

  test(
    'an apply with `lock: file` in its files names a remote that does not answer',
    { tags: 'variation' },
    () =>
      copied(async all => {
        await merged(all, FILE);
        git(all.one.folder, 'remote', 'set-url', 'origin', `file://${all.remote}-gone`);
        git(all.one.folder, 'remote', 'remove', 'fork');
        git(
          all.one.folder,
          'fetch',
          '--quiet',
          all.fork,
          'refs/meshform-base/*:refs/meshform-base/*',
        );
        const applied = await all.one.run('apply', 'network', '--yes');
        expectCode(applied, 0);
        expect(applied.stderr).toContain(
          'note: the remote `origin` does not answer, so a lock of the account there would not be seen',
        );
      }),
  );

  test(
    '`runs` says that it cannot read the lock of a run that may be under way',
    { tags: 'variation' },
    () =>
      copied(async all => {
        await all.one.declare('a', 'c', 'd');
        const fault = {
          method: 'POST',
          path: '/api/groups',
          effect: 'status',
          status: 400,
          times: 1,
        };
        await all.account.fault(fault);
        expectCode(await all.one.apply(), 4);
        const more = await failingGit(all.one, {
          where: `*' origin refs/meshform-locks/${all.id} '`,
          says: 'fatal: the connection ended',
        });
        const shown = await all.one.runWith(more, 'runs', 'network');
        expectCode(shown, 0);
        expect(shown.stderr).toContain(
          'note: the lock of the account at the remote `origin` cannot be read, so a run that is under way counts as unfinished: the connection ended',
        );
      }),
  );
});
