// The disk of the machine is full before an apply, or fills up in the middle: git writes no objects, and the run ends with its report.

import fs, { readdir, readFile, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { someOf } from '../../support/variations.ts';
import { expectCode, failingGit, type Machine, machines, refsAt } from './sharedMachines.ts';

const SAYS = 'fatal: unable to write loose object file: No space left on device';

/** Until the returned function is called, no object of git can be written while the disk is full. */
function fullDisk(isFull: () => boolean): () => void {
  const original = fs.writeFile;
  const replaceWith = (write: typeof original): void => {
    fs.writeFile = write;
    syncBuiltinESMExports();
  };
  replaceWith(async (file, ...more) => {
    if (String(file).includes('tmp_obj_') && isFull())
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    return original(file, ...more);
  });
  const end = (): void => replaceWith(original);
  onTestFinished(end);
  return end;
}

/** The journals of a machine, by their paths. */
const journalsOf = async ({ folder }: Machine): Promise<readonly string[]> =>
  (await readdir(`${folder}-journals`, { recursive: true }))
    .filter(name => name.endsWith('.jsonl'))
    .map(name => join(`${folder}-journals`, name));

test('`base record` uses the copy at the remote if this machine could not write the end of its journal', () =>
  machines(async all => {
    const one = await all.machine('one');
    await one.declare('a');
    expectCode(await one.apply(), 0);
    const [journal = ''] = await journalsOf(one);
    const lines = (await readFile(journal, 'utf8')).split('\n');
    await writeFile(journal, `${lines.slice(0, -3).join('\n')}\n`);
    const recorded = await one.run('base', 'record', 'network');
    expectCode(recorded, 6);
    expect(recorded.stderr).toContain(
      'the base of the last apply of `network` is recorded already',
    );
    expectCode(await one.run('base', 'show', 'network'), 0);
  }));

const WORDS = ['--prune', 'removed', '--base', 'auto', '--record-base', '--yes'];

test.each(
  someOf(
    [
      ['git fetches', 'fetch'],
      ['a run writes objects', 'write'],
    ],
    1,
  ),
)(
  'a disk that is full before the first write, where %s, ends with its own exit code',
  (_, command) =>
    machines(async ({ machine, remote, groups }) => {
      const one = await machine('one');
      await one.declare('a');
      expectCode(await one.apply(), 0);
      const two = await machine('two');
      await two.declare('a', 'b');
      // `lock hold` fetches nothing unless the remote has a lock.
      const isFetching = command === 'fetch';
      if (isFetching) expectCode(await one.run('lock', 'hold', 'network', '--reason', 'x'), 0);
      const before = refsAt(remote, 'refs/meshform*');
      const more = await failingGit(two, { where: "*' fetch '*", says: SAYS });
      const freed = isFetching ? undefined : fullDisk(() => true);
      for (const argv of [
        ['apply', 'network', ...WORDS],
        ['lock', 'hold', 'network', '--reason', 'x'],
      ]) {
        const ended = await two.runWith(isFetching ? more : {}, ...argv);
        expectCode(ended, 69);
        expect(ended.stderr).toContain('the disk of this machine is full');
        expect(ended.stderr).toMatch(/no space left on device/i);
        expect(ended.stderr).toContain('free disk space');
        expect(ended.stderr).not.toMatch(/--lock file|does not answer|unexpected/);
      }
      expect(refsAt(remote, 'refs/meshform*')).toBe(before);
      expect(await groups()).toEqual(['a']);
      freed?.();
      if (isFetching) expectCode(await one.run('lock', 'release', 'network'), 0);
      expectCode(await two.apply(), 0);
    }),
);

test('an apply whose disk fills up releases its lock, and says that its base is not recorded', () =>
  machines(async ({ machine, account, remote, groups }) => {
    const one = await machine('one');
    await one.declare('a');
    expectCode(await one.apply(), 0);
    await one.declare('a', 'b');
    let isFull = false;
    const freed = fullDisk(() => isFull);
    account.onAnswer(({ method }) => {
      isFull ||= method === 'POST';
    });
    const ended = await one.run('apply', 'network', ...WORDS);
    expectCode(ended, 4);
    expect(ended.stderr).not.toContain('unexpected error');
    expect(ended.stdout).toContain('Apply complete! 1 added');
    expect(ended.stdout + ended.stderr).toMatch(/no space left on device/i);
    expect(ended.stdout + ended.stderr).toContain('meshform base record');
    expect(refsAt(remote, 'refs/meshform-locks')).toBe('');
    expect(await groups()).toEqual(['a', 'b']);
    freed();
    expectCode(await one.run('base', 'record', 'network'), 0);
  }));
