// Refs at the remote that meshform did not make, and remotes that are pushed elsewhere than they are fetched from: known before the first write.
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, FILES, type Machines, machines, refsAt } from './sharedMachines.ts';

const main = ({ remote }: Machines): string => git(remote, 'rev-parse', 'main').trim();

describe('a ref that is in the way', () => {
  test.each(
    someOf(
      [
        ['below a base', 'push', (id: string) => `refs/meshform-base/${id}/network/x`],
        ['above the bases', 'push', (id: string) => `refs/meshform-base/${id}`],
        ['below the lock', 'push', (id: string) => `refs/meshform-locks/${id}/x`],
        ['below the journals', 'push', (id: string) => `refs/meshform-journal/${id}/x`],
        ['above all locks, where no push reaches it', 'there', () => 'refs/meshform-locks'],
      ],
      1,
    ),
  )(
    'a ref %s stops an apply before it writes, and the error says how to remove the ref',
    (_, by, refOf) =>
      machines(async all => {
        const one = await all.machine('one');
        await one.declare('a');
        const ref = refOf(all.id);
        const remove =
          by === 'push' ? `git push origin --delete ${ref}` : `git update-ref -d ${ref}`;
        git(all.remote, 'update-ref', ref, main(all));
        for (const first of [[], ['--first']]) {
          const refused = await one.apply(...first);
          expectCode(refused, 6);
          expect(refused.stderr).toContain(remove);
          expect(refused.stderr).not.toContain('add --first');
        }
        expect(await all.groups()).toEqual([]);
        const checked = await one.run('lock', 'show', 'network', '--check');
        expectCode(checked, 6);
        expect(checked.stderr).toContain(remove);
        const planned = await one.run('plan', 'network', '--base', 'auto', '--record-base');
        expect(planned.stderr).toContain(remove);
        expect(planned.stderr).not.toContain('add --first');
        if (by === 'push') git(one.folder, 'push', '--quiet', 'origin', '--delete', ref);
        else git(all.remote, 'update-ref', '-d', ref);
        expectCode(await one.apply(), 0);
      }),
  );

  test(
    'a symbolic ref is not pushed to, because the push would move its target',
    { tags: 'variation' },
    () =>
      machines(async all => {
        const one = await all.machine('one');
        await one.declare('a');
        const before = main(all);
        git(all.remote, 'symbolic-ref', all.lock, 'refs/heads/main');
        for (const argv of [
          ['apply', 'network', '--base', 'auto', '--record-base', '--yes'],
          ['lock', 'break', before, 'network'],
          ['lock', 'release', 'network'],
          ['lock', 'hold', 'network', '--reason', 'a freeze'],
        ]) {
          const refused = await one.run(...argv);
          expect(refused.code).toBeGreaterThan(0);
          expect(refused.stderr).toContain(`git symbolic-ref --delete ${all.lock}`);
        }
        expect(main(all)).toBe(before);
        expect(await all.groups()).toEqual([]);
      }),
  );
});

test('a lock that is a symbolic ref to a missing ref is not held, and that ref is not left behind', () =>
  machines(async all => {
    const one = await all.machine('one');
    await one.declare('a');
    git(all.remote, 'symbolic-ref', all.lock, 'refs/heads/nowhere');
    const refused = await one.run('lock', 'hold', 'network', '--reason', 'a freeze');
    expectCode(refused, 6);
    expect(refused.stderr).toContain(`git symbolic-ref --delete ${all.lock}`);
    expect(refsAt(all.remote, 'refs/heads')).toBe('refs/heads/main');
  }));

test.each(['lock', 'journals'])(
  'an apply where the ref of the %s is a symbolic ref to a missing ref leaves neither a journal nor a lock',
  { tags: 'variation' },
  what =>
    machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      const ref = what === 'lock' ? all.lock : `refs/meshform-journal/${all.id}`;
      git(all.remote, 'symbolic-ref', ref, 'refs/heads/nowhere');
      for (const first of ['the first', 'the second']) {
        const refused = await one.apply();
        expectCode(refused, 6);
        expect(refused.stderr, first).toContain(`git symbolic-ref --delete ${ref}`);
        expect(refused.stderr, first).not.toContain('was not finished');
      }
      expect(refsAt(all.remote, 'refs/heads')).toBe('refs/heads/main');
      expect(await all.groups()).toEqual([]);
      const runs = await one.run('runs', 'network', '--format', 'json');
      expect(JSON.parse(runs.stdout).runs).toEqual([]);
      expect((await one.run('lock', 'show', 'network')).stdout).toContain('Nobody holds the lock');
    }),
);

