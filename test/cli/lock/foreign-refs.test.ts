// What is no commit at the refs that machines share: whoever can push may have put it there.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { expectCode, type Machine, type Machines, machines } from './sharedMachines.ts';

const PLAN = ['plan', 'network', '--base', 'auto', '--record-base', '--prune', 'removed'];

/** A remote with a base, and the text of a file, or a tag of it, to put at a ref. */
const story = (
  use: (all: Machines, one: Machine, objects: readonly string[]) => Promise<void>,
): Promise<void> =>
  machines(async all => {
    const one = await all.machine('one');
    await one.declare('a');
    expectCode(await one.apply(), 0);
    const text = execFileSync('git', ['-C', all.remote, 'hash-object', '-w', '--stdin'], {
      input: 'not a commit\n',
      encoding: 'utf8',
    }).trim();
    git(one.folder, 'fetch', '--quiet', 'origin', 'main');
    const tagged = execFileSync('git', ['-C', all.remote, 'mktag'], {
      input: `object ${text}\ntype blob\ntag t\ntagger t <t@example.com> 0 +0000\n\n`,
      encoding: 'utf8',
    }).trim();
    await use(all, one, [text, tagged]);
  });

test('an object in place of the journals that is not a journal does not stop an apply, which writes its own journal', () =>
  story(async ({ remote, id, groups }, one, objects) => {
    for (const [i, object] of objects.entries()) {
      git(remote, 'update-ref', `refs/meshform-journal/${id}`, object);
      expectCode(await one.run('runs', 'network'), 0);
      const names = ['a', ...'bc'.slice(0, i + 1)];
      await one.declare(...names);
      expectCode(await one.run(...PLAN), 0);
      expectCode(await one.apply(), 0);
      expect(await groups()).toEqual(names);
      const runs = await one.run('runs', 'network', '--format', 'json');
      expect(JSON.parse(runs.stdout).runs[0]).toMatchObject({ outcome: 'complete' });
    }
  }));

test('an object in place of the lock that is not a lock is shown as an unreadable lock', () =>
  story(async ({ remote, lock }, one, objects) => {
    for (const object of objects) {
      git(remote, 'update-ref', lock, object);
      const shown = await one.run('lock', 'show', 'network');
      expectCode(shown, 0);
      expect(shown.stdout).toContain('was not written by meshform');
    }
    const held = await one.run('lock', 'hold', 'network', '--reason', 'a freeze');
    expectCode(held, 6);
    expect(held.stderr).toContain('was not written by meshform');
  }));

test(
  'an object in place of a base that is not a base is reported with its ref, and nothing is pruned',
  { tags: 'variation' },
  () =>
    story(async ({ remote, base, groups }, one, objects) => {
      await one.declare('b');
      for (const object of objects) {
        git(remote, 'update-ref', base, object);
        for (const refused of [await one.apply(), await one.run(...PLAN)]) {
          expect([3, 6]).toContain(refused.code);
          expect(refused.stderr).toContain(base);
          expect(refused.stderr).not.toContain('change all the time');
        }
      }
      expect(await groups()).toEqual(['a']);
    }),
);
