// A base at the Git remote that one push put back, while the journals there are intact: a machine that has never applied refuses it,
// whatever recorded the newest one.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitAccountLock } from '../../../src/apply/lock/gitAccountLock.ts';
import { separateObjects } from '../../../src/read/remote/objectFolder.ts';
import { git } from '../../support/git.ts';
import { expectCode, type Machine, type Machines, machines } from './sharedMachines.ts';

const MINUTE = 60_000;
const RUN = '00000000-0000-4000-8000-000000000001';
const RECORDING = ['--prune', 'removed', '--base', 'auto', '--record-base', '--yes'];
const APPLY = ['apply', 'network', ...RECORDING];
const DELETING = ['--allow', 'DELETES_OBJECT'];
const PLAN = ['plan', 'network', '--prune', 'removed', '--base', 'auto'];

const baseNow = ({ remote, base }: Machines): string => git(remote, 'rev-parse', base).trim();
const journals = ({ id }: Machines): string => `refs/meshform-journal/${id}`;

interface StoredFile {
  readonly name: string;
  readonly blob: string;
}

/** The files of the journals at the remote. */
const filesOf = (all: Machines): readonly StoredFile[] =>
  git(all.remote, 'ls-tree', journals(all))
    .trim()
    .split('\n')
    .flatMap(line => {
      const [, blob, name] = /blob ([0-9a-f]+)\t(.+)$/.exec(line) ?? [];
      return blob === undefined || name === undefined ? [] : { blob, name };
    });

/** Replaces them. */
function putJournals(all: Machines, files: readonly StoredFile[]): void {
  git(all.remote, 'read-tree', '--empty');
  const infos = files.flatMap(({ name, blob }) => ['--cacheinfo', `100644,${blob},${name}`]);
  git(all.remote, 'update-index', '--add', ...infos);
  const tree = git(all.remote, 'write-tree').trim();
  git(
    all.remote,
    'update-ref',
    journals(all),
    git(all.remote, 'commit-tree', '-m', 'journals', tree).trim(),
  );
}

/** Applies `a` and `b` in minute 1. Resolves to the base. */
async function applied(all: Machines, one: Machine): Promise<string> {
  await one.declare('a', 'b');
  expectCode(await one.runAt(MINUTE, ...APPLY), 0);
  return baseNow(all);
}

/** Leaves `b` to somebody else in minute 2, by an apply that sends nothing to the account. */
async function leaveB(one: Machine): Promise<void> {
  await one.declare('a');
  const ended = await one.runAt(2 * MINUTE, ...APPLY, '--forget', 'group/b');
  expectCode(ended, 0);
  expect(ended.stdout).toContain('No changes');
}

/** Puts a base back, and expects that a new machine refuses it. */
async function expectRefused(
  { remote, machine }: Machines,
  { ref, older, folder = 'network' }: { ref: string; older: string; folder?: string },
): Promise<Machine> {
  git(remote, 'update-ref', ref, older);
  const fresh = await machine('fresh');
  const noted = await fresh.runAt(9 * MINUTE, 'plan', folder, ...PLAN.slice(2));
  expect(noted.stderr).toContain('BASE_OLDER');
  const refused = await fresh.run('apply', folder, ...RECORDING, ...DELETING);
  expectCode(refused, 6);
  expect(refused.stderr).toMatch(/\((?:base-[0-9a-f]{16}\.json|\S+\.jsonl)\)/);
  expect(git(remote, 'rev-parse', ref).trim()).toBe(older);
  return fresh;
}