describe('journals that are a symbolic ref to a missing ref', { tags: 'variation' }, () => {
  const journal = ({ id }: Machines): string => `refs/meshform-journal/${id}`;

  test('refuse an apply that a person confirms before its first write too, and the ref is not left behind', () =>
    machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      git(all.remote, 'symbolic-ref', journal(all), 'refs/heads/nowhere');
      const refused = await one.runAnswering('yes', ...FILES);
      expectCode(refused, 6);
      const said = refused.stdout.replaceAll(/\s+/g, ' ');
      expect(said).toContain(`git symbolic-ref --delete ${journal(all)}`);
      expect(refused.stderr).not.toContain('deleted or replaced');
      expect(await all.groups()).toEqual([]);
      expect(refsAt(all.remote, 'refs/heads')).toBe('refs/heads/main');
      expect(refsAt(all.remote, 'refs/meshform-locks')).toBe('');
    }));

  test('leave the ref behind where nothing is deleted, and the refusal says so', () =>
    machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      const hook = join(all.remote, 'hooks/update');
      await mkdir(join(all.remote, 'hooks'), { recursive: true });
      await writeFile(hook, '#!/bin/sh\ncase "$3" in *[!0]*) exit 0;; *) exit 1;; esac\n');
      await chmod(hook, 0o755);
      git(all.remote, 'symbolic-ref', journal(all), 'refs/heads/nowhere');
      const refused = await one.apply();
      expectCode(refused, 6);
      expect(refused.stderr).toContain('this run created refs/heads/nowhere');
      expect(await all.groups()).toEqual([]);
    }));
});

test.each(['lock', 'journals'])(
  '`lock show --check` finds that the ref of the %s is a symbolic ref to a missing ref, and leaves nothing behind',
  { tags: 'variation' },
  what =>
    machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      const ref = what === 'lock' ? all.lock : `refs/meshform-journal/${all.id}`;
      expectCode(await one.run('lock', 'show', 'network', '--check'), 0);
      expect(refsAt(all.remote, 'refs/meshform*')).toBe('');
      git(all.remote, 'symbolic-ref', ref, 'refs/heads/nowhere');
      const checked = await one.run('lock', 'show', 'network', '--check');
      expectCode(checked, 6);
      expect(checked.stderr).toContain(`git symbolic-ref --delete ${ref}`);
      expect(checked.stderr).not.toContain('left behind');
      expect(refsAt(all.remote, 'refs/heads')).toBe('refs/heads/main');
      git(all.remote, 'symbolic-ref', '--delete', ref);
      expectCode(await one.apply(), 0);
      const there = refsAt(all.remote, 'refs');
      expectCode(await one.run('lock', 'show', 'network', '--check'), 0);
      expect(refsAt(all.remote, 'refs')).toBe(there);
    }),
);

test(
  '`lock show` of a lock that others wrote has the time after which it may be taken over, at most an hour',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      for (const [ttl, seconds] of [
        ['99999999', 3600],
        ['0', 3600],
        ['15', 15],
      ] as const) {
        const message = `meshform lock: run\n\nid: x\nttl: ${ttl}\ncounter: 1`;
        const commit = git(all.remote, 'commit-tree', 'main^{tree}', '-m', message).trim();
        git(all.remote, 'update-ref', all.lock, commit);
        const { stdout } = await one.run('lock', 'show', 'network');
        expect(stdout).toContain(`may take it over after ${seconds} s without a renewal`);
      }
    }),
);

