// The recorded bases at the Git remote: recorded after a push that failed, put back, taken over and forgotten from any clone.
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { expectCode, machines, refsAt } from './sharedMachines.ts';

/** Refuses the refs of bases, and no others. */
const REFUSING = '#!/bin/sh\ncase "$1" in refs/meshform-base/*) echo "not today"; exit 1;; esac\n';

async function refuseBases(remote: string): Promise<() => Promise<void>> {
  const hook = join(remote, 'hooks/update');
  await mkdir(join(remote, 'hooks'), { recursive: true });
  await writeFile(hook, REFUSING);
  await chmod(hook, 0o755);
  return () => rm(hook);
}

test('an apply whose last push fails ends with 4, gives the lock back, and names the command that records its base', async () => {
  await machines(async ({ machine, remote, base, groups }) => {
    const one = await machine('one');
    await one.declare('a', 'b');
    const allow = await refuseBases(remote);
    const ended = await one.apply();
    expectCode(ended, 4);
    expect(ended.stderr).toContain('the account is as planned, but its base is not recorded: ');
    expect(ended.stderr).toContain('not today');
    expect(ended.stderr).toContain('record it with `meshform base record network`');
    expect(refsAt(remote, 'refs/meshform-locks')).toBe('');
    expectCode(await one.run('base', 'record', 'network'), 1);
    await allow();
    const recorded = await one.run('base', 'record', 'network');
    expectCode(recorded, 0);
    expect(recorded.stderr).toContain('at the remote `origin` now');
    expect(refsAt(remote, 'refs/meshform-base')).toBe(base);
    const two = await machine('two');
    await two.declare('a');
    expectCode(await two.apply(), 0);
    expect(await groups()).toEqual(['a']);
  });
});

test('a base that was put back at the remote is recorded again by its commit, and by no other one', async () => {
  await machines(async ({ machine, remote, base }) => {
    const one = await machine('one');
    await one.declare('a', 'b');
    expectCode(await one.apply(), 0);
    const older = git(remote, 'rev-parse', base).trim();
    await one.declare('a');
    expectCode(await one.apply(), 0);
    const newer = git(remote, 'rev-parse', base).trim();
    git(remote, 'update-ref', base, older);
    git(one.folder, 'update-ref', '-d', base);
    const refused = await one.apply();
    expectCode(refused, 6);
    expect(refused.stderr).toContain(`\`meshform base record network --commit ${newer}\``);
    expectCode(await one.run('base', 'record', 'network', '--commit', older), 6);
    expectCode(await one.run('base', 'record', 'network', '--commit', 'HEAD'), 3);
    expectCode(await one.run('base', 'record', 'network', '--commit', newer), 0);
    expect(git(remote, 'rev-parse', base).trim()).toBe(newer);
    expectCode(await one.apply(), 0);
  });
});

test('a base that was put back is noticed on a machine that has never applied, and can be made the newest', async () => {
  await machines(async ({ machine, remote, base, groups }) => {
    const one = await machine('one');
    await one.declare('a', 'b');
    expectCode(await one.apply(), 0);
    const older = git(remote, 'rev-parse', base).trim();
    await one.declare('a');
    const later = ['apply', 'network', '--prune', 'removed', '--base', 'auto', '--record-base'];
    expectCode(await one.runAt(60_000, ...later, '--allow', 'DELETES_OBJECT', '--yes'), 0);
    git(remote, 'update-ref', base, older);
    const two = await machine('two');
    const refused = await two.apply();
    expectCode(refused, 6);
    expect(refused.stderr).toMatch(/\(1970-\S+\.jsonl\)/);
    expectCode(await two.run('base', 'record', 'network', '--as-newest', '--yes'), 64);
    const asNewest = ['base', 'record', 'network', '--as-newest', '--commit', older];
    expectCode(await two.run(...asNewest), 64);
    expectCode(await two.run(...asNewest, '--yes'), 0);
    expectCode(await two.apply(), 0);
    const three = await machine('three');
    await three.declare('a', 'c');
    expectCode(await three.apply(), 0);
    expect(await groups()).toEqual(['a', 'c']);
  });
});

test('a folder that was moved takes its base along at the remote, and a base is forgotten there', async () => {
  await machines(async ({ machine, remote, base, id }) => {
    const one = await machine('one');
    await one.declare('a');
    expectCode(await one.apply(), 0);
    const two = await machine('two');
    await rename(join(two.folder, 'network'), join(two.folder, 'overlay'));
    git(two.folder, 'commit', '--quiet', '--all', '--message=moved');
    git(two.folder, 'add', '--all');
    git(two.folder, 'commit', '--quiet', '--amend', '--no-edit');
    git(two.folder, 'push', '--quiet', 'origin', 'HEAD:main');
    git(two.folder, 'fetch', '--quiet', 'origin');
    const adopted = await two.run('base', 'adopt', 'network', 'overlay', '--yes');
    expectCode(adopted, 0);
    expect(adopted.stderr).not.toContain('push');
    expect(refsAt(remote, 'refs/meshform-base')).toBe(`refs/meshform-base/${id}/overlay`);
    expect(base).toContain('/network');
    expectCode(await two.run('base', 'forget', 'network', 'overlay', '--yes'), 3);
    const unasked = await two.run('base', 'forget', 'overlay', 'overlay');
    expectCode(unasked, 64);
    expect(unasked.stdout).toContain('group.a');
    expectCode(await two.run('base', 'forget', 'overlay', 'overlay', '--yes'), 0);
    expect(refsAt(remote, 'refs/meshform-base')).toBe('');
  });
});
