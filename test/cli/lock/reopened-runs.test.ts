// Journals that somebody puts back, copies or replaces at the remote: they open no run again that a person has closed.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, type Machine, type Machines, machines } from './sharedMachines.ts';

const at = (day: number): number => Date.UTC(2026, 0, day);
const journalOf = ({ id }: Machines): string => `refs/meshform-journal/${id}`;

/** An apply that created a group and could not create a second one, and whose change was reverted. */
async function unfinished(all: Machines): Promise<{ one: Machine; run: string }> {
  const one = await all.machine('one');
  await one.declare('a');
  expectCode(await one.applyAt(at(1)), 0);
  await one.declare('a', 'b', 'c');
  await all.account.fault({
    method: 'POST',
    path: '/api/groups',
    effect: 'status',
    status: 400,
    nth: 2,
  });
  expectCode(await one.applyAt(at(2)), 4);
  const { stdout } = await one.run('runs', 'network', '--format', 'json');
  const [{ run }] = JSON.parse(stdout).runs;
  await one.declare('a');
  return { one, run };
}

describe('the journals alone, restored to an older state', () => {
  test.each(
    someOf(
      [
        ['the machine that closed the run', 'one', []],
        ['a fresh machine', 'two', []],
        ['a fresh machine, and what the run left was to stay', 'two', ['--keep-left']],
      ] as const,
      1,
    ),
  )('do not open a closed run again for %s', (_, name, more) =>
    machines(async all => {
      const { one, run } = await unfinished(all);
      const old = git(all.remote, 'rev-parse', journalOf(all)).trim();
      const left = await all.groups();
      expect(left.length).toBe(2);
      expectCode(await one.runAt(at(3), 'apply', 'network', '--abandon', run, ...more), 0);
      git(all.remote, 'update-ref', journalOf(all), old);
      const machine = name === 'one' ? one : await all.machine(name);
      const resumed = await machine.runAt(at(4), 'apply', 'network', '--resume', run, '--yes');
      expectCode(resumed, 6);
      expect(resumed.stderr).toContain('it was abandoned, or a later apply has done the rest');
      expectCode(await machine.applyAt(at(4)), 0);
      expect(await all.groups()).toEqual(left);
    }),
  );
});

test(
  '`--keep-left` does not keep what a run left on this machine alone while its journal at the remote is open',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const { one, run } = await unfinished(all);
      const keep = ['apply', 'network', '--abandon', run, '--keep-left'];
      const refused = await one.runAt(at(3), ...keep, '--lock', 'file');
      expectCode(refused, 6);
      expect(refused.stderr).toContain('is at the remote `origin`, too');
      expect(refused.stderr).not.toContain('no plan names it');
      git(one.folder, 'remote', 'set-url', 'origin', `${all.remote}-gone`);
      expectCode(await one.runAt(at(3), ...keep, '--lock', 'file'), 6);
      git(one.folder, 'remote', 'set-url', 'origin', `file://${all.remote}`);
      expectCode(await one.runAt(at(3), ...keep), 0);
      const left = await all.groups();
      expectCode(await (await all.machine('two')).applyAt(at(4)), 0);
      expect(await all.groups()).toEqual(left);
    }),
);

test('a base records that a run is closed, and the base after it no longer does', () =>
  machines(async all => {
    const { one, run } = await unfinished(all);
    expectCode(await one.runAt(at(3), 'apply', 'network', '--abandon', run, '--keep-left'), 0);
    const base = () => JSON.parse(git(all.remote, 'show', `${all.base}:base.json`));
    expect(base()).toMatchObject({ closed: [run], recorded_at: '2026-01-01T00:00:00.000Z' });
    const again = await one.runAt(at(4), 'base', 'show', 'network');
    expectCode(again, 0);
    await one.declare('a', 'd');
    expectCode(await one.applyAt(at(5)), 0);
    expect(base()).not.toHaveProperty('closed');
  }));

test(
  'a shortened copy of a journal under another name is not verified, and no run is resumed by it',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      expectCode(await one.applyAt(at(1)), 0);
      const ref = journalOf(all);
      const name = git(all.remote, 'ls-tree', '--name-only', ref)
        .split('\n')
        .find(file => file.endsWith('.jsonl'));
      const text = git(all.remote, 'show', `${ref}:${name}`).split('\n').slice(0, 6).join('\n');
      const store = (args: string[], input: string) =>
        execFileSync('git', ['-C', all.remote, ...args], { input })
          .toString()
          .trim();
      const blob = store(['hash-object', '-w', '--stdin'], `${text}\n`);
      const other = '2026-01-02T00-00-00.000Z_99999999-4c69-44af-a33d-9e69100e68cc.jsonl';
      const listed = git(all.remote, 'ls-tree', ref);
      const tree = store(['mktree'], `${listed}100644 blob ${blob}\t${other}\n`);
      git(all.remote, 'update-ref', ref, store(['commit-tree', tree], 'a copy'));
      const { stdout } = await one.run('runs', 'network');
      expect(stdout).toMatch(/99999999.*not verified/);
      const resumed = await (await all.machine('two')).run('apply', 'network', '--resume', '--yes');
      expect(resumed.stderr).not.toContain('99999999');
    }),
);

test('deleted journals are reported where the remote has a base, until an apply records one', () =>
  machines(async all => {
    await unfinished(all);
    git(all.remote, 'update-ref', '-d', journalOf(all));
    const two = await all.machine('two');
    const gone = `warning: the remote \`origin\` has bases of the account, but no journals: somebody deleted ${journalOf(all)}`;
    const plan = () => two.run('plan', 'network', '--base', 'auto');
    for (const ended of [
      await two.run('runs', 'network'),
      await plan(),
      await two.applyAt(at(3)),
    ]) {
      expectCode(ended, 0);
      expect(ended.stderr).toContain(gone);
    }
    expect((await plan()).stderr).not.toContain('no journals');
  }));

test(
  'an object that is not a commit in place of the journals is reported, also by an apply that replaces it',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      expectCode(await one.applyAt(at(1)), 0);
      const input = { input: 'no journals' };
      const blob = execFileSync('git', ['-C', all.remote, 'hash-object', '-w', '--stdin'], input);
      git(all.remote, 'update-ref', journalOf(all), blob.toString().trim());
      for (const ended of [await one.run('runs', 'network'), await one.applyAt(at(2))]) {
        expectCode(ended, 0);
        expect(ended.stderr).toContain(`warning: ${journalOf(all)} at the remote`);
      }
      expect((await one.applyAt(at(3))).stderr).not.toContain('warning: refs/meshform-journal');
    }),
);