test('a lock that is a symbolic ref to a free lock is not held: that would hold the other lock', () =>
  machines(async all => {
    const one = await all.machine('one');
    await one.declare('a');
    const message = 'meshform lock: free\n\nttl: 180\ncounter: 2';
    const free = git(all.remote, 'commit-tree', 'main^{tree}', '-m', message).trim();
    const other = 'refs/meshform-locks/another';
    git(all.remote, 'update-ref', other, free);
    git(all.remote, 'symbolic-ref', all.lock, other);
    const refused = await one.run('lock', 'hold', 'network', '--reason', 'a freeze');
    expectCode(refused, 6);
    expect(refused.stderr).toContain(`git symbolic-ref --delete ${all.lock}`);
    const { stdout } = await one.run('lock', 'show', 'network');
    expect(stdout).toContain(`git symbolic-ref --delete ${all.lock}`);
    expect(stdout).not.toMatch(/Nobody holds|lock break/);
    expect(git(all.remote, 'rev-parse', other).trim()).toBe(free);
  }));

describe('a lock that meshform did not write', () => {
  test.each(someOf(['a commit', 'a blob'], 1))(
    '%s is removed by `lock break` with its name',
    what =>
      machines(async all => {
        const one = await all.machine('one');
        await one.declare('a');
        const input = { input: 'not of meshform' };
        const blob = execFileSync('git', ['-C', all.remote, 'hash-object', '-w', '--stdin'], input);
        const commit = what === 'a blob' ? blob.toString().trim() : main(all);
        git(all.remote, 'update-ref', all.lock, commit);
        const shown = await one.run('lock', 'show', 'network');
        expect(shown.stdout).toContain(`meshform lock break ${commit}`);
        const released = await one.run('lock', 'release', 'network');
        expectCode(released, 6);
        expect(released.stderr).toContain(`meshform lock break ${commit}`);
        // The beginning of a name is as long as that of a run.
        for (const name of ['0123456789', commit.slice(0, 7)])
          expectCode(await one.run('lock', 'break', name, 'network'), 6);
        expect(refsAt(all.remote, all.lock)).toBe(all.lock);
        expectCode(await one.run('lock', 'break', commit.slice(0, 8), 'network'), 0);
        expect(refsAt(all.remote, all.lock)).toBe('');
        expectCode(await one.apply(), 0);
      }),
  );

  test('is marked as free where nothing is deleted', { tags: 'variation' }, () =>
    machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      git(all.remote, 'update-ref', all.lock, main(all));
      git(all.remote, 'config', 'receive.denyDeletes', 'true');
      expectCode(await one.run('lock', 'break', main(all), 'network'), 0);
      expectCode(await one.apply(), 0);
    }),
  );
});

test(
  'a hold whose time is over stops nothing, and is not shown as if it did',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      const held = [
        'lock',
        'hold',
        'network',
        '--reason',
        'a freeze',
        '--until',
        '2026-01-02T00:00:00Z',
      ];
      expectCode(await one.runAt(Date.parse('2026-01-01T00:00:00Z'), ...held), 0);
      const later = Date.parse('2026-01-03T00:00:00Z');
      const shown = await one.runAt(later, 'lock', 'show', 'network');
      expect(shown.stdout).toContain('is over: applies may start');
      expect(shown.stdout).not.toContain('no apply starts');
      const json = await one.runAt(later, 'lock', 'show', 'network', '--format', 'json');
      expect(JSON.parse(json.stdout)).toMatchObject({ locked: false });
    }),
);

const LOCK_COMMANDS = [
  ['hold', 'network', '--reason', 'mine'],
  ['release', 'network'],
  ['break', '11111111', 'network'],
  ['show', 'network'],
  ['show', 'network', '--check'],
  ['show', 'network', '--format', 'json'],
];

