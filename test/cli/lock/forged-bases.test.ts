// A base that somebody with push rights wrote, and nobody signed: the message names the command that puts the base of the last apply back.
import { execFileSync } from 'node:child_process';
import { expect, test, vi } from 'vitest';
import { git } from '../../support/git.ts';
import { expectCode, type Machines, machines } from './sharedMachines.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

/** Puts a base that declares a group `victim` in the place of the recorded one, behind it or beside it; returns the commit of that. */
function forge({ remote, base }: Machines, where: 'behind' | 'beside'): string {
  const genuine = git(remote, 'rev-parse', base).trim();
  const written = (input: string, ...args: readonly string[]) =>
    execFileSync('git', ['-C', remote, ...args], { input, encoding: 'utf8' }).trim();
  const text = git(remote, 'show', `${genuine}:base.json`).replaceAll('"b"', '"victim"');
  const blob = written(text, 'hash-object', '-w', '--stdin');
  const own = git(remote, 'ls-tree', genuine);
  const tree = written(own.replace(/[0-9a-f]+\tbase\.json\n/, `${blob}\tbase.json\n`), 'mktree');
  const revision = git(remote, 'rev-parse', `${genuine}^1`).trim();
  const parents = ['-p', revision, ...(where === 'behind' ? ['-p', genuine] : [])];
  const by = ['-c', 'user.name=x', '-c', 'user.email=x@example.com'];
  const forged = git(remote, ...by, 'commit-tree', '-m', 'forged', ...parents, tree).trim();
  git(remote, 'update-ref', base, forged);
  return genuine;
}

test('a forged base is refused with the command that restores the genuine base, if the clone gets that base', () =>
  machines(async all => {
    const one = await all.machine('one');
    await one.declare('a', 'b');
    expectCode(await one.apply(), 0);
    const genuine = forge(all, 'behind');
    const two = await all.machine('two');
    const command = ['base', 'record', 'network', '--commit', genuine];
    for (const machine of [one, two]) {
      const refused = await machine.apply();
      expectCode(refused, 6);
      expect(refused.stderr).toContain('if somebody else wrote the base, do not sign it');
      expect(refused.stderr).toContain(`\`meshform ${command.join(' ')}\``);
      const unsigned = await machine.run('base', 'sign', 'network');
      expectCode(unsigned, 6);
      expect(unsigned.stderr).toContain(`\`meshform ${command.join(' ')}\``);
      expect(unsigned.stderr).not.toContain('--as-newest');
    }
    expectCode(await two.run(...command), 0);
    expectCode(await one.apply(), 0);
    expect(await all.groups()).toEqual(['a', 'b']);
  }));

test(
  'a forged base is refused with the command for a first apply, if no clone gets the genuine base',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const one = await all.machine('one');
      await one.declare('a', 'b');
      expectCode(await one.apply(), 0);
      forge(all, 'beside');
      const two = await all.machine('two');
      const refused = await two.apply();
      expectCode(refused, 6);
      expect(refused.stderr).toContain(
        'if it is lost, remove this base with `meshform base forget NAME network`, and apply with --first',
      );
      expectCode(await two.run('base', 'forget', 'network', 'network', '--yes'), 0);
      expectCode(await two.apply('--first'), 0);
      expectCode(await one.apply(), 0);
      expect(await all.groups()).toEqual(['a', 'b']);
    }),
);