describe('an older base that was restored after an apply that wrote nothing to the account', () => {
  test('does not delete objects that the newer base gave to somebody else', () =>
    machines(async all => {
      const one = await all.machine('one');
      const older = await applied(all, one);
      await leaveB(one);
      const newest = baseNow(all);
      const fresh = await expectRefused(all, { ref: all.base, older });
      expect((await fresh.run('drift', 'network', '--base', 'auto')).stderr).toContain(
        'BASE_OLDER',
      );
      expect(await all.groups()).toEqual(['a', 'b']);
      expectCode(await fresh.run('base', 'record', 'network', '--commit', older), 6);
      expectCode(await one.run('base', 'record', 'network', '--commit', newest), 0);
      expectCode(await fresh.run(...APPLY), 0);
      expect(await all.groups()).toEqual(['a', 'b']);
    }));

  test('does not remove the guard that the newer base added', { tags: 'variation' }, () =>
    machines(async all => {
      const one = await all.machine('one');
      const older = await applied(all, one);
      await one.write('meshform.yaml', `account: ${all.id}\nprotect: [group/b]\n`);
      const guarding = await one.runAt(2 * MINUTE, ...APPLY);
      expectCode(guarding, 0);
      expect(guarding.stdout).toContain('No changes');
      await one.declare('a');
      await expectRefused(all, { ref: all.base, older });
      expect(await all.groups()).toEqual(['a', 'b']);
    }),
  );

  test('is refused even if many applies of another folder followed', { tags: 'variation' }, () =>
    machines(async all => {
      const one = await all.machine('one');
      const older = await applied(all, one);
      await leaveB(one);
      const files = filesOf(all);
      const [journal] = files.filter(({ name }) => name.endsWith('.jsonl'));
      const notes = files.filter(({ name }) => name.startsWith('base-'));
      expect(notes).toHaveLength(1);
      const later = Array.from({ length: 100 }, (_, n) => {
        const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
        return { blob: journal?.blob ?? '', name: `2999-01-01T00-00-00.000Z_${id}.jsonl` };
      });
      putJournals(all, [...later, ...notes]);
      await mkdir(join(one.folder, 'other'));
      await one.write('../other/meshform.yaml', `account: ${all.id}\n`);
      await one.write('../other/groups.yaml', 'groups: [{ name: o }]\n');
      const other = ['apply', 'other', ...RECORDING, '--first'];
      expectCode(await one.runAt(3 * MINUTE, ...other), 0);
      const kept = filesOf(all).map(({ name }) => name);
      expect(kept.filter(name => name.endsWith('.jsonl'))).toHaveLength(100);
      expect(kept.filter(name => name.startsWith('base-'))).toHaveLength(2);
      await expectRefused(all, { ref: all.base, older });
    }),
  );

  test(
    'is refused once a later apply has noted the newest base, which an earlier version did not note',
    { tags: 'variation' },
    () =>
      machines(async all => {
        const one = await all.machine('one');
        const older = await applied(all, one);
        await leaveB(one);
        putJournals(
          all,
          filesOf(all).filter(({ name }) => name.endsWith('.jsonl')),
        );
        expectCode(await one.runAt(3 * MINUTE, ...APPLY), 0);
        await expectRefused(all, { ref: all.base, older });
      }),
  );

  test('is refused where the remote moves refs only forward', { tags: 'variation' }, () =>
    machines(async all => {
      git(all.remote, 'config', 'receive.denyNonFastForwards', 'true');
      git(all.remote, 'config', 'receive.denyDeletes', 'true');
      const one = await all.machine('one');
      const older = await applied(all, one);
      await leaveB(one);
      await expectRefused(all, { ref: all.base, older });
    }),
  );
});