describe('a remote with another address to push to', () => {
  test('has its lock, journals and bases where git pushes to', () =>
    machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      const mirror = join(all.remote, '../mirror.git');
      git(one.folder, 'clone', '--quiet', '--bare', all.remote, mirror);
      git(one.folder, 'remote', 'set-url', 'origin', `file://${mirror}`);
      git(one.folder, 'remote', 'set-url', '--push', 'origin', `file://${all.remote}`);
      expectCode(await one.apply(), 0);
      expect(refsAt(mirror, 'refs/meshform-base')).toBe('');
      expect(refsAt(all.remote, 'refs/meshform-base')).toBe(all.base);
      expect(refsAt(all.remote, 'refs/meshform-locks')).toBe('');
      expectCode(await one.run('lock', 'hold', 'network', '--reason', 'a freeze'), 0);
      expect((await one.run('lock', 'show', 'network')).stdout).toContain('a freeze');
      expectCode(await one.apply(), 6);
      expectCode(await one.run('lock', 'release', 'network'), 0);
      // The second apply finds the base of the first.
      await one.declare('b');
      expectCode(await one.apply(), 0);
      expect(await all.groups()).toEqual(['b']);
      expectCode(await one.run('lock', 'show', 'network', '--check'), 0);
    }));

  test.each(['pushurl', 'pushInsteadOf'])(
    'set by `%s` has its lock where git pushes to, also if a setting replaces the whole address to fetch from',
    { tags: 'variation' },
    by =>
      machines(async all => {
        const one = await all.machine('one');
        await one.declare('a');
        const mirror = join(all.remote, '../mirror.git');
        git(one.folder, 'clone', '--quiet', '--bare', all.remote, mirror);
        git(one.folder, 'remote', 'set-url', 'origin', 'forge:network');
        git(one.folder, 'config', `url.file://${mirror}.insteadOf`, 'forge:network');
        if (by === 'pushurl') {
          // What replaces a part of an address does so for a `pushurl`, too.
          git(one.folder, 'config', `url.file://${all.remote}.insteadOf`, 'forge:pushed');
          git(one.folder, 'remote', 'set-url', '--push', 'origin', 'forge:pushed');
        } else git(one.folder, 'config', `url.file://${all.remote}.pushInsteadOf`, 'forge:network');
        expectCode(await one.run('lock', 'hold', 'network', '--reason', 'a freeze'), 0);
        expect(refsAt(all.remote, 'refs/meshform-locks')).toBe(all.lock);
        expect((await one.run('lock', 'show', 'network')).stdout).toContain('a freeze');
        expectCode(await one.apply(), 6);
        expectCode(await one.run('lock', 'release', 'network'), 0);
        expect(refsAt(all.remote, 'refs/meshform-locks')).toBe('');
        expectCode(await one.apply(), 0);
        expect(refsAt(mirror, 'refs/meshform-base')).toBe('');
      }),
  );

  test(
    'is refused while only the repository that it is fetched from has a hold, or a base',
    { tags: 'variation' },
    () =>
      machines(async all => {
        const one = await all.machine('one');
        await one.declare('a');
        const target = join(all.remote, '../target.git');
        git(one.folder, 'clone', '--quiet', '--bare', all.remote, target);
        const elsewhere = await all.machine('two');
        expectCode(await one.run('lock', 'hold', 'network', '--reason', 'a freeze'), 0);
        git(elsewhere.folder, 'remote', 'set-url', '--push', 'origin', `file://${target}`);
        const held = await elsewhere.apply();
        expectCode(held, 6);
        expect(held.stderr).toContain(`only the first has ${all.lock}`);
        for (const command of LOCK_COMMANDS) {
          const ended = await elsewhere.run('lock', ...command);
          expectCode(ended, 6);
          expect(ended.stderr).toContain(`only the first has ${all.lock}`);
          expect(ended.stdout + ended.stderr).not.toMatch(/Nobody|works with|"locked"/);
        }
        expect(refsAt(target, 'refs/meshform-locks')).toBe('');
        expectCode(await one.run('lock', 'release', 'network'), 0);
        expectCode(await one.apply(), 0);
        const refused = await elsewhere.apply();
        expectCode(refused, 6);
        expect(refused.stderr).toContain('only the first has refs/meshform-');
        expect((await elsewhere.run('runs', 'network')).stderr).toContain('only the first has');
        for (const command of LOCK_COMMANDS) expectCode(await elsewhere.run('lock', ...command), 6);
        expect(refsAt(target, 'refs/meshform-base')).toBe('');
      }),
  );

  test(
    'a remote with several addresses to push to is refused, because each would have its own lock',
    { tags: 'variation' },
    () =>
      machines(async all => {
        const one = await all.machine('one');
        await one.declare('a');
        git(one.folder, 'remote', 'set-url', '--push', 'origin', `file://${all.remote}`);
        git(
          one.folder,
          'remote',
          'set-url',
          '--push',
          '--add',
          'origin',
          `file://${all.remote}-two`,
        );
        const refused = await one.apply();
        expectCode(refused, 6);
        expect(refused.stderr).toContain('several addresses');
        expect(await all.groups()).toEqual([]);
      }),
  );
});