describe('the newest base is known at the remote', () => {
  test(
    'the newest base is known after an apply that --resume continued',
    { tags: 'variation' },
    () =>
      machines(async all => {
        const one = await all.machine('one');
        const older = await applied(all, one);
        await one.declare('a', 'b', 'c', 'd');
        const refusing = { method: 'POST', path: '/api/groups', effect: 'status', status: 422 };
        await all.account.fault({ ...refusing, nth: 2 });
        expectCode(await one.runAt(2 * MINUTE, ...APPLY, '--concurrency', '1'), 4);
        const resumed = ['apply', 'network', '--resume', '--record-base', '--yes'];
        expectCode(await one.runAt(3 * MINUTE, ...resumed), 0);
        expect(baseNow(all)).not.toBe(older);
        await expectRefused(all, { ref: all.base, older });
      }),
  );

  test('the newest base is known after an apply with --only', { tags: 'variation' }, () =>
    machines(async all => {
      const one = await all.machine('one');
      const older = await applied(all, one);
      await one.declare('a', 'b', 'c');
      expectCode(await one.runAt(2 * MINUTE, ...APPLY, '--only', 'group/*'), 0);
      await expectRefused(all, { ref: all.base, older });
    }),
  );

  test('the newest base is known after `base record --as-newest`', { tags: 'variation' }, () =>
    machines(async all => {
      const one = await all.machine('one');
      const older = await applied(all, one);
      await leaveB(one);
      const newest = baseNow(all);
      const again = ['base', 'record', 'network', '--as-newest', '--yes', '--commit', older];
      expectCode(await one.runAt(3 * MINUTE, ...again), 0);
      await expectRefused(all, { ref: all.base, older: newest });
    }),
  );

  test(
    'the newest base is known after `base adopt`, which leaves no base behind',
    { tags: 'variation' },
    () =>
      machines(async all => {
        const one = await all.machine('one');
        const former = await applied(all, one);
        await rename(join(one.folder, 'network'), join(one.folder, 'overlay'));
        git(one.folder, 'add', '--all');
        git(one.folder, 'commit', '--quiet', '--message=moved');
        git(one.folder, 'push', '--quiet', 'origin', 'HEAD:main');
        git(one.folder, 'fetch', '--quiet', 'origin');
        expectCode(await one.runAt(2 * MINUTE, 'base', 'adopt', 'network', 'overlay', '--yes'), 0);
        const overlay = `refs/meshform-base/${all.id}/overlay`;
        const adopted = git(all.remote, 'rev-parse', overlay).trim();
        const apply = ['apply', 'overlay', ...RECORDING];
        expectCode(await one.runAt(3 * MINUTE, ...apply), 0);
        await one.declare('a');
        await expectRefused(all, { ref: all.base, older: former });
        git(all.remote, 'update-ref', '-d', all.base);
        git(all.remote, 'update-ref', overlay, adopted);
        const two = await all.machine('two');
        expectCode(await two.runAt(9 * MINUTE, ...apply, ...DELETING), 6);
      }),
  );

  test(
    'a forgotten base stays refused after `base forget`, and the base of a first apply follows',
    { tags: 'variation' },
    () =>
      machines(async all => {
        const one = await all.machine('one');
        const forgotten = await applied(all, one);
        await one.declare('a');
        expectCode(await one.runAt(2 * MINUTE, 'base', 'forget', 'network', 'network', '--yes'), 0);
        const fresh = await expectRefused(all, { ref: all.base, older: forgotten });
        const told = await fresh.run(...APPLY, ...DELETING);
        expect(told.stderr).toContain(
          `${all.base} was forgotten at 1970-01-01T00:02:00.000Z, and the base there now, of 1970-01-01T00:01:00.000Z, is not newer`,
        );
        expectCode(await one.run(...APPLY, ...DELETING), 6);
        expect(await all.groups()).toEqual(['a', 'b']);
        git(all.remote, 'update-ref', '-d', all.base);
        const none = await fresh.run(...APPLY);
        expectCode(none, 6);
        expect(none.stderr).toContain('there is no base now');
        expect(none.stderr).toContain('to begin again, add --first');
        expectCode(await fresh.run(...APPLY, '--first'), 0);
        expectCode(await one.runAt(10 * MINUTE, ...APPLY), 0);
        expect(await all.groups()).toEqual(['a', 'b']);
      }),
  );

  test(
    'the newest base is known after `base sign`, also while an apply of another folder has the lock',
    { tags: 'variation' },
    () =>
      machines(async all => {
        const one = await all.machine('one');
        await applied(all, one);
        const place = { folder: one.folder, host: { env: process.env } };
        const objects = await separateObjects(place, { state: `${one.folder}-state`, now: 0 });
        const now = () => 0;
        const holder = { id: RUN, machine: 'one', since: '' };
        const clocks = { monotonic: now, wall: now };
        const lock = gitAccountLock(
          { objects, name: 'origin', patience: 30_000 },
          { account: all.id, now, holder, ttl: 180, wait: 0, clocks, sleep: async () => {} },
        );
        const held = await lock.take();
        if ('refused' in held || held.store === undefined) throw new Error('it has no lock');
        const journal = { name: `1970-01-01T00-03-00.000Z_${RUN}.jsonl`, plan: 'sha256:1' };
        held.store.keep({ ...journal, text: async () => '{}\n', closed: async () => '{}\n' });
        const two = await all.machine('two');
        const digest = /sha256:[0-9a-f]+/.exec((await two.run('base', 'show', 'network')).stdout);
        const key = { MESHFORM_SIGNING_KEY: 'a newer signing key,a signing key of all machines' };
        const sign = ['base', 'sign', 'network', '--digest', String(digest)];
        expectCode(await two.runWith(key, ...sign), 0);
        expect(await held.store.begin()).toEqual({ is: 'done' });
        const other = `refs/meshform-base/${all.id}/other`;
        const to = git(all.remote, 'rev-parse', 'main').trim();
        const ended = await held.store.end(
          { ref: other, commit: to, digest: '', recordedAt: '' },
          { ref: other, from: null, to },
          { name: 'base-0000000000000000.json', text: '{}\n' },
        );
        expect(ended).toEqual({ is: 'done' });
        const names = filesOf(all).map(({ name }) => name);
        expect(names.filter(name => name.startsWith('base-'))).toHaveLength(2);
        expect(names).toContain(journal.name);
        const fresh = await all.machine('fresh');
        const planned = await fresh.runWith(key, ...PLAN);
        expect(planned.stderr).not.toContain('is not believed');
        await objects.close();
      }),
  );
});

test(
  'a note of the newest base that no key of the run has signed is reported, and has no other effect',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const one = await all.machine('one');
      await applied(all, one);
      const files = filesOf(all);
      const { name = '', blob = '' } = files.find(file => file.name.endsWith('.json')) ?? {};
      const text = git(all.remote, 'cat-file', 'blob', blob).replace('1970', '2970');
      await writeFile(join(all.remote, 'forged'), text);
      const forged = git(all.remote, 'hash-object', '-w', join(all.remote, 'forged')).trim();
      putJournals(all, [...files.filter(file => file.name !== name), { name, blob: forged }]);
      const fresh = await all.machine('fresh');
      const ended = await fresh.runAt(2 * MINUTE, ...APPLY);
      expectCode(ended, 0);
      expect(ended.stderr).toContain(`${name} should name the base that was recorded last`);
    }),
);

test('an apply that writes nothing is not listed by `runs`', { tags: 'variation' }, () =>
  machines(async all => {
    const one = await all.machine('one');
    await applied(all, one);
    await leaveB(one);
    const { stdout } = await one.run('runs', 'network', '--format', 'json');
    expect(JSON.parse(stdout).runs).toHaveLength(1);
  }),
);
